import * as oauth from 'oauth4webapi'
import type { Oidc } from '../../../config/oidc.ts'
import { isSame, newSession, type Session } from '../session.ts'
import type { ConsoleSessions, SignInLimit } from '../sessions.ts'
import {
  cookieOfPending,
  newPendingSignIn,
  type PendingSignIn,
  pendingFrom,
  secretsOf,
} from './pending-sign-in.ts'
import { askingOf, endpointOf, NotSignedIn, notSignedIn, openProviders, type WhyNot } from './provider.ts'
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
  /** The address that it was given to send people back to. */
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
export function createOidcSignIn({
  sessions,
  now,
  onPerson,
}: {
  sessions: ConsoleSessions
  now(): number
  /** The provider has signed them in; they may have no role here. */
  onPerson(person: SignedInPerson, oidc: Oidc): void
}) {
  const providers = openProviders(now)
  let waiting = 0

  /** Where to send somebody, and the cookie to give them. Rejects with `NotSignedIn`. */
  async function begin(
    oidc: Oidc,
    { to, redirectUri }: { to: string; redirectUri: string },
  ): Promise<{ address: string; cookie: string }> {
    const address = endpointOf(await providers.of(oidc.issuer))
    const key = await sessions.key()
    const pending = newPendingSignIn(markOfOidc(oidc), to, now())
    const { state, nonce, verifier } = secretsOf(pending, key)
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
    return { address: address.href, cookie: cookieOfPending(pending, key) }
  }

  /** Rejects with `NotSignedIn`. */
  async function finish(
    oidc: Oidc,
    returned: ReturnedSignIn,
  ): Promise<{ session: Session; name: string; to: string }> {
    const key = await sessions.key()
    const pending = pendingFrom(returned.cookie, key, now())
    const state = returned.parameters.get('state') ?? ''
    if (pending === undefined || pending.mark !== markOfOidc(oidc)) throw new NotSignedIn('not-begun')
    if (!isSame(state, secretsOf(pending, key).state)) throw new NotSignedIn('not-begun')
    if (await sessions.isUsed(pending.id)) throw new NotSignedIn('used')
    if ((await sessions.mustWait(returned.limits)) > 0) throw new NotSignedIn('wait')
    if (waiting >= mostWaiting) throw new NotSignedIn('busy')
    waiting += 1
    try {
      const person = await signedInPerson(oidc, { ...returned, pending, key })
      // Only now: a stranger without an account there could fill the list.
      await sessions.use(pending.id, pending.until)
      onPerson(person, oidc)
      if (roleFrom(person.fits, oidc) === undefined) throw new NotSignedIn('no-role', undefined, person.name)
      const session = newSession(person.name, markOfOidc(oidc), now(), {
        fits: person.fits,
        sub: person.sub,
        ms: oidcSessionMs,
      })
      return { session, name: person.name, to: pending.to }
    } catch (error) {
      if (error instanceof NotSignedIn && counts.has(error.why)) await sessions.failed(returned.limits)
      throw error
    } finally {
      waiting -= 1
    }
  }

  /** Whom the provider has signed in. */
  async function signedInPerson(
    oidc: Oidc,
    { parameters, redirectUri, pending, key }: ReturnedSignIn & { pending: PendingSignIn; key: string },
  ): Promise<SignedInPerson> {
    const server = await providers.of(oidc.issuer)
    try {
      return personFrom(
        await claimsOf(server, oidc, { parameters, redirectUri, ...secretsOf(pending, key) }),
        oidc,
      )
    } catch (error) {
      const why = notSignedIn(error)
      if (why.why === 'unverified' || why.why === 'unfit') providers.forget()
      throw why
    }
  }

  return { begin, finish, NotSignedIn }
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
  const options = askingOf(oidc.issuer, AbortSignal.timeout(wholeMs))
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
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, answer, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, answer, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new NotSignedIn('unfit', 'no ID token')
  if (server.userinfo_endpoint === undefined || isEnough(claims, oidc)) return claims
  const info = await oauth.userInfoRequest(server, client, tokens.access_token, options)
  return { ...(await oauth.processUserInfoResponse(server, client, claims.sub, info)), ...claims }
}

/** Many providers put no more into the token than they must. */
function isEnough(claims: Claims, { roles, groupsClaim }: Oidc): boolean {
  const needsGroups = Object.keys(roles.groups).length > 0
  return claims.email !== undefined && (!needsGroups || groupsFrom(claims, groupsClaim).length > 0)
}
