import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { mkdtemp, rmdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorCode } from '../../platform/unknown.ts'
import type { StoreRefused } from '../store.ts'
import { reasonOf, refused, resultOf } from './failure.ts'
import { databaseName, lockName, settingsName, suffixes, syncFolder } from './files.ts'

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
    const code = errorCode(cause)
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      throw refused(`${folder} is not a folder; name a folder of its own for the store`, cause)
    }
    const why = code === 'ENOENT' ? 'nothing can be created there' : reasonOf(cause)
    throw refused(`${folder} cannot be created: ${why}; name another folder for the store`, cause)
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
    `${folder} cannot be written to: ${reasonOf(cause)}; make the user that Bluepencil runs as its owner, or name another folder for the store`,
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
  if (result === 26) return `${folder} has a file named lock that is not Bluepencil's; ${another}`
  return `${folder} cannot be locked; make the user that Bluepencil runs as its owner, or ${another}`
}

function makeLockFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cause
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
  const sentence = `${folder} is on a network file system (${network}): two processes could open the store at once; name a folder on a disk of this machine, or use Postgres`
  throw refused(sentence, undefined)
}

const group = 0o020
const others = 0o002
const ours = new Set([lockName, settingsName, ...suffixes.map((suffix) => `${databaseName}${suffix}`)])

/**
 * We don't trust files that others can write. If a folder or file is ours, we take the right away and report it; otherwise
 * we refuse it. We accept a folder of another user that our group may write. Platforms give a volume to a container like
 * that (an arbitrary uid with group 0, or `fsGroup`), and only we can read what we create in it.
 */
function guardRights(folder: string, onTrouble: (sentence: string) => void): void {
  const opened = close(folder, 'folder') ? [folder] : []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (ours.has(name) && close(path, 'file')) opened.push(path)
  }
  const [first, ...more] = opened
  if (first === undefined) return
  const also = more.length === 0 ? '' : ` and ${more.length} more in it`
  onTrouble(
    `other users of this machine could write to ${first}${also}. They no longer can. Check whether somebody did, and whether the store has events that the service did not report`,
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
      `${path} belongs to another user, and other users of this machine can write to it (mode ${(mode & 0o777).toString(8)}). Make the user that Bluepencil runs as its owner, with chmod go-w, or name another folder for the store`,
      cause,
    )
  }
}

/** What builds from before the first release kept a store in. */
const ofOlderFormat = ['segments', 'state.json', 'chain.journal']

/** Whether there is a store in this folder. If that cannot be seen it counts as there: opening it says why not. */
export async function holdsStore(folder: string): Promise<boolean> {
  const exist = await Promise.all([databaseName, ...ofOlderFormat].map((name) => isThere(join(folder, name))))
  return exist.includes(true)
}

/** Throws `StoreRefused` if the folder has a store that this Bluepencil does not read. */
export function refuseOlderFormat(folder: string): void {
  if (!ofOlderFormat.some((name) => existsSync(join(folder, name)))) return
  throw refused(
    `${folder} has a store of a Bluepencil from before version 0.1, which this one cannot read; name another folder for the store`,
    undefined,
  )
}

/** Throws `StoreRefused` if no store could be made in this folder. Tries it a step above, and leaves nothing behind. */
export async function couldHoldStore(folder: string): Promise<void> {
  const nearest = await nearestThere(folder)
  refuseNetwork(folder, (await statfs(nearest)).type)
  try {
    await rmdir(await mkdtemp(join(nearest, '.bluepencil-')))
  } catch (cause) {
    const why = whyNot(nearest, cause)
    throw refused(`${folder} cannot hold a store: ${why}; name another folder for it`, cause)
  }
}

function whyNot(folder: string, cause: unknown): string {
  const code = errorCode(cause)
  if (code === 'ENOTDIR') return `${folder} is not a folder`
  // As /proc answers.
  if (code === 'ENOENT') return `nothing can be created in ${folder}`
  return `nothing can be created in ${folder}: ${reasonOf(cause)}`
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
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR'
  }
}
