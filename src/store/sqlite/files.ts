import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../platform/unknown.ts'
import { DatabaseFailure } from '../sql/failure.ts'

/** What is in the folder of a store. SQLite makes the two beside the database. */
export const databaseName = 'bluepencil.sqlite'
export const lockName = 'lock'
export const settingsName = 'settings.json'
export const suffixes = ['', '-wal', '-shm'] as const

/** Says that a process met damage: the next start reads all of it. */
export const markName = `${databaseName}.is-damaged`

export function markDamaged(folder: string): void {
  try {
    writeFileSync(join(folder, markName), '', { mode: 0o600 })
  } catch {
    // The next process that meets it tries again.
  }
}

/** For its user alone before anything is in it, and its name on the disk before anything is acknowledged. */
export function makeDatabaseFile(folder: string): void {
  try {
    closeSync(openSync(join(folder, databaseName), 'wx', 0o600))
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
  syncFolder(folder)
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Notices if an open file was moved, removed or replaced. The next process would not find what we write to it. Throws
 * `DatabaseFailure` of this kind until all files are back.
 */
export type FileGuard = (kind: DatabaseFailure['kind']) => void

export function createFileGuard(folder: string): FileGuard {
  const watched = [databaseName, `${databaseName}-wal`, lockName].map((name) => ({
    path: join(folder, name),
    name,
    at: identityOf(join(folder, name)),
  }))
  return (kind) => {
    for (const file of watched) {
      const now = identityOf(file.path)
      // SQLite makes its log with the first commit.
      file.at ??= now
      if (now !== file.at || now === undefined) {
        const how = now === undefined ? 'was moved or deleted' : 'was replaced'
        throw new DatabaseFailure(`${file.name} in ${folder} ${how} while it was in use`, kind)
      }
    }
  }
}

function identityOf(path: string): string | undefined {
  const status = statSync(path, { bigint: true, throwIfNoEntry: false })
  return status && `${status.dev} ${status.ino}`
}

const room = 2 ** 20

/**
 * Why a file of the store may not grow, as the operating system says it: SQLite calls a limit of file size (RLIMIT_FSIZE) an error
 * of the disk. Takes no space.
 */
export function whyNotLarger(folder: string): unknown {
  const sizes = suffixes.map((suffix) =>
    statSync(join(folder, databaseName + suffix), { throwIfNoEntry: false }),
  )
  const path = join(folder, 'probe')
  try {
    const descriptor = openSync(path, 'w', 0o600)
    try {
      ftruncateSync(descriptor, Math.max(...sizes.map((status) => status?.size ?? 0)) + room)
    } finally {
      closeSync(descriptor)
      rmSync(path, { force: true })
    }
    return undefined
  } catch (error) {
    return error
  }
}

/** What is done with `settings.json`. `keep`: a copy of it is kept under another name, which is answered. */
export type DocumentStep =
  | { does: 'read' }
  /** Into the folder of the store, or into another. */
  | { does: 'write'; text: string; folder?: string }
  | { does: 'keep'; as: 'edited' | 'damaged' }

/** Each call ends before it answers. The file is the old one or the new one, whole, after every crash; its mode is 0600. */
export function stepDocument(folder: string, step: DocumentStep): string | undefined {
  const path = join(folder, settingsName)
  if (step.does === 'read') return textOf(path)
  if (step.does === 'write') return replace(join(step.folder ?? folder, settingsName), step.text)
  const name = nextName(`${path}.${step.as}`)
  copyFileSync(path, name, constants.COPYFILE_EXCL)
  return basename(name)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

function replace(path: string, text: string): undefined {
  const fresh = `${path}.new`
  const file = openSync(fresh, 'w', 0o600)
  try {
    // One that a crash left may be of another mode.
    fchmodSync(file, 0o600)
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(fresh, path)
  syncFolder(dirname(path))
}

/** NAME-1, or the next number that is free. */
export function nextName(name: string): string {
  for (let number = 1; ; number++) {
    if (!existsSync(`${name}-${number}`)) return `${name}-${number}`
  }
}
