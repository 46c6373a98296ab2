import { parseCookie } from 'cookie'
import type { CookieOptions, Request, Response } from 'express'
import type { Console } from '../config/console.ts'
import { addressOf, isSameOrigin } from './access/origin.ts'
import { cookieOf, formToken, isFormToken, type Session } from './access/session.ts'
import type { ConsoleSessions } from './access/sessions.ts'
import { type VisitorOrRefusal, whoIs } from './access/who.ts'
import type { Asset } from './assets.ts'
import { type ConsolePage, documentOf } from './layout.ts'
import type { LivePages } from './live.ts'
import type { ConsoleReply } from './reply.ts'

const cookieName = 'bluepencil_console'

/** A try to sign in. `why` and `codes`: what it failed for, free of secrets. */
export interface SignInTry {
  name?: string
  isIn: boolean
  why?: string
  codes?: string | undefined
}

export interface ConsoleRequestParts {
  base: string
  book: ConsoleSessions
  console(): Console
  /** The networks of the proxies in front. */
  trustProxy: readonly string[]
  assets: { style: Asset; script: Asset }
  live: Pick<LivePages, 'asOf'>
  onSignIn(tried: SignInTry): void
  now(): number
}

/** One request: who it is from, and how it is answered. */
export interface ConsoleRequest {
  who: VisitorOrRefusal
  /** Whether they may still look, some time later. */
  mayStay(): Promise<boolean>
  session: Session
  /** For the forms of the page. */
  token: string
  /** Of who asks, as the proxies say it that are trusted; undefined where a proxy may stand between that is not named. */
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

export function cookieFrom(
  { headers }: Pick<Request, 'headers'>,
  name: string = cookieName,
): string | undefined {
  return parseCookie(headers.cookie ?? '')[name]
}

export async function visitOf(
  request: Request,
  response: Response,
  parts: ConsoleRequestParts,
): Promise<ConsoleRequest> {
  const { base, book, assets, now } = parts
  // Before anything is read for the page.
  const asOf = parts.live.asOf()
  const console = parts.console()
  const key = await book.key()
  const came = { address: request.socket.remoteAddress ?? '', headers: request.headers }
  const cookie = cookieFrom(request)
  const find = () => whoIs({ ...came, cookie }, { console: parts.console(), book, now: now() })
  const who = await find()
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
    // In whole seconds, of which Express would cut off what has passed since it was made.
    const maxAge = Math.ceil((begun.until - now()) / 1_000) * 1_000
    response.cookie(cookieName, cookieOf(begun, key), { ...options, maxAge })
  }
  if (isNew) begin(session)

  function answerPage(page: ConsolePage): void {
    const visitor = 'role' in who ? who : undefined
    const names = { style: assets.style.name, script: assets.script.name }
    const path = request.path === '' ? '/' : request.path
    const done = typeof request.query.done === 'string' ? request.query.done : undefined
    const document = documentOf(page, { base, path, assets: names, visitor, token, asOf, done })
    response
      .status(page.status ?? 200)
      .set('Cache-Control', 'no-store')
      .type('html')
      .send(document.toString())
  }

  return {
    who,
    mayStay: async () => 'role' in (await find()),
    session,
    token,
    address: addressOf(came, [...parts.trustProxy, ...(console.proxy?.from ?? [])]),
    isOurForm: ({ token: given }) =>
      token !== '' &&
      isSameOrigin(came, console.publicUrl) &&
      typeof given === 'string' &&
      isFormToken(given, session, key),
    begin,
    cookies: options,
    forget: () => void response.clearCookie(cookieName, options),
    answer(reply) {
      if ('page' in reply) return answerPage(reply.page)
      if ('file' in reply) {
        const { name, json } = reply.file
        return void response.set('Cache-Control', 'no-store').attachment(name).send(json)
      }
      if ('to' in reply) return response.redirect(303, `${base}${reply.to}`)
      response.set('Cache-Control', 'private, max-age=60').type('image/svg+xml').send(reply.image)
    },
  }
}
