import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sign, unsign } from 'cookie-signature'
import * as z from 'zod'
import { minuteMs } from '../../../platform/durations.ts'

/**
 * A sign-in between the way to the provider and the way back: in a signed cookie of the browser that began it, so that any
 * process may finish it. What must not be guessed is made of its id and the console's key, and is not in the cookie.
 */
const PendingSignIn = z.object({
  id: z.string(),
  /** Of the provider and the client that it was begun with. */
  mark: z.string(),
  /** Where in the console they wanted to go. */
  to: z.string(),
  /** Milliseconds since the epoch. */
  until: z.number(),
})
export type PendingSignIn = z.infer<typeof PendingSignIn>

/** Enough for a password that has to be looked up, and a second factor. */
export const underWayMs = 15 * minuteMs

export function newUnderWay(mark: string, to: string, now: number): PendingSignIn {
  return { id: randomBytes(18).toString('base64url'), mark, to, until: now + underWayMs }
}

export function cookieOfUnderWay(underWay: PendingSignIn, key: string): string {
  return sign(Buffer.from(JSON.stringify(underWay)).toString('base64url'), purposeOf(key))
}

/** Undefined where this key did not sign it for this, its time is over, or another version wrote it otherwise. */
export function underWayFrom(
  cookie: string | undefined,
  key: string,
  now: number,
): PendingSignIn | undefined {
  if (cookie === undefined || cookie.length > 2_000) return undefined
  const text = unsign(cookie, purposeOf(key))
  if (text === false) return undefined
  const { data: underWay } = PendingSignIn.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  if (underWay === undefined) return undefined
  return underWay.until > now && underWay.until <= now + underWayMs ? underWay : undefined
}

/** What goes to the provider and comes back; the verifier of PKCE goes there by our own hand alone. 43 characters each. */
export function secretsOf({ id }: Pick<PendingSignIn, 'id'>, key: string) {
  const made = (what: string) => createHmac('sha256', key).update(`oidc ${what} ${id}`).digest('base64url')
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') }
}

export function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)]
  return first.length === second.length && timingSafeEqual(first, second)
}

/** A cookie for one purpose is no cookie for another. */
function purposeOf(key: string): string {
  return createHmac('sha256', key).update('oidc under way').digest('base64url')
}
