import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sign, unsign } from 'cookie-signature'
import * as z from 'zod'
import { dayMs, hourMs } from '../../platform/durations.ts'

/** What a cookie says: signed, so that nobody else can write one. It holds no secret. */
const Session = z.object({
  id: z.string(),
  /** Null if nobody has signed in: then it only ties a form to a browser. */
  user: z.string().nullable(),
  /** Of the password's hash, or of the provider: a session ends with what it was begun with. */
  mark: z.string(),
  /** Of who was signed in by a provider: what of theirs has a role. */
  fits: z.array(z.string()).exactOptional(),
  /** As that provider knows them. */
  sub: z.string().exactOptional(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})
export type Session = z.infer<typeof Session>

/** A working week: nobody has to sign in each morning. */
const sessionMs = 7 * dayMs

export function newSession(
  user: string | null,
  mark: string,
  now: number,
  { ms = sessionMs, ...provided }: { fits?: string[]; sub?: string; ms?: number } = {},
): Session {
  const id = randomBytes(18).toString('base64url')
  return { id, user, mark, until: now + ms, ...provided }
}

/** Of a session that the one-time key has begun: it may make the first account, and nothing else. */
const setupMark = 'set-up'
const setupMs = hourMs

export function newSetupSession(now: number): Session {
  return newSession(null, setupMark, now, { ms: setupMs })
}

export function isOfSetup({ mark, user }: Session): boolean {
  return user === null && mark === setupMark
}

export function markOf(passwordHash: string): string {
  return createHash('sha256').update(passwordHash).digest('base64url').slice(0, 16)
}

export function cookieOf(value: object, key: string): string {
  return sign(Buffer.from(JSON.stringify(value)).toString('base64url'), key)
}

/** Undefined if this key did not sign it, or another version wrote it otherwise. */
export function cookieValue<T>(schema: z.ZodType<T>, cookie: string, key: string): T | undefined {
  const text = unsign(cookie, key)
  if (text === false) return undefined
  return schema.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString())).data
}

/** Undefined if this key did not sign it, its time is over, or another version wrote it otherwise. */
export function sessionFrom(cookie: string | undefined, key: string, now: number): Session | undefined {
  if (cookie === undefined || cookie.length > 1_500) return undefined
  const session = cookieValue(Session, cookie, key)
  return session !== undefined && session.until > now && session.until <= now + sessionMs
    ? session
    : undefined
}

/** What each form holds, and nobody else can know: it belongs to the session that it was shown to. */
export function formToken({ id }: Pick<Session, 'id'>, key: string): string {
  return createHmac('sha256', key).update(`form ${id}`).digest('base64url')
}

/** In constant time. */
export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}
