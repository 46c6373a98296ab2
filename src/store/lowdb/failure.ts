import { StoreRefused, StoreUnavailable } from '../store.ts'

const reasons: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file may not grow further',
  EIO: 'the disk reports an error',
  EROFS: 'the disk is read-only',
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  ENOENT: 'it is not there',
}

/** `ENOSPC`, `EIO`, …, where the error is one of the operating system's. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Why a file could not be read or written, in words; never a piece of what is in it, which may be secret. */
export function reasonOf(error: unknown): string {
  if (error instanceof Unreadable) return error.message
  const code = codeOf(error)
  if (code === undefined) return 'an unexpected error'
  const reason = reasons[code]
  return reason === undefined ? code : `${reason} (${code})`
}

/** `what`: "the event could not be stored". */
export function unavailable(what: string, cause: unknown): StoreUnavailable {
  if (cause instanceof StoreUnavailable) return cause
  return new StoreUnavailable(`${what}: ${reasonOf(cause)}`, { cause })
}

export function refused(sentence: string, cause: unknown): StoreRefused {
  if (cause instanceof StoreRefused) return cause
  return new StoreRefused(sentence, { cause })
}

/** A stored file that was read and is not what it should be. The message goes after the file's name. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
  /** True where it may be whole, but another version wrote it. */
  readonly otherVersion: boolean

  constructor(message: string, otherVersion = false) {
    super(message)
    this.otherVersion = otherVersion
  }
}
