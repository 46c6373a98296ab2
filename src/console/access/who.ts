import { type Console, hasSignIn, isLockedOut } from '../../config/console.ts'
import type { Role } from '../../config/values.ts'
import { plain } from '../../platform/text.ts'
import { markOfOidc, roleFrom } from './oidc/roles.ts'
import { isFromHere, isTrustedProxy, type RequestOrigin } from './origin.ts'
import { markOf, newSession, type Session, sessionFrom } from './session.ts'
import type { ConsoleSessions } from './sessions.ts'

/** Somebody who may look at the console. */
export interface Visitor {
  /** As it is put down with what they do. */
  name: string
  role: Role
  session: Session
  /** The cookie that they came with does not say so yet. */
  isNew: boolean
  /** Here, with a password or at a provider, and so they can sign out. */
  hasSignedIn: boolean
}

export type VisitorOrRefusal =
  | Visitor
  /** They must sign in first, or set Bluepencil up. */
  | { asks: 'sign-in' | 'set-up'; session: Session; isNew: boolean }
  /** Why they may not; 503: nobody may now. */
  | { refused: string; status: 403 | 503 }

const roles: readonly Role[] = ['reader', 'editor', 'admin']

export function may({ role }: Pick<Visitor, 'role'>, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

const notHere =
  'This console has no sign-in, so it only answers on this machine, as localhost or 127.0.0.1. To use it from elsewhere, set console.users, console.oidc or console.proxy.'

const lockedOut = 'The accounts of this console cannot be read right now. The log shows why.'

/** Who asks, by the configuration in force: a role that was taken away is gone at once. */
export async function whoIs(
  came: RequestOrigin & { cookie: string | undefined },
  {
    console,
    sessions,
    now,
    isSetUp,
    whyLockedOut,
  }: {
    console: Console
    sessions: ConsoleSessions
    now: number
    isSetUp: boolean
    whyLockedOut: string | undefined
  },
): Promise<VisitorOrRefusal> {
  const current = await currentSession(came.cookie, sessions, now)
  const isNew = current === undefined
  const session = current ?? newSession(null, '', now)
  const { users, proxy, oidc } = console
  if (isLockedOut(console)) return { refused: whyLockedOut ?? lockedOut, status: 503 }
  if (!isSetUp) return { asks: 'set-up', session, isNew }
  if (!hasSignIn(console)) {
    if (!isFromHere(came)) return { refused: notHere, status: 403 }
    return { name: 'this machine', role: 'admin', session, isNew, hasSignedIn: false }
  }
  if (proxy !== undefined && isTrustedProxy(came, proxy.from)) {
    const name = came.headers[proxy.header.toLowerCase()]
    if (typeof name === 'string' && name !== '') {
      const role = Object.hasOwn(proxy.roles, name) ? proxy.roles[name] : proxy.roles['*']
      if (role === undefined)
        return { refused: `${plain(name)} has no role here (console.proxy.roles).`, status: 403 }
      return { name: plain(name, 100), role, session, isNew, hasSignedIn: false }
    }
  }
  if (users === undefined && oidc === undefined)
    return { refused: 'Use the address of the proxy that signs people in (console.proxy).', status: 403 }
  const signedIn = bySession(session, console)
  if (signedIn === undefined) return { asks: 'sign-in', session, isNew }
  return { ...signedIn, session, isNew, hasSignedIn: true }
}

/** Who began this session, and what they may by now. */
function bySession(
  { user, mark, fits }: Session,
  { users = [], oidc }: Console,
): Pick<Visitor, 'name' | 'role'> | undefined {
  if (user === null) return undefined
  if (fits === undefined) {
    const account = users.find(({ name, password }) => name === user && markOf(password) === mark)
    return account && { name: account.name, role: account.role }
  }
  const role = oidc !== undefined && markOfOidc(oidc) === mark ? roleFrom(fits, oidc) : undefined
  return role && { name: user, role }
}

async function currentSession(
  cookie: string | undefined,
  sessions: ConsoleSessions,
  now: number,
): Promise<Session | undefined> {
  const session = sessionFrom(cookie, await sessions.key(), now)
  return session === undefined || (await sessions.isEnded(session.id)) ? undefined : session
}
