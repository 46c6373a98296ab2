import { errorCode } from '../../platform/unknown.ts'
import { DatabaseFailure } from '../sql/failure.ts'
import { StoreRefused } from '../store.ts'

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file has reached the largest size allowed',
  EIO: 'the disk reports an error',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'it does not exist',
}

/** Result codes of SQLite (https://sqlite.org/rescode.html). */
const results: Record<number, string> = {
  5: 'another program has locked it',
  6: 'another program has locked it',
  7: 'there is no memory left',
  8: 'it is read-only',
  10: 'the disk reports an error (EIO)',
  11: 'it is damaged; when you restart it, Bluepencil saves what can be read',
  13: 'the disk is full (ENOSPC)',
  14: 'it cannot be opened',
  18: 'it is too large',
  23: 'this user may not write there',
  26: 'it is not a database',
}

const corrupt = 11
const noDatabase = 26
export const ioError = 10
const tooBig = 18
const constraint = 19

/** The primary result code of SQLite, if the error is one of its own. */
export function resultOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}

/** What is in the file is not what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  // A thread answers with the reason alone.
  if (error instanceof DatabaseFailure)
    return error.reason === results[corrupt] || error.reason === results[noDatabase]
  const result = resultOf(error)
  return result === corrupt || result === noDatabase
}

/** Why a file could not be read or written, in words; never a piece of what is in it, which may be secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof DatabaseFailure) return error.reason
  const result = resultOf(error)
  if (result !== undefined) return results[result] ?? `SQLite reports code ${result}`
  const code = errorCode(error)
  if (code === undefined) return 'an unexpected error'
  const reason = reasons[code]
  return reason === undefined ? code : `${reason} (${code})`
}

/** Nothing of what failed so is stored. */
export function failureOf(error: unknown): DatabaseFailure {
  if (error instanceof DatabaseFailure) return error
  const result = resultOf(error)
  const kind = result === constraint ? 'conflict' : result === tooBig ? 'refusal' : 'undone'
  return new DatabaseFailure(reasonOf(error), kind, { cause: error })
}

export function refused(sentence: string, cause: unknown): StoreRefused {
  if (cause instanceof StoreRefused) return cause
  return new StoreRefused(sentence, { cause })
}
