import { access, chmod, constants, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoreRefused } from '../store.ts'
import { codeOf, reasonOf, refused } from './failure.ts'

/** SQLite's own result codes (https://sqlite.org/rescode.html). */
const sqliteBusy = 5
const sqliteNotADatabase = 26

/**
 * Makes the folder where it is missing (mode 0700) and keeps every other process out of it until `release`.
 * SQLite's lock on an empty database is one of the kernel's, which ends with the process however it ends, so
 * there is no stale lock to clear away. Throws `StoreRefused`, which says what to do.
 *
 * POSIX locks end when any descriptor of the file is closed in the same process: nothing here reads the file.
 */
export async function lockFolder(folder: string): Promise<{ release(): void }> {
  const path = join(folder, 'lock')
  await makeFolder(folder)
  await makeLockFile(folder, path)
  await mayWrite(folder)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec(
      'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE',
    )
  } catch (cause) {
    database?.close()
    throw refused(sentence(folder, cause), cause)
  }
  const held = database
  return { release: () => held.close() }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw refused(`${folder} is not a folder; name a folder of its own for the store`, cause)
    }
    throw refused(`${folder} cannot be made: ${reasonOf(cause)}; name another folder for the store`, cause)
  }
}

async function makeLockFile(folder: string, path: string): Promise<void> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw notWritable(folder, cause)
    await chmod(path, 0o600).catch(() => undefined)
  }
}

/** SQLite locks what it may only read, too; an event could not be stored there. */
async function mayWrite(folder: string): Promise<void> {
  for (const path of [folder, join(folder, 'segments')]) {
    await access(path, constants.W_OK).catch((cause: unknown) => {
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

function sentence(folder: string, cause: unknown): string {
  const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined
  if (code === sqliteBusy) {
    return `another Bluepencil is using ${folder}; stop it first, or name another folder for the store`
  }
  if (code === sqliteNotADatabase) {
    return `${folder} holds a file named lock that is not Bluepencil's; name another folder for the store`
  }
  return `${folder} cannot be locked; give it to the user that Bluepencil runs as, or name another folder for the store`
}
