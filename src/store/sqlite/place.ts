import { existsSync } from 'node:fs'
import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, reasonOf, refused } from './failure.ts'
import { databaseName } from './files.ts'
import { refuseNetwork } from './lock.ts'

/** What builds from before the first release kept a store in. */
const ofOlderFormat = ['segments', 'state.json', 'chain.journal']

/** Whether there is a store in this folder. If that cannot be seen it counts as there: opening it says why not. */
export async function holdsStore(folder: string): Promise<boolean> {
  const found = await Promise.all([databaseName, ...ofOlderFormat].map((name) => isThere(join(folder, name))))
  return found.includes(true)
}

/** Throws `StoreRefused` if the folder has a store that this Bluepencil does not read. */
export function refuseOlderFormat(folder: string): void {
  if (!ofOlderFormat.some((name) => existsSync(join(folder, name)))) return
  throw refused(
    `${folder} has a store of a Bluepencil from before version 0.1, which this one does not read; name another folder for the store`,
    undefined,
  )
}

/** Throws `StoreRefused` where no store could be made in this folder. Tries it a step above, and leaves nothing behind. */
export async function couldHoldStore(folder: string): Promise<void> {
  const nearest = await nearestThere(folder)
  refuseNetwork(folder, (await statfs(nearest)).type)
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
