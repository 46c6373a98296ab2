import type { Console, Role } from '../../config/console.ts'
import { plain } from '../../text/plain.ts'
import type { ConsoleBook } from './book.ts'
import { type Came, isFromHere, isTrustedProxy } from './origin.ts'
import { markOf, newSession, type Session, sessionFrom } from './session.ts'

/** Somebody who may look at the console. */
export interface Visitor {
  /** As it is put down with what they do. */
  name: string
  role: Role
  session: Session
  /** The cookie that they came with does not say so yet. */
  isNew: boolean
  /** With a password, and so they can sign out. */
  hasSignedIn: boolean
}

export type Who =
  | Visitor
  /** They must sign in first. */
  | { asks: 'sign-in'; session: Session; isNew: boolean }
  /** Why they may not. */
  | { refused: string }

const roles: readonly Role[] = ['reader', 'editor', 'admin']

export function may({ role }: Pick<Visitor, 'role'>, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed)
}

const notHere =
  'Nobody has to sign in here, so this console answers only at this machine, as localhost or 127.0.0.1. Write console.users or console.proxy to use it from elsewhere.'

/** Who asks, by the configuration in force: a role that was taken away is gone at once. */
export async function whoIs(
  came: Came & { cookie: string | undefined },
  { console, book, now }: { console: Console; book: ConsoleBook; now: number },
): Promise<Who> {
  const known = await knownSession(came.cookie, book, now)
  const isNew = known === undefined
  const session = known ?? newSession(null, '', now)
  const { users, proxy } = console
  if (users === undefined && proxy === undefined) {
    if (!isFromHere(came)) return { refused: notHere }
    return { name: 'this machine', role: 'admin', session, isNew, hasSignedIn: false }
  }
  if (proxy !== undefined && isTrustedProxy(came, proxy)) {
    const name = came.headers[proxy.header.toLowerCase()]
    if (typeof name === 'string' && name !== '') {
      const role = Object.hasOwn(proxy.roles, name) ? proxy.roles[name] : proxy.roles['*']
      if (role === undefined) return { refused: `${plain(name)} has no role here (console.proxy.roles).` }
      return { name: plain(name, 100), role, session, isNew, hasSignedIn: false }
    }
  }
  if (users === undefined) return { refused: 'Come through the proxy that signs people in (console.proxy).' }
  const user = users.find(({ name, password }) => name === session.user && markOf(password) === session.mark)
  if (user === undefined) return { asks: 'sign-in', session, isNew }
  return { name: user.name, role: user.role, session, isNew, hasSignedIn: true }
}

async function knownSession(
  cookie: string | undefined,
  book: ConsoleBook,
  now: number,
): Promise<Session | undefined> {
  const session = sessionFrom(cookie, await book.key(), now)
  return session === undefined || (await book.isEnded(session.id)) ? undefined : session
}
