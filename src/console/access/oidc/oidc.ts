import * as oauth from 'oauth4webapi'
import type { Oidc } from '../../../config/console.ts'
import { newSession, type Session } from '../session.ts'
import type { ConsoleSessions, SignInLimit } from '../sessions.ts'
import { NotSignedIn, notSignedIn, type WhyNot } from './failure.ts'
import {
  cookieOfUnderWay,
  isSame,
  newUnderWay,
  type PendingSignIn,
  secretsOf,
  underWayFrom,
} from './pending-sign-in.ts'
import { askingOf, endpointOf, openProviders } from './provider.ts'
import {
  type Claims,
  groupsFrom,
  markOfOidc,
  oidcSessionMs,
  personFrom,
  roleFrom,
  type SignedInPerson,
} from './roles.ts'

export interface ReturnedSignIn {
  cookie: string | undefined
  /** What the provider put behind our address. */
  parameters: URLSearchParams
  /** Where it was told to send people back to. */
  redirectUri: string
  /** Whose failed tries count. */
  limits: readonly SignInLimit[]
}

/** From the code to the person, in milliseconds: a provider that does not answer holds nobody longer. */
const wholeMs = 10_000
/** So many wait for a provider at most. */
const mostWaiting = 50
/** What somebody did or tried, and not what went wrong with the provider. */
const counts: ReadonlySet<WhyNot> = new Set(['used', 'unverified', 'no-role'])

/** Sign-in at an OpenID provider: authorization code flow with PKCE, state and nonce (OpenID Connect Core 1.0, 3.1). */
export function createOidcSignIn({ book, now }: { book: ConsoleSessions; now(): number }) {
  const providers = openProviders(now)
  let waiting = 0

  /** Where to send somebody, and the cookie to give them. Rejects with `NotSignedIn`. */
  async function begin(
    oidc: Oidc,
    { to, redirectUri }: { to: string; redirectUri: string },
  ): Promise<{ address: string; cookie: string }> {
    const address = endpointOf(await providers.of(oidc.issuer))
    const key = await book.key()
    const underWay = newUnderWay(markOfOidc(oidc), to, now())
    const { state, nonce, verifier } = secretsOf(underWay, key)
    const parameters = {
      client_id: oidc.clientId,
      response_type: 'code',
      redirect_uri: redirectUri,
      scope: oidc.scopes.join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return { address: address.href, cookie: cookieOfUnderWay(underWay, key) }
  }

  /** Rejects with `NotSignedIn`. */
  async function finish(
    oidc: Oidc,
    returned: ReturnedSignIn,
  ): Promise<{ session: Session; name: string; to: string }> {
    const key = await book.key()
    const underWay = underWayFrom(returned.cookie, key, now())
    const state = returned.parameters.get('state') ?? ''
    if (underWay === undefined || underWay.mark !== markOfOidc(oidc)) throw new NotSignedIn('not-begun')
    if (!isSame(state, secretsOf(underWay, key).state)) throw new NotSignedIn('not-begun')
    if (await book.isUsed(underWay.id)) throw new NotSignedIn('used')
    if ((await book.mustWait(returned.limits)) > 0) throw new NotSignedIn('wait')
    if (waiting >= mostWaiting) throw new NotSignedIn('busy')
    waiting += 1
    try {
      const person = await askedFor(oidc, { ...returned, underWay, key })
      // Only now: a stranger without an account there could fill the list.
      await book.use(underWay.id, underWay.until)
      if (roleFrom(person.fits, oidc) === undefined) throw new NotSignedIn('no-role', undefined, person.name)
      const session = newSession(person.name, markOfOidc(oidc), now(), {
        fits: person.fits,
        sub: person.sub,
        ms: oidcSessionMs,
      })
      return { session, name: person.name, to: underWay.to }
    } catch (error) {
      if (error instanceof NotSignedIn && counts.has(error.why)) await book.failed(returned.limits)
      throw error
    } finally {
      waiting -= 1
    }
  }

  /** Whom the provider has signed in. */
  async function askedFor(
    oidc: Oidc,
    { parameters, redirectUri, underWay, key }: ReturnedSignIn & { underWay: PendingSignIn; key: string },
  ): Promise<SignedInPerson> {
    const server = await providers.of(oidc.issuer)
    try {
      return personFrom(
        await claimsOf(server, oidc, { parameters, redirectUri, ...secretsOf(underWay, key) }),
        oidc,
      )
    } catch (error) {
      const why = notSignedIn(error)
      if (why.why === 'unverified' || why.why === 'unfit') providers.forget()
      throw why
    }
  }

  return { begin, finish }
}

interface CodeExchange extends Pick<ReturnedSignIn, 'parameters' | 'redirectUri'> {
  state: string
  nonce: string
  verifier: string
}

/** From the ID token, which the library holds against issuer, client, time, nonce and keys; and what only the provider's page of users says. */
async function claimsOf(
  server: oauth.AuthorizationServer,
  oidc: Oidc,
  { parameters, redirectUri, state, nonce, verifier }: CodeExchange,
): Promise<Claims> {
  const client: oauth.Client = { client_id: oidc.clientId }
  const asking = askingOf(oidc.issuer, AbortSignal.timeout(wholeMs))
  const code = oauth.validateAuthResponse(server, client, parameters, state)
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const authentication = methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic
    : oauth.ClientSecretPost
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication(oidc.clientSecret),
    code,
    redirectUri,
    verifier,
    asking,
  )
  const given = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, answer, asking)
  const claims = oauth.getValidatedIdTokenClaims(given)
  if (claims === undefined) throw new NotSignedIn('unfit', 'no ID token')
  if (server.userinfo_endpoint === undefined || isEnough(claims, oidc)) return claims
  const info = await oauth.userInfoRequest(server, client, given.access_token, asking)
  return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, info)), ...claims }
}

/** Many providers put no more into the token than they must. */
function isEnough(claims: Claims, { roles, groupsClaim }: Oidc): boolean {
  const needsGroups = Object.keys(roles.groups).length > 0
  return claims.email !== undefined && (!needsGroups || groupsFrom(claims, groupsClaim).length > 0)
}
