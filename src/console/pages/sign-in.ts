import type { Request } from 'express'
import * as z from 'zod'
import { isLoopback } from '../../platform/outbound/address.ts'
import { callbackPath, pendingMs } from '../access/oidc/pending-sign-in.ts'
import type { WhyNot } from '../access/oidc/provider.ts'
import { limitsOf } from '../access/sign-in.ts'
import { type Html, html } from '../html.ts'
import { type ConsoleReply, notFound, type PageContext, refusedPage } from '../reply.ts'
import { type ConsoleServices, cookieFrom, type Exchange, rootAddress, type Visit } from '../request.ts'

interface SignInProblem {
  text: string
  status: number
}

const Fields = z
  .object({
    name: z.string().trim().max(100).catch(''),
    password: z.string().max(1_000).catch(''),
    to: z.string().optional().catch(undefined),
  })
  .catch({ name: '', password: '', to: undefined })
const AllFields = z.record(z.string(), z.unknown()).catch({})

export async function showSignIn(visit: Visit, { request, services }: Exchange): Promise<void> {
  const { who } = visit
  if ('refused' in who) return visit.answer(refusedPage(who))
  if ('role' in who) return visit.answer({ to: '/' })
  if (who.asks === 'set-up') return visit.answer({ to: '/setup' })
  const { why, to } = request.query
  const problem =
    typeof why === 'string' && Object.hasOwn(problems, why) ? problems[why as WhyNot] : undefined
  visit.answer(signInPage(visit, services, { to, problem }))
}

export async function signIn(visit: Visit, { request, response, services }: Exchange): Promise<void> {
  if ('refused' in visit.who) return visit.answer(refusedPage(visit.who))
  const { name, password, to } = Fields.parse(request.body)
  const show = (text: string, status: number) =>
    visit.answer(signInPage(visit, services, { to, problem: { text, status } }))
  if (!visit.isOurForm(AllFields.parse(request.body))) {
    return show('This page was open for too long. Please try again.', 403)
  }
  const { address } = visit
  const signedIn = await services.signIn(services.console(), { name, password, address })
  if (signedIn.result === 'wait') {
    response.set('Retry-After', String(signedIn.seconds))
    return show(`Too many tries have failed. Wait ${Math.ceil(signedIn.seconds / 60)} min.`, 429)
  }
  if (signedIn.result === 'wrong') {
    services.onSignIn({ name, isIn: false })
    return show('The name or the password is wrong.', 401)
  }
  services.onSignIn({ name, isIn: true })
  visit.begin(signedIn.session)
  visit.answer({ to: placeFrom(to) })
}

export async function signOut(visit: Visit, { request, services }: Exchange): Promise<void> {
  const { who, session } = visit
  if ('role' in who && visit.isOurForm(AllFields.parse(request.body))) {
    // One in which nobody signed in lets nobody in.
    if (session.user !== null) await services.sessions.end(session.id, session.until)
    visit.forget()
  }
  visit.answer({ to: '/sign-in?done=signed-out' })
}

/** Sends somebody to the provider. */
export async function beginOidc(visit: Visit, { request, response, services }: Exchange): Promise<void> {
  const { oidc } = services.console()
  const to = placeFrom(request.query.to)
  if ('refused' in visit.who) return visit.answer(refusedPage(visit.who))
  if (oidc === undefined) return visit.answer(notHere)
  if ('role' in visit.who) return visit.answer({ to })
  const redirectUri = redirectUriOf(request, services)
  if (redirectUri === undefined) return visit.answer(failed(to, 'no-address'))
  const { begin, NotSignedIn } = await services.oidc()
  try {
    const { address, cookie } = await begin(oidc, { to, redirectUri })
    response.cookie(pendingCookie, cookie, { ...cookiesOf(visit, services), maxAge: pendingMs })
    response.set('Cache-Control', 'no-store').redirect(303, address)
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error
    services.onSignIn({ isIn: false, why: error.why, codes: error.codes })
    visit.answer(failed(to, error.why))
  }
}

