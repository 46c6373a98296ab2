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
 * are used, and a refresh token (6) if one is configured or came with a token.
 */
export interface OAuthOptions {
  /** https, or http on this machine. */
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** Only `webhooks.write` is specified ("Authentication", 4); it is requested by default. */
  scopes?: readonly string[] | undefined
  /** Stands for a user's consent: with it, the client requests no token in its own name. */
  refreshToken?: string | undefined
}

const defaultScopes = ['webhooks.write']

interface OAuthParts {
  budget: Budget
  fetch: typeof fetch
  timeoutMs: number
  clock: Clock
  /** Called with each secret that the service gives. */
  onSecret?: ((secret: string) => void) | undefined
  /** Without it each credential has a token of its own. */
  tokens?: TokenStore | undefined
}

/** No answer of a token endpoint comes near. */
const longestAnswer = { mostBytes: 64 * 1024, mostValues: 10_000 }
/** A token is renewed so long before it ends; a short one at nine tenths of its time. Milliseconds. */
const marginMs = minuteMs
/** When renewing failed and the token still holds, it is not tried again before. */
const pauseMs = 30_000

/** Fetches a token when it is first needed, and keeps it. Throws if the address could never work. */
export function oauthCredential(options: OAuthOptions, parts: OAuthParts): Credential {
  const { clock, timeoutMs, budget } = parts
  const endpoint = readTokenUrl(options.tokenUrl)
  const server: oauth.AuthorizationServer = { issuer: endpoint.origin, token_endpoint: endpoint.href }
  const client: oauth.Client = { client_id: options.clientId }
  const authentication = oauth.ClientSecretBasic(options.clientSecret)
  const callName = `POST ${endpoint.origin}${endpoint.pathname}`
  const fixed = [
    options.clientSecret,
    encodeURIComponent(options.clientSecret),
    Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64'),
  ]
  let token: SharedToken | undefined
  /** Pending requests may still use the one before. */
  let valueBefore: string | undefined
  let refreshToken = options.refreshToken
  let renewing: Promise<SharedToken> | undefined
  const key = tokenKey([endpoint.href, options.clientId, options.clientSecret, options.scopes, refreshToken])

  function secrets(): string[] {
    return [...fixed, refreshToken, options.refreshToken, token?.value, valueBefore].filter(
      (secret) => secret !== undefined,
    )
  }

  /** One renewal at a time. Requests that need a token meanwhile wait for it. */
  function renewed(): Promise<SharedToken> {
    renewing ??= renew(token?.value).finally(() => {
      renewing = undefined
    })
    return renewing
  }

  /**
   * If another process has renewed the token meanwhile, we use that one. A service may end the old token with each new one,
   * and may treat a replaced refresh token as stolen.
   */
  async function renew(stale: string | undefined): Promise<SharedToken> {
    const { tokens } = parts
    if (tokens === undefined) return await fetchToken()
    return await tokens.alone(async () => {
      const shared = await readToken(tokens, key)
      if (shared !== undefined && shared.value !== stale && isBefore(shared.renewAt)) return use(shared)
      refreshToken = shared?.refreshToken ?? refreshToken
      const fetched = await fetchToken()
      await keepToken(tokens, key, { ...fetched, ...(refreshToken !== undefined && { refreshToken }) })
      return fetched
    })
  }

  /** A token without a time lasts until it is refused. */
  function isBefore(time: number | null): boolean {
    return time === null || clock.now() < time
  }

  async function fetchToken(): Promise<SharedToken> {
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

  async function grant(): Promise<SharedToken> {
    await budget.take()
    const timeOut = AbortSignal.timeout(timeoutMs)
    const how = {
      signal: timeOut,
      headers: { 'user-agent': 'bluepencil' },
      [oauth.customFetch]: fetchAnswer,
      [oauth.allowInsecureRequests]: endpoint.protocol === 'http:',
    }
    try {
      const answer = await (refreshToken === undefined ? ownName(how) : onBehalf(refreshToken, how))
      return use(tokenIn(answer))
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
      throw new Unintelligible(`${callName} answered ${response.status} with more than 64 kB.`, {
        status: response.status,
      })
    }
    if (!response.ok) {
      const now = dateOf(response.headers) ?? clock.now()
      throw tokenError({ response, text, callName, secrets: secrets(), now })
    }
    return new Response(text, { headers: response.headers })
  }

  function tokenIn({
    access_token: value,
    expires_in: seconds,
    refresh_token: next,
  }: oauth.TokenEndpointResponse): SharedToken {
    const refresh = next !== undefined && { refreshToken: next }
    if (seconds === undefined) return { value, renewAt: null, endsAt: null, ...refresh }
    const lifeMs = seconds * 1_000
    const endsAt = clock.now() + lifeMs
    return { value, renewAt: endsAt - Math.min(marginMs, lifeMs / 10), endsAt, ...refresh }
  }

  function use(next: SharedToken): SharedToken {
    valueBefore = token?.value
    token = next
    refreshToken = next.refreshToken ?? refreshToken
    for (const secret of [next.value, next.refreshToken]) if (secret !== undefined) parts.onSecret?.(secret)
    return next
  }

  /** The library's errors hold the whole answer, so only their words are kept. */
  function understood(error: unknown, timeOut: AbortSignal): MonitorError {
    if (error instanceof MonitorError) return error
    if (timeOut.aborted) return failureOf(error, callName, secrets(), timeoutMs)
    if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError) {
      const { message } = bareError(error, secrets())
      return new Unintelligible(`${callName} returned no usable token (${message}).`, { status: 200 })
    }
    return failureOf(error, callName, secrets(), undefined)
  }

  return {
    name: 'monitor.oauth',
    secrets,
    async current(signal) {
      if (token !== undefined && isBefore(token.renewAt)) return token.value
      const held = token
      try {
        return (await unlessCancelled(renewed(), signal, callName)).value
      } catch (error) {
        if (held === undefined || !isBefore(held.endsAt) || signal?.aborted) throw error
        held.renewAt = clock.now() + pauseMs
        return held.value
      }
    },
    async renew(stale, signal) {
      if (token !== undefined && token.value !== stale) return token.value
      return (await unlessCancelled(renewed(), signal, callName)).value
    },
  }
}

/** The renewal goes on for the others when one of those who wait is called off. */
async function unlessCancelled<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  callName: string,
): Promise<T> {
  if (signal === undefined) return await work
  const { promise, reject } = Promise.withResolvers<never>()
  const cancel = () => reject(failureOf(new Error('called off'), callName, [], undefined))
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
