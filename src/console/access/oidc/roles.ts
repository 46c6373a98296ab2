import type { Oidc } from '../../../config/oidc.ts'
import type { Role } from '../../../config/values.ts'
import { hourMs } from '../../../platform/durations.ts'
import { plain } from '../../../platform/text.ts'
import { markOf } from '../session.ts'

export type Claims = Readonly<Record<string, unknown>>

/** Somebody whom a provider has signed in. */
export interface SignedInPerson {
  /** As it is put down with what they do; one that anyone may choose is marked (OpenID Connect Core 1.0, 5.7). */
  name: string
  /** As the provider knows them, for good. */
  sub: string
  /** Marks of the groups and addresses of theirs that have a role: with the configuration in force they say which. */
  fits: string[]
}

/** A working day: who left the desk, or has another role there by now, is asked for again after it. */
export const oidcSessionMs = 12 * hourMs

/** A session ends with the provider or the client that it was begun with. */
export function markOfOidc({ issuer, clientId }: Oidc): string {
  return markOf(JSON.stringify(['oidc', issuer, clientId]))
}

const ranks: readonly Role[] = ['reader', 'editor', 'admin']
/** A cookie has a largest size; those with the highest roles are kept. */
const mostFits = 12

/** By the claims of a person. An e-mail address counts only if the provider has verified it: else anyone may write any. */
export function personFrom(claims: Claims, oidc: Oidc): SignedInPerson {
  const email = verifiedEmail(claims)
  const groups = groupsFrom(claims, oidc.groupsClaim)
  const domain = email?.slice(email.lastIndexOf('@'))
  const matches = keysOf(oidc).filter(
    ({ kind, key }) =>
      (kind === 'group' && groups.includes(key)) || (kind === 'email' && [email, domain].includes(key)),
  )
  const sub = typeof claims.sub === 'string' ? plain(claims.sub, 255) : ''
  const name = email === undefined ? (chosenName(claims) ?? plain(sub, 100)) : plain(email, 100)
  return { name, sub, fits: matches.slice(0, mostFits).map(({ mark }) => mark) }
}

function chosenName({ preferred_username: username, name }: Claims): string | undefined {
  const [chosen] = [username, name].flatMap((one) => (typeof one === 'string' ? plain(one, 85) || [] : []))
  return chosen && `${chosen} (unverified)`
}

/** By the configuration in force: what was taken away there is gone at once. */
export function roleFrom(fits: readonly string[], oidc: Oidc): Role | undefined {
  return keysOf(oidc).find(({ mark }) => fits.includes(mark) || mark === 'anyone')?.role
}

/** All that has a role, the highest first. */
function keysOf({ roles: { groups, emails, anyone } }: Oidc) {
  const keys = (kind: 'group' | 'email', of: Record<string, Role>) =>
    Object.entries(of).map(([key, role]) => ({ kind, key, role, mark: markOf(`${kind} ${key}`) }))
  const everybody =
    anyone === undefined ? [] : [{ kind: 'anyone', key: '', role: anyone, mark: 'anyone' } as const]
  return [...keys('group', groups), ...keys('email', emails), ...everybody].toSorted(
    (one, other) => ranks.indexOf(other.role) - ranks.indexOf(one.role),
  )
}

function verifiedEmail({ email, email_verified: isVerified }: Claims): string | undefined {
  // Some write it as text (Amazon Cognito).
  if (isVerified !== true && isVerified !== 'true') return undefined
  return typeof email === 'string' && email.includes('@') ? email.toLowerCase() : undefined
}

/** A list, or one group alone. The claim may lie deeper (`realm_access.roles`), or have dots in its name (an address). */
export function groupsFrom(claims: Claims, claim: string): string[] {
  const groups = Object.hasOwn(claims, claim) ? claims[claim] : deeper(claims, claim.split('.'))
  return [groups].flat().filter((one) => typeof one === 'string')
}

function deeper(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return deeper(Object.entries(value).find(([one]) => one === name)?.[1], rest)
}
