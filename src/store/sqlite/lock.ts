import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { StoreRefused } from '../store.ts'
import { codeOf, reasonOf, refused, resultOf } from './failure.ts'
import { lockName, syncFolder } from './files.ts'
import { guardRights } from './rights.ts'

/**
 * Makes the folder if it is missing (mode 0700) and keeps every other process out of it until `release`.
 * Throws `StoreRefused`, which says what to do.
 */
export function lockFolder(folder: string, onTrouble: (sentence: string) => void): { release(): void } {
  makeFolder(folder)
  refuseNetwork(folder, statfsSync(folder).type)
  guardRights(folder, onTrouble)
  try {
    // SQLite locks what it may only read, too; an event could not be stored there.
    accessSync(folder, constants.W_OK | constants.X_OK)
    return lockFile(folder)
  } catch (cause) {
    throw notWritable(folder, cause)
  }
}

function makeFolder(folder: string): void {
  try {
    makeFolders(folder)
  } catch (cause) {
    const code = codeOf(cause)
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw refused(`${folder} is not a folder; name a folder of its own for the store`, cause)
    }
    const why = code === 'ENOENT' ? 'nothing can be made there' : reasonOf(cause)
    throw refused(`${folder} cannot be made: ${why}; name another folder for the store`, cause)
  }
}

/**
 * Without mkdir's own `recursive`: Node 26 retries for ever in a folder that is there and answers ENOENT, as /proc does
 * (measured: a whole processor, without an end).
 */
function makeFolders(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(folder) !== folder) makeFolders(dirname(folder))
  mkdirSync(folder, { mode: 0o700 })
  syncFolder(dirname(folder))
}

function notWritable(folder: string, cause: unknown): StoreRefused {
  return refused(
    `${folder} cannot be written: ${reasonOf(cause)}; give it to the user that Bluepencil runs as, or name another folder for the store`,
    cause,
  )
}

/**
 * SQLite's lock on an empty database is one of the kernel's, which ends with the process however it ends, so
 * there is no stale lock to clear away.
 *
 * POSIX locks end when any descriptor of the file is closed in the same process: nothing here reads the file.
 */
function lockFile(folder: string): { release(): void } {
  const path = join(folder, lockName)
  makeLockFile(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec(
      'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE',
    )
  } catch (cause) {
    database?.close()
    throw refused(whyNotLocked(folder, resultOf(cause)), cause)
  }
  const held = database
  return { release: () => held.close() }
}

/** By SQLite's own result code (https://sqlite.org/rescode.html). */
function whyNotLocked(folder: string, result: number | undefined): string {
  const another = 'name another folder for the store'
  if (result === 5) return `another Bluepencil is using ${folder}; stop it first, or ${another}`
  if (result === 26) return `${folder} holds a file named lock that is not Bluepencil's; ${another}`
  return `${folder} cannot be locked; give it to the user that Bluepencil runs as, or ${another}`
}

function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (cause) {
    if (codeOf(cause) !== 'EEXIST') throw cause
    try {
      chmodSync(path, 0o600)
    } catch {
      // It is another user's: whether it can be locked is seen next.
    }
  }
}

/** Magic numbers of Linux (statfs(2)). */
const networks: Record<number, string> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB 2',
  16914839: '9p',
}

/** Throws `StoreRefused` if locks and syncs do not hold on a file system of this type. */
export function refuseNetwork(folder: string, type: number): void {
  const network = networks[type >>> 0]
  if (network === undefined) return
  const sentence = `${folder} is on a network file system (${network}), where two processes could have the store at once; name a folder on a disk of this machine, or use Postgres`
  throw refused(sentence, undefined)
}
