import { chmodSync, closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { codeOf } from './failure.ts'

/** Why a file could not be locked: another process has it, it is something else, or neither is known. */
export class LockFailed extends Error {
  override readonly name = 'LockFailed'
  readonly why: 'in use' | 'not a lock' | 'unknown'

  constructor(why: LockFailed['why'], cause: unknown) {
    super(why, { cause })
    this.why = why
  }
}

/** SQLite's own result codes (https://sqlite.org/rescode.html). */
const reasons: Record<number, LockFailed['why']> = { 5: 'in use', 26: 'not a lock' }

/**
 * SQLite's lock on an empty database is one of the kernel's, which ends with the process however it ends, so
 * there is no stale lock to clear away.
 *
 * POSIX locks end when any descriptor of the file is closed in the same process: nothing here reads the file.
 */
export function lockFile(path: string): { release(): void } {
  makeLockFile(path)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(path)
    database.exec(
      'PRAGMA busy_timeout=0; PRAGMA journal_mode=MEMORY; PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE',
    )
  } catch (cause) {
    database?.close()
    throw new LockFailed(whyOf(cause), cause)
  }
  const held = database
  return { release: () => held.close() }
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

function whyOf(cause: unknown): LockFailed['why'] {
  const code = cause instanceof Error && 'errcode' in cause ? cause.errcode : undefined
  return (typeof code === 'number' ? reasons[code] : undefined) ?? 'unknown'
}
