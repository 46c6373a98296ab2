import * as oauth from 'oauth4webapi'
import type { Clock } from '../../../platform/clock.ts'
import { minuteMs } from '../../../platform/durations.ts'
import { isSafe } from '../../../platform/outbound/address.ts'
import type { Budget } from '../budget.ts'
import { MonitorError, RateLimited, Unauthenticated, Unintelligible } from '../errors.ts'
import { bareError, failureOf, tokenError } from '../http/failure.ts'
import { type Credential, readText } from '../http/request.ts'
import { dateOf } from '../http/service-time.ts'
import { keepToken, readToken, type SharedToken, type TokenStore, tokenKey } from './token-store.ts'

/**
 * OAuth 2.0 ("Authentication", 3). Which grants the service has is not shown: client credentials (RFC 6749, 4.4)
 * are used, and a refresh token (6) where one is configured or came with a token.
 */
export interface OAuthOptions {
  /** https, or http on this machine. */
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** Only `webhooks.write` is specified ("Authentication", 4); it is asked for where nothing else is said. */
  scopes?: readonly string[] | undefined
  /** Stands for a user's consent: with it, no token is asked for in the client's own name. */
  refreshToken?: string | undefined
}

const defaultScopes = ['webhooks.write']

interface OAuthParts {
  budget: Budget
  fetch: typeof fetch
  timeoutMs: number
  clock: Clock
  /** Told of each secret that the service gives. */
  onSecret?: ((secret: string) => void) | undefined
  /** Else each credential has a token of its own. */
  tokens?: TokenStore | undefined
}

interface AccessToken {
  value: string
  /** Milliseconds since the epoch, both; infinite where the service does not say: then a 401 says it. */
  renewAt: number
  endsAt: number
}

/** No answer of a token endpoint comes near. */
const longestAnswer = { mostBytes: 64 * 1024, mostValues: 10_000 }
/** A token is renewed so long before it ends; a short one at nine tenths of its time. Milliseconds. */
const marginMs = minuteMs
/** When renewing failed and the token still holds, it is not tried again before. */
const pauseMs = 30_000

