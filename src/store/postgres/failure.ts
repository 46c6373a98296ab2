import { DatabaseFailure } from '../sql/failure.ts'

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

/** SQLSTATEs of what the server undid itself and may do the next time: two processes were in each other's way. */
const conflicts = ['22012', '23505', '40001', '40P01']

/** What node-postgres rejects with: SQLSTATE or the operating system's code. */
export function failureOf(cause: unknown): DatabaseFailure {
  const code =
    cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  const message = cause instanceof Error ? cause.message : String(cause)
  return new DatabaseFailure(reasonOf(code, message), kindOf(code ?? ''), {
    cause,
    place: ' in the database',
  })
}

function reasonOf(code: string | undefined, message: string): string {
  if (code !== undefined) return reasons[code] === undefined ? code : `${reasons[code]} (${code})`
  if (/timeout/i.test(message)) return 'it does not answer'
  if (/connection|client/i.test(message)) return 'the connection broke'
  if (/certificate|SSL|TLS/i.test(message)) return `its certificate or TLS is not right: ${message}`
  return 'an unexpected error'
}

/** `refusal`: the server accepted none of it, because of what it was given. */
function kindOf(code: string): DatabaseFailure['kind'] {
  if (conflicts.includes(code)) return 'conflict'
  if (/^(22|23|54)...$/.test(code)) return 'refusal'
  return /^(40|42)...$/.test(code) ? 'undone' : 'unknown'
}
