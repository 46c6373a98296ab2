import { StoreRefused, StoreUnavailable } from '../store.ts'

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing answers at its address',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  ENOTFOUND: 'the name of its host is not known',
  EAI_AGAIN: 'the name of its host cannot be looked up now',
  ENOENT: 'its socket is not there',
  '25006': 'it can only be read: it is a standby',
  '28000': 'it refuses this user',
  '28P01': 'it refuses the password',
  '3D000': 'it has no such database',
  '42501': 'this user lacks a right there',
  '53100': 'its disk is full',
  '53200': 'it has no memory left',
  '53300': 'it has too many connections',
  '57014': 'it took too long',
  '57P01': 'it is shutting down',
  '57P02': 'it has crashed',
  '57P03': 'it is starting up or shutting down',
}

/** The database did not do what it was asked. */
export class DatabaseFailure extends Error {
  override readonly name = 'DatabaseFailure'
  /** SQLSTATE or the operating system's code. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  }
}

/** Why the database did not do it, in words; never what it says itself, which may quote what is stored. */
function reasonOf({ code, message }: DatabaseFailure): string {
  if (code !== undefined) return reasons[code] === undefined ? code : `${reasons[code]} (${code})`
  if (/timeout/i.test(message)) return 'it does not answer'
  if (/connection|client/i.test(message)) return 'the connection broke'
  if (/certificate|SSL|TLS/i.test(message)) return `its certificate or TLS is not right: ${message}`
  return 'an unexpected error'
}

/** What is no failure of the database stays what it is. */
export function unavailable(what: string, cause: unknown): unknown {
  if (!(cause instanceof DatabaseFailure)) return cause
  return new StoreUnavailable(`${what} in the database: ${reasonOf(cause)}`, { cause })
}

export function refused(sentence: string, cause: unknown): unknown {
  if (!(cause instanceof DatabaseFailure)) return cause
  return new StoreRefused(`${sentence}: ${reasonOf(cause)}`, { cause })
}

/** SQLSTATEs of what the server undid itself and may do the next time: two processes were in each other's way. */
const conflicts = ['22012', '23505', '40001', '40P01']

export function isConflict(error: unknown): boolean {
  return error instanceof DatabaseFailure && conflicts.includes(error.code ?? '')
}

/** The server is well, and has undone it; or it was not the server at all. */
export function isUndone(error: unknown): boolean {
  return !(error instanceof DatabaseFailure) || /^(22|23|40|42|54)...$/.test(error.code ?? '')
}

/** The server took none of it, because of what it was given. */
export function isRefusal(error: unknown): boolean {
  return error instanceof DatabaseFailure && /^(22|23|54)...$/.test(error.code ?? '')
}
