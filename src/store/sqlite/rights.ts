import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { settingsName } from '../settings-file.ts'
import { refused } from './failure.ts'
import { databaseName, lockName, suffixes } from './files.ts'

const group = 0o020
const others = 0o002
const ours = new Set([lockName, settingsName, ...suffixes.map((suffix) => `${databaseName}${suffix}`)])

/**
 * What others can write is not ours to believe. Where a folder or a file belongs to us, the right is taken away and
 * reported; where it does not, it is refused. A folder of another user that our group may write is let be: that is how
 * platforms give a volume to a container (an arbitrary uid with group 0, or `fsGroup`), and what we make in it is
 * for us alone.
 */
export function guardRights(folder: string, onTrouble: (sentence: string) => void): void {
  const opened = close(folder, 'folder') ? [folder] : []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (ours.has(name) && close(path, 'file')) opened.push(path)
  }
  const [first, ...more] = opened
  if (first === undefined) return
  const also = more.length === 0 ? '' : ` and ${more.length} more in it`
  onTrouble(
    `${first}${also} could be written by other users of this machine; that right has been taken away; see who used it, and that no event is there which the service did not report`,
  )
}

/** Whether there was something to take away. */
function close(path: string, kind: 'folder' | 'file'): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  if ((mode & (group | others)) === 0) return false
  try {
    chmodSync(path, mode & 0o7777 & ~(group | others))
    return true
  } catch (cause) {
    if (kind === 'folder' && (mode & others) === 0) return false
    throw refused(
      `${path} can be written by other users of this machine (mode ${(mode & 0o777).toString(8)}) and belongs to another user; give it to the user that Bluepencil runs as, with chmod go-w, or name another folder for the store`,
      cause,
    )
  }
}
