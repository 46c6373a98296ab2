import { mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, reasonOf, refused } from './failure.ts'

/** What `openLowdbStore` makes; a copy that was put back may lack the first of them. */
const signs = ['lock', 'state.json', 'segments']

/** Whether there is a store in this folder. Where that cannot be seen it counts as there: opening it says why not. */
export async function holdsStore(folder: string): Promise<boolean> {
  const found = await Promise.all(signs.map((name) => isThere(join(folder, name))))
  return found.includes(true)
}

/** Throws `StoreRefused` where no store could be made in this folder. Tries it a step above, and leaves nothing behind. */
export async function couldHoldStore(folder: string): Promise<void> {
  const nearest = await nearestThere(folder)
  try {
    await rmdir(await mkdtemp(join(nearest, '.bluepencil-')))
  } catch (cause) {
    const why = whyNot(nearest, cause)
    throw refused(`${folder} cannot hold a store, since ${why}; name another folder for it`, cause)
  }
}

function whyNot(folder: string, cause: unknown): string {
  const code = codeOf(cause)
  if (code === 'ENOTDIR') return `${folder} is not a folder`
  // As /proc answers.
  if (code === 'ENOENT') return `nothing can be made in ${folder}`
  return `nothing can be made in ${folder}: ${reasonOf(cause)}`
}

async function nearestThere(path: string): Promise<string> {
  if (path === dirname(path) || (await isThere(path))) return path
  return await nearestThere(dirname(path))
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    return codeOf(error) !== 'ENOENT' && codeOf(error) !== 'ENOTDIR'
  }
}
