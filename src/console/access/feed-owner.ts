import { type Console, hasSignIn } from '../../config/console.ts'
import type { FeedOwner, LastVisit } from '../../people/converse/own-feeds.ts'
import { dayMs } from '../../platform/durations.ts'
import { markOfOidc, roleFrom, type SignedInPerson } from './oidc/roles.ts'
import type { Visitor } from './who.ts'

export function ownerOf({ name, hasSignedIn, session }: Visitor, console: Console): FeedOwner {
  if (!hasSignIn(console)) return { by: 'machine', name }
  if (!hasSignedIn) return { by: 'proxy', name }
  const { fits, sub = '', mark } = session
  return fits === undefined ? { by: 'password', name } : { by: 'oidc', name, mark, sub }
}

export function ownerFromProvider({ name, sub }: SignedInPerson, mark: string): FeedOwner {
  return { by: 'oidc', name, mark, sub }
}

/**
 * A provider or a proxy does not say who has left. If somebody was not here for so long, their feeds rest until they come.
 */
const awayMs = 30 * dayMs

/**
 * Whether a feed may be read, by the configuration in force. `gone`: its owner has no account or no role any more. `away`: they
 * were not here for a month, and might be gone.
 */
export function standingOf(
  owner: FeedOwner,
  { console, visit, now }: { console: Console; visit: LastVisit | undefined; now: number },
): 'here' | 'away' | 'gone' {
  const isAway = visit === undefined || now - Date.parse(visit.at) > awayMs
  const { users = [], proxy, oidc } = console
  switch (owner.by) {
    case 'machine':
      return hasSignIn(console) ? 'gone' : 'here'
    case 'password':
      return users.some(({ name }) => name === owner.name) ? 'here' : 'gone'
    case 'proxy': {
      const hasRole =
        proxy !== undefined && (Object.hasOwn(proxy.roles, owner.name) || proxy.roles['*'] !== undefined)
      if (!hasRole) return 'gone'
      return isAway ? 'away' : 'here'
    }
    case 'oidc': {
      if (oidc === undefined || markOfOidc(oidc) !== owner.mark) return 'gone'
      if (visit !== undefined && roleFrom(visit.fits, oidc) === undefined) return 'gone'
      return isAway ? 'away' : 'here'
    }
  }
}
