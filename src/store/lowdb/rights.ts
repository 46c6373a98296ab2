import { join } from 'node:path'
import type { Disk, FileStatus } from './disk.ts'
import { refused } from './failure.ts'

const group = 0o020
const others = 0o002
const traverse = 0o011
const ours = /^(lock|probe|state\.json|chain\.journal|\d+\.(journal|json|ids))$/

/**
 * What others can write is not ours to believe. Where a folder or a file belongs to us, the right is taken away and
 * reported; where it does not, it is refused. A folder of another user that our group may write is let be: that is how
 * platforms give a volume to a container (an arbitrary uid with group 0, or `fsGroup`), and what we make in it is
 * for us alone.
 */
export async function guardRights(
  disk: Disk,
  folder: string,
  onTrouble: (sentence: string) => void,
): Promise<void> {
  const segments = join(folder, 'segments')
  const opened: string[] = []
  for (const path of [folder, segments]) {
    const found = await disk.stat(path)
    if (found === undefined) continue
    if (await close(disk, path, found, 'folder')) opened.push(path)
    // Nobody reaches what is in a folder that is closed, and was.
    else if ((found.mode & traverse) === 0) continue
    for (const name of await disk.list(path)) {
      if (!ours.test(name)) continue
      const file = join(path, name)
      const status = await disk.stat(file)
      if (status !== undefined && (await close(disk, file, status, 'file'))) opened.push(file)
    }
  }
  const [first, ...more] = opened
  if (first === undefined) return
  const also = more.length === 0 ? '' : ` and ${more.length} more in it`
  onTrouble(
    `${first}${also} could be written by other users of this machine; that right has been taken away; see who used it, and that no event is there which the service did not report`,
  )
}

/** Whether there was something to take away. */
async function close(
  disk: Disk,
  path: string,
  { mode }: FileStatus,
  kind: 'folder' | 'file',
): Promise<boolean> {
  if ((mode & (group | others)) === 0) return false
  try {
    await disk.setMode(path, mode & ~(group | others))
    return true
  } catch (cause) {
    if (kind === 'folder' && (mode & others) === 0) return false
    throw refused(
      `${path} can be written by other users of this machine (mode ${(mode & 0o777).toString(8)}) and belongs to another user; give it to the user that Bluepencil runs as, with chmod go-w, or name another folder for the store`,
      cause,
    )
  }
}
