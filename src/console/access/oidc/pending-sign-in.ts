import { createHmac, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { minuteMs } from '../../../platform/durations.ts'
import { cookieOf, cookieValue } from '../session.ts'

/** Where an OpenID provider sends people back to, below the console's address: it is registered there. */
export const callbackPath = '/sign-in/oidc/callback'

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
export const pendingMs = 15 * minuteMs

export function newPendingSignIn(mark: string, to: string, now: number): PendingSignIn {
  return { id: randomBytes(18).toString('base64url'), mark, to, until: now + pendingMs }
}

export function cookieOfPending(pending: PendingSignIn, key: string): string {
  return cookieOf(pending, purposeOf(key))
}

/** Undefined if this key did not sign it for this, its time is over, or another version wrote it otherwise. */
export function pendingFrom(cookie: string | undefined, key: string, now: number): PendingSignIn | undefined {
  if (cookie === undefined || cookie.length > 2_000) return undefined
  const pending = cookieValue(PendingSignIn, cookie, purposeOf(key))
  return pending !== undefined && pending.until > now && pending.until <= now + pendingMs
    ? pending
    : undefined
}

/** What goes to the provider and comes back; the verifier of PKCE goes there by our own hand alone. 43 characters each. */
export function secretsOf({ id }: Pick<PendingSignIn, 'id'>, key: string) {
  const made = (what: string) => createHmac('sha256', key).update(`oidc ${what} ${id}`).digest('base64url')
  return { state: made('state'), nonce: made('nonce'), verifier: made('verifier') }
}

/** A cookie for one purpose is no cookie for another. */
function purposeOf(key: string): string {
  return createHmac('sha256', key).update('oidc under way').digest('base64url')
}
