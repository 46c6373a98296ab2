import { parseCookie } from 'cookie'
import type { CookieOptions, Request, Response } from 'express'
import type { Console } from '../config/console.ts'
import { isSetUp } from '../config/derived.ts'
import { ownerOf } from './access/feed-owner.ts'
import type { createOidcSignIn } from './access/oidc/oidc.ts'
import { addressOf, isSameOrigin } from './access/origin.ts'
import { cookieOf, formToken, isSame, type Session } from './access/session.ts'
import type { ConsoleSessions } from './access/sessions.ts'
import type { createSignIn } from './access/sign-in.ts'
import { type VisitorOrRefusal, whoIs } from './access/who.ts'
import type { createDrafts } from './drafts.ts'
import { documentOf } from './layout.ts'
import type { LivePages } from './live.ts'
import type { ConsoleParts } from './parts.ts'
import type { ConsoleReply } from './reply.ts'

const sessionCookie = 'bluepencil_console'

/** A try to sign in. `why` and `codes`: what it failed for, free of secrets. */
interface SignInTry {
  name?: string
  isIn: boolean
  why?: string
  codes?: string | undefined
}

/** What every answer of the console is made with. */
export interface ConsoleServices {
  /** The path below which everything stands, such as `/console`. */
  base: string
  /** As it is in force: who may. */
  console(): Console
  /** The networks of the proxies in front. */
  trustProxy: readonly string[]
  /** It shares the listener of deliveries: only what the proxies in front pass on is answered. */
  isBehindProxy: boolean
  sessions: ConsoleSessions
  signIn: ReturnType<typeof createSignIn>
  /** Nothing of it is loaded before somebody signs in at a provider. */
  oidc(): Promise<ReturnType<typeof createOidcSignIn>>
  onSignIn(tried: SignInTry): void
  live: LivePages
  drafts: ReturnType<typeof createDrafts>
  shown: ConsoleParts
}

/** One exchange of HTTP. */
export interface Exchange {
  request: Request
  response: Response
  services: ConsoleServices
}

/** One request: who it is from, and how it is answered. */
export interface Visit {
  who: VisitorOrRefusal
  /** Whether they may still look, some time later. */
  mayStay(): Promise<boolean>
  session: Session
  /** For the forms of the page. */
  token: string
  /** The visitor's address, as trusted proxies give it; undefined if an unnamed proxy may stand between. */
  address: string | undefined
  /** Whether a form comes from a page that was shown to this very session. */
  isOurForm(fields: Record<string, unknown>): boolean
  /** From now on the browser has this session. */
  begin(session: Session): void
  forget(): void
  /** What our cookies are set with. */
  cookies: CookieOptions
  answer(reply: ConsoleReply): void
}

export function cookieFrom({ headers }: Pick<Request, 'headers'>, name = sessionCookie): string | undefined {
  return parseCookie(headers.cookie ?? '')[name]
}

/** The console's own address, for programs and mails: as it is configured, else as this request has it. */
export function rootAddress(
  { headers }: Pick<Request, 'headers'>,
  { base, console }: Pick<ConsoleServices, 'base' | 'console'>,
): string {
  const { publicUrl } = console()
  const origin = publicUrl === undefined ? `http://${headers.host ?? 'localhost'}` : new URL(publicUrl).origin
  return `${origin}${base}`
}

/** Who asks, and whether they may look. */
export function whoAsks(
  request: Request,
  { console, sessions, shown }: Pick<ConsoleServices, 'console' | 'sessions' | 'shown'>,
): Promise<VisitorOrRefusal> {
  const came = { ...originOf(request), cookie: cookieFrom(request) }
  return whoIs(came, {
    console: console(),
    sessions,
    now: shown.clock.now(),
    isSetUp: isSetUp(shown.config()),
    whyLockedOut: shown.configEditing.lockedOut(),
  })
}

function originOf({ socket, headers }: Request) {
  return { address: socket.remoteAddress ?? '', headers }
}

export async function visitOf(
  request: Request,
  response: Response,
  services: ConsoleServices,
): Promise<Visit> {
  const { base, sessions, shown } = services
  // Before anything is read for the page.
  const asOf = services.live.asOf()
  const console = services.console()
  const key = await sessions.key()
  const came = originOf(request)
  const who = await whoAsks(request, services)
  const anonymous: Session = { id: '', user: null, mark: '', until: 0 }
  const { session, isNew } = 'refused' in who ? { session: anonymous, isNew: false } : who
  const options = {
    httpOnly: true,
    // A link in a chat leads to the page, and not to the sign-in; forms from elsewhere come without it.
    sameSite: 'lax',
    secure: console.publicUrl?.startsWith('https:') === true,
    path: base,
  } as const
  const token = 'refused' in who ? '' : formToken(session, key)
  const begin = (begun: Session) => {
    // In whole seconds: Express would cut off what has passed since it was made.
    const maxAge = Math.ceil((begun.until - shown.clock.now()) / 1_000) * 1_000
    response.cookie(sessionCookie, cookieOf(begun, key), { ...options, maxAge })
  }
  if (isNew) begin(session)
  if ('role' in who) shown.feeds.noteVisit(ownerOf(who, console), session.fits)

  return {
    who,
    mayStay: async () => 'role' in (await whoAsks(request, services)),
    session,
    token,
    address: addressOf(came, [...services.trustProxy, ...(console.proxy?.from ?? [])]),
    isOurForm: (fields) =>
      token !== '' &&
      isSameOrigin(came, console.publicUrl) &&
      typeof fields.token === 'string' &&
      isSame(fields.token, token),
    begin,
    cookies: options,
    forget: () => void response.clearCookie(sessionCookie, options),
    answer(reply) {
      if ('to' in reply) return response.redirect(303, `${base}${reply.to}`)
      if ('away' in reply) return response.redirect(303, reply.away)
      if ('image' in reply) {
        response.set('Cache-Control', 'private, max-age=60').type('image/svg+xml').send(reply.image)
      } else if ('file' in reply) {
        const { name, type, content } = reply.file
        response.set('Cache-Control', 'no-store').attachment(name).type(type)
        response.send(typeof content === 'string' ? content : Buffer.from(content))
      } else {
        const { page } = reply
        const visitor = 'role' in who ? who : undefined
        const path = request.path === '' ? '/' : request.path
        const done = typeof request.query.done === 'string' ? request.query.done : undefined
        const document = documentOf(page, { base, path, visitor, token, asOf, done })
        response
          .status(page.status ?? 200)
          .set('Cache-Control', 'no-store')
          .type('html')
          .send(document.toString())
      }
    },
  }
}
