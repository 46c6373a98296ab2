import { join } from 'node:path'
import type { StoreRefused } from '../store.ts'
import type { Disk } from './disk.ts'
import { codeOf, reasonOf, refused } from './failure.ts'
import { LockFailed } from './lock-file.ts'
import { guardRights } from './rights.ts'

/**
 * Makes the folder where it is missing (mode 0700) and keeps every other process out of it until `release`.
 * Throws `StoreRefused`, which says what to do.
 */
export async function lockFolder(
  disk: Disk,
  folder: string,
  onTrouble: (sentence: string) => void,
): Promise<{ release(): void }> {
  await makeFolder(disk, folder)
  await guardRights(disk, folder, onTrouble)
  await mayWrite(disk, folder)
  try {
    return await disk.lock(join(folder, 'lock'))
  } catch (cause) {
    if (!(cause instanceof LockFailed)) throw notWritable(folder, cause)
    throw refused(sentences[cause.why](folder), cause)
  }
}

async function makeFolder(disk: Disk, folder: string): Promise<void> {
  try {
    await disk.makeFolder(folder)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw refused(`${folder} is not a folder; name a folder of its own for the store`, cause)
    }
    const why = code === 'ENOENT' ? 'nothing can be made there' : reasonOf(cause)
    throw refused(`${folder} cannot be made: ${why}; name another folder for the store`, cause)
  }
}

/** SQLite locks what it may only read, too; an event could not be stored there. */
async function mayWrite(disk: Disk, folder: string): Promise<void> {
  for (const path of [folder, join(folder, 'segments')]) {
    await disk.mayWrite(path).catch((cause: unknown) => {
      if (codeOf(cause) !== 'ENOENT') throw notWritable(path, cause)
    })
  }
}

function notWritable(folder: string, cause: unknown): StoreRefused {
  return refused(
    `${folder} cannot be written: ${reasonOf(cause)}; give it to the user that Bluepencil runs as, or name another folder for the store`,
    cause,
  )
}

const sentences: Record<LockFailed['why'], (folder: string) => string> = {
  'in use': (folder) =>
    `another Bluepencil is using ${folder}; stop it first, or name another folder for the store`,
  'not a lock': (folder) =>
    `${folder} holds a file named lock that is not Bluepencil's; name another folder for the store`,
  unknown: (folder) =>
    `${folder} cannot be locked; give it to the user that Bluepencil runs as, or name another folder for the store`,
}
