import type { IRouter, Request } from 'express'
import { isLoopback } from '../platform/outbound/loopback.ts'
import type { WhyNot } from './access/oidc/failure.ts'
import { underWayMs } from './access/oidc/pending-sign-in.ts'
import { limitsOf } from './access/sign-in.ts'
import { callbackPath, rootAddress } from './addresses.ts'
import type { ApplicationParts } from './application.ts'
import { notFound, problemPage } from './reply.ts'
import { type ConsoleRequest, cookieFrom, visitOf } from './request.ts'

const cookieName = 'bluepencil_sign_in'
const way = '/sign-in/oidc'

const sentences: Record<WhyNot, { text: string; status: number }> = {
  cancelled: { text: 'You cancelled the sign-in, or the provider did not allow it.', status: 401 },
  'not-begun': {
    text: 'This sign-in was not begun in this browser, or longer ago than a quarter of an hour. Please begin again.',
    status: 400,
  },
  used: { text: 'This sign-in was used before. Please begin again.', status: 400 },
  'no-role': {
    text: 'The provider knows you, and you have no role here. Ask who runs this console.',
    status: 403,
  },
  wait: { text: 'Too many tries have failed. Wait 15 min.', status: 429 },
  busy: { text: 'Too many people are signing in just now. Please try again in a minute.', status: 503 },
  away: {
    text: 'The provider cannot be reached, or does not answer in time. Please try again.',
    status: 503,
  },
  clock: {
    text: 'The sign-in was over when it came: the clock of this machine and that of the provider differ. Ask who runs this console.',
    status: 502,
  },
  client: {
    text: 'The provider does not accept this console (console.oidc.clientId and clientSecret). Ask who runs it.',
    status: 502,
  },
  unverified: {
    text: 'What came from the provider is not for this sign-in, or not signed by it. Nobody was signed in.',
    status: 401,
  },
  unfit: { text: 'The provider’s answer cannot be used. The log says more.', status: 502 },
  'no-address': {
    text: 'This console does not know its own address, to which the provider sends you back. Write console.publicUrl.',
    status: 500,
  },
}

/** What is said on the page to sign in. An address names it by its code alone, so that nobody can put words into a page. */
export function whyNotOf(code: unknown): { text: string; status: number } | undefined {
  return typeof code === 'string' && Object.hasOwn(sentences, code) ? sentences[code as WhyNot] : undefined
}

/** Adds the way to the provider, and the way back. Nothing of it is loaded before somebody takes it. */
export function addOidc(routes: IRouter, parts: ApplicationParts, placeFrom: (to: unknown) => string): void {
  const { base, book, console, now } = parts
  const loading = once(async () => {
    const [{ createOidcSignIn }, { NotSignedIn }] = await Promise.all([
      import('./access/oidc/oidc.ts'),
      import('./access/oidc/failure.ts'),
    ])
    return { ...createOidcSignIn({ book, now }), NotSignedIn }
  })

  /** Undefined where the host that was asked for may be anybody’s. */
  function redirectUri(request: Request): string | undefined {
    const isKnown = console().publicUrl !== undefined || isLoopback(hostOf(request))
    return isKnown ? `${rootAddress(request, parts)}${callbackPath}` : undefined
  }

  function failed(visit: ConsoleRequest, to: string, why: string): void {
    visit.answer({ to: `/sign-in?why=${why}&to=${encodeURIComponent(to)}` })
  }

  routes.get(way, async (request, response) => {
    const visit = await visitOf(request, response, parts)
    const to = placeFrom(request.query.to)
    const { oidc } = console()
    if ('refused' in visit.who) return visit.answer(refusedPage(visit.who.refused))
    if (oidc === undefined) return visit.answer(notFound('There is nothing at this address.'))
    if ('role' in visit.who) return visit.answer({ to })
    const uri = redirectUri(request)
    if (uri === undefined) return failed(visit, to, 'no-address')
    const { begin, NotSignedIn } = await loading()
    try {
      const { address, cookie } = await begin(oidc, { to, redirectUri: uri })
      response.cookie(cookieName, cookie, { ...visit.cookies, path: `${base}${way}`, maxAge: underWayMs })
      response.set('Cache-Control', 'no-store').redirect(303, address)
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error
      parts.onSignIn({ isIn: false, why: error.why, codes: error.codes })
      failed(visit, to, error.why)
    }
  })

  routes.get(callbackPath, async (request, response) => {
    const visit = await visitOf(request, response, parts)
    const { oidc } = console()
    if ('refused' in visit.who) return visit.answer(refusedPage(visit.who.refused))
    if (oidc === undefined) return visit.answer(notFound('There is nothing at this address.'))
    // Somebody went back in their browser, or has a second window.
    if ('role' in visit.who) return visit.answer({ to: '/' })
    const uri = redirectUri(request)
    if (uri === undefined) return failed(visit, '/', 'no-address')
    const { finish, NotSignedIn } = await loading()
    const parameters = new URL(request.originalUrl, 'http://console').searchParams
    const cookie = cookieFrom(request, cookieName)
    const limits = limitsOf(visit.address)
    try {
      const { session, name, to } = await finish(oidc, { cookie, parameters, redirectUri: uri, limits })
      parts.onSignIn({ name, isIn: true })
      response.clearCookie(cookieName, { ...visit.cookies, path: `${base}${way}` })
      visit.begin(session)
      visit.answer({ to: placeFrom(to) })
    } catch (error) {
      if (!(error instanceof NotSignedIn)) throw error
      const { why, codes, who: name } = error
      parts.onSignIn({ isIn: false, why, codes, ...(name !== undefined && { name }) })
      failed(visit, '/', why)
    }
  })
}

function refusedPage(why: string) {
  return { page: problemPage(403, 'This is not open to you', why) }
}

function hostOf({ headers }: Pick<Request, 'headers'>): string {
  return (headers.host ?? '').replace(/:\d+$/, '')
}

function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loaded: Promise<Loaded> | undefined
  return () => {
    loaded ??= load()
    return loaded
  }
}