/** Somebody comes back from the provider. */
export async function finishOidc(visit: Visit, { request, response, services }: Exchange): Promise<void> {
  const { oidc } = services.console()
  if ('refused' in visit.who) return visit.answer(refusedPage(visit.who))
  if (oidc === undefined) return visit.answer(notHere)
  // Somebody went back in their browser, or has a second window.
  if ('role' in visit.who) return visit.answer({ to: '/' })
  const redirectUri = redirectUriOf(request, services)
  if (redirectUri === undefined) return visit.answer(failed('/', 'no-address'))
  const { finish, NotSignedIn } = await services.oidc()
  const parameters = new URL(request.originalUrl, 'http://console').searchParams
  const cookie = cookieFrom(request, pendingCookie)
  const limits = limitsOf(visit.address)
  try {
    const { session, name, to } = await finish(oidc, { cookie, parameters, redirectUri, limits })
    services.onSignIn({ name, isIn: true })
    response.clearCookie(pendingCookie, cookiesOf(visit, services))
    visit.begin(session)
    visit.answer({ to: placeFrom(to) })
  } catch (error) {
    if (!(error instanceof NotSignedIn)) throw error
    const { why, codes, who: name } = error
    services.onSignIn({ isIn: false, why, codes, ...(name !== undefined && { name }) })
    visit.answer(failed('/', why))
  }
}

const pendingCookie = 'bluepencil_sign_in'

function cookiesOf({ cookies }: Visit, { base }: ConsoleServices) {
  return { ...cookies, path: `${base}/sign-in/oidc` }
}

/** Undefined if the host that was asked for may be anybody’s. */
function redirectUriOf(request: Request, services: ConsoleServices): string | undefined {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '')
  const isOurs = services.console().publicUrl !== undefined || isLoopback(host)
  return isOurs ? `${rootAddress(request, services)}${callbackPath}` : undefined
}

/** The address names the problem by its code alone, so nobody can put words into a page. */
function failed(to: string, why: WhyNot): ConsoleReply {
  return { to: `/sign-in?why=${why}&to=${encodeURIComponent(to)}` }
}

const notHere = notFound('There is nothing at this address.')

/** A place below the console's path, and nowhere else: it is put behind that path. */
function placeFrom(to: unknown): string {
  return typeof to === 'string' && to.length < 500 && /^\/[\w\-./~?=&%+:]*$/.test(to) ? to : '/'
}

function signInPage(
  { token }: Visit,
  { base, console }: ConsoleServices,
  { to: place, problem }: { to: unknown; problem: SignInProblem | undefined },
): ConsoleReply {
  const { users, oidc } = console()
  const provider = oidc && (oidc.name ?? new URL(oidc.issuer).hostname)
  const hasPasswords = users !== undefined
  const to = placeFrom(place)
  return {
    page: {
      title: 'Sign in',
      status: problem?.status ?? 200,
      body: html`<h1>Sign in</h1>
${problem !== undefined && html`<p class="caveat" role="alert">${problem.text}</p>`}
${
  provider !== undefined &&
  html`<p><a class="button" href="${base}/sign-in/oidc?to=${encodeURIComponent(to)}">Sign in with ${provider}</a></p>`
}
${provider !== undefined && hasPasswords && html`<h2>With a name and a password</h2>`}
${hasPasswords && passwordForm(to, { base, token })}`,
    },
  }
}

function passwordForm(to: string, { base, token }: Pick<PageContext, 'base' | 'token'>): Html {
  return html`<form class="stacked" method="post" action="${base}/sign-in">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${to}">
<div><label for="name">Name</label><input id="name" name="name" required autocomplete="username" maxlength="100"></div>
<div><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password" maxlength="1000"></div>
<button>Sign in</button>
</form>`
}

const problems: Record<WhyNot, SignInProblem> = {
  cancelled: { text: 'You cancelled the sign-in, or the provider did not allow it.', status: 401 },
  'not-begun': {
    text: 'This sign-in was started in another browser, or more than 15 minutes ago. Please start again.',
    status: 400,
  },
  used: { text: 'This sign-in was already used. Please start again.', status: 400 },
  'no-role': {
    text: 'The provider knows you, but you have no role here. Ask the admin of this console.',
    status: 403,
  },
  wait: { text: 'Too many tries have failed. Wait 15 min.', status: 429 },
  busy: { text: 'Too many people are signing in just now. Please try again in a minute.', status: 503 },
  away: {
    text: 'The provider cannot be reached, or does not answer in time. Please try again.',
    status: 503,
  },
  clock: {
    text: 'The sign-in had expired when it arrived, because the clocks of this machine and of the provider differ. Ask the admin of this console.',
    status: 502,
  },
  client: {
    text: 'The provider rejects this console (console.oidc.clientId and clientSecret). Ask the admin of this console.',
    status: 502,
  },
  unverified: {
    text: 'The provider’s answer belongs to another sign-in, or is not signed by the provider. You are not signed in.',
    status: 401,
  },
  unfit: { text: 'The provider’s answer cannot be used. The log shows more.', status: 502 },
  'no-address': {
    text: 'The provider cannot send you back, because the address of this console is not set. Set console.publicUrl.',
    status: 500,
  },
}