/** Fetches a token when it is first needed, and keeps it. Throws where the address could never work. */
export function oauthCredential(options: OAuthOptions, parts: OAuthParts): Credential {
  const { clock, timeoutMs, budget } = parts
  const endpoint = readTokenUrl(options.tokenUrl)
  const server: oauth.AuthorizationServer = { issuer: endpoint.origin, token_endpoint: endpoint.href }
  const client: oauth.Client = { client_id: options.clientId }
  const authentication = oauth.ClientSecretBasic(options.clientSecret)
  const asked = `POST ${endpoint.origin}${endpoint.pathname}`
  const fixed = [
    options.clientSecret,
    encodeURIComponent(options.clientSecret),
    Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64'),
  ]
  let token: AccessToken | undefined
  /** The one before is still in requests that are under way. */
  let tokenBefore: AccessToken | undefined
  let refreshToken = options.refreshToken
  let renewing: Promise<AccessToken> | undefined
  const key = tokenKey([endpoint.href, options.clientId, options.clientSecret, options.scopes, refreshToken])

  function secrets(): string[] {
    return [...fixed, refreshToken, options.refreshToken, token?.value, tokenBefore?.value].filter(
      (secret) => secret !== undefined,
    )
  }

  /** One renewal at a time; whoever needs a token meanwhile waits for that one. */
  function renewed(): Promise<AccessToken> {
    renewing ??= renew(token?.value).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  /**
   * Where others have renewed it meanwhile, theirs is used: a service may end the token before with each new one, and takes a
   * refresh token that it has replaced for stolen.
   */
  async function renew(stale: string | undefined): Promise<AccessToken> {
    const { tokens } = parts
    if (tokens === undefined) return await fetchToken()
    return await tokens.alone(async () => {
      const shared = await readToken(tokens, key)
      if (
        shared !== undefined &&
        shared.value !== stale &&
        clock.now() < (shared.renewAt ?? Number.POSITIVE_INFINITY)
      ) {
        return use({
          ...shared,
          renewAt: shared.renewAt ?? Number.POSITIVE_INFINITY,
          endsAt: shared.endsAt ?? Number.POSITIVE_INFINITY,
        })
      }
      refreshToken = shared?.refreshToken ?? refreshToken
      const given = await fetchToken()
      await keepToken(tokens, key, sharedFrom(given, refreshToken))
      return given
    })
  }

  async function fetchToken(): Promise<AccessToken> {
    try {
      return await grant()
    } catch (error) {
      const ended = error instanceof Unauthenticated && error.code === 'invalid_grant'
      if (!ended || refreshToken === undefined || options.refreshToken !== undefined) throw error
      // One that came with a token is a convenience: without it the client asks in its own name.
      refreshToken = undefined
      return await grant()
    }
  }

  async function grant(): Promise<AccessToken> {
    await budget.take()
    const timeOut = AbortSignal.timeout(timeoutMs)
    const how = {
      signal: timeOut,
      headers: { 'user-agent': 'bluepencil' },
      [oauth.customFetch]: fetchAnswer,
      [oauth.allowInsecureRequests]: endpoint.protocol === 'http:',
    }
    try {
      const answer = refreshToken === undefined ? await ownName(how) : await onBehalf(refreshToken, how)
      return keep(answer)
    } catch (error) {
      if (error instanceof RateLimited) await budget.told(error.retryAfterMs)
      throw understood(error, timeOut)
    }
  }

  async function ownName(how: oauth.ClientCredentialsGrantRequestOptions) {
    const scope = (options.scopes ?? defaultScopes).join(' ')
    const parameters = new URLSearchParams(scope === '' ? {} : { scope })
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      parameters,
      how,
    )
    return await oauth.processClientCredentialsResponse(server, client, response)
  }

  async function onBehalf(refresh: string, how: oauth.TokenEndpointRequestOptions) {
    const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refresh, how)
    return await oauth.processRefreshTokenResponse(server, client, response)
  }

  /** What the library reads is an answer of bounded size that is no error. */
  async function fetchAnswer(...[address, init]: Parameters<typeof fetch>): Promise<Response> {
    const response = await parts.fetch(address, init)
    const text = await readText(response, longestAnswer)
    if (text === undefined) {
      throw new Unintelligible(`${asked} answered ${response.status} with more than 64 kB.`, {
        status: response.status,
      })
    }
    if (!response.ok) {
      const now = dateOf(response.headers) ?? clock.now()
      throw tokenError({ response, text, asked, secrets: secrets(), now })
    }
    return new Response(text, { headers: response.headers })
  }

  function keep(answer: oauth.TokenEndpointResponse): AccessToken {
    const { access_token: value, expires_in: seconds, refresh_token: next } = answer
    const lifeMs = seconds === undefined ? Number.POSITIVE_INFINITY : seconds * 1_000
    const now = clock.now()
    const endsAt = now + lifeMs
    return use({
      value,
      endsAt,
      renewAt: endsAt - Math.min(marginMs, lifeMs / 10),
      ...(next !== undefined && { refreshToken: next }),
    })
  }

  function use({ refreshToken: next, ...given }: AccessToken & { refreshToken?: string }): AccessToken {
    tokenBefore = token
    token = given
    refreshToken = next ?? refreshToken
    for (const secret of [given.value, next]) if (secret !== undefined) parts.onSecret?.(secret)
    return token
  }

  /** The library's errors hold the whole answer, so only their words are kept. */
  function understood(error: unknown, timeOut: AbortSignal): MonitorError {
    if (error instanceof MonitorError) return error
    if (timeOut.aborted) return failureOf(error, asked, secrets(), timeoutMs)
    if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
      const { message } = bareError(error, secrets())
      return new Unintelligible(`${asked} gave no token that can be used (${message}).`, { status: 200 })
    }
    return failureOf(error, asked, secrets(), undefined)
  }

  return {
    name: 'monitor.oauth',
    secrets,
    async current(signal) {
      const now = clock.now()
      if (token !== undefined && now < token.renewAt) return token.value
      const held = token
      try {
        return (await unlessCancelled(renewed(), signal, asked)).value
      } catch (error) {
        if (held === undefined || clock.now() >= held.endsAt || signal?.aborted) throw error
        held.renewAt = clock.now() + pauseMs
        return held.value
      }
    },
    async renew(stale, signal) {
      if (token !== undefined && token.value !== stale) return token.value
      return (await unlessCancelled(renewed(), signal, asked)).value
    },
  }
}

/** JSON knows no infinity. */
function sharedFrom({ value, renewAt, endsAt }: AccessToken, refreshToken: string | undefined): SharedToken {
  const time = (at: number) => (Number.isFinite(at) ? at : null)
  const times = { renewAt: time(renewAt), endsAt: time(endsAt) }
  return { value, ...times, ...(refreshToken !== undefined && { refreshToken }) }
}

/** The renewal goes on for the others when one of those who wait is called off. */
async function unlessCancelled<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  asked: string,
): Promise<T> {
  if (signal === undefined) return await work
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = () => reject(failureOf(new Error('called off'), asked, [], undefined))
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** A token over a network without TLS could be read on its way. */
function readTokenUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && url.username === '' && url.password === '' && isSafe(url)) return url
  throw new TypeError(
    'monitor.oauth.tokenUrl is not an https address; write one such as https://service.example/oauth/token',
  )
}
