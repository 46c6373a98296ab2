import * as oauth from 'oauth4webapi'
import { hourMs } from '../../../platform/durations.ts'
import { exchange, NoAnswer } from '../../../platform/outbound/exchange.ts'

/** Why somebody was not signed in: a closed set. The page has a sentence for each. */
export type WhyNot =
  | 'cancelled'
  /** Not begun in this browser, or too long ago: forged, stolen, or forgotten. */
  | 'not-begun'
  /** By us or at the provider. */
  | 'used'
  | 'no-role'
  | 'wait'
  | 'busy'
  | 'away'
  | 'clock'
  /** It does not accept our id and secret. */
  | 'client'
  /** Its answer is for somebody else, or not signed by it. */
  | 'unverified'
  /** It answers what cannot be used, or refuses for another reason. */
  | 'unfit'
  /** The address to which people come back is not known. */
  | 'no-address'

export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn'
  readonly why: WhyNot
  /** For the log: codes of the library, the system and the protocol alone, since texts of a provider may repeat a secret. */
  readonly codes: string | undefined
  /** Whom the provider signed in, if it did. */
  readonly who: string | undefined

  constructor(why: WhyNot, codes?: string, who?: string) {
    super(`not signed in: ${why}${codes === undefined ? '' : ` (${codes})`}`)
    this.why = why
    this.codes = codes
    this.who = who
  }
}

/** RFC 6749, 4.1.2.1 and 5.2; OpenID Connect Core 1.0, 3.1.2.6. */
const knownErrors = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
])

const whyByError: Partial<Record<string, WhyNot>> = {
  access_denied: 'cancelled',
  invalid_client: 'client',
  unauthorized_client: 'client',
  invalid_grant: 'used',
  server_error: 'away',
  temporarily_unavailable: 'away',
}

const whyByCode: Partial<Record<string, WhyNot>> = {
  [oauth.JWT_TIMESTAMP_CHECK]: 'clock',
  [oauth.JWT_CLAIM_COMPARISON]: 'unverified',
  [oauth.KEY_SELECTION]: 'unverified',
  [oauth.INVALID_RESPONSE]: 'unverified',
}

/** What the exchange with a provider failed with. The errors of the library hold whole answers: they end here. */
export function notSignedIn(error: unknown): NotSignedIn {
  if (error instanceof NotSignedIn) return error
  if (error instanceof NoAnswer) return new NotSignedIn('away', error.code ?? error.reason)
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const errorName = knownErrors.has(error.error) ? error.error : 'unknown error'
    const isFailing = 'status' in error && isOfServer(error.status)
    return new NotSignedIn(isFailing ? 'away' : (whyByError[errorName] ?? 'unfit'), errorName)
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    return new NotSignedIn(error.status === 401 ? 'client' : 'unfit', String(error.status))
  }
  if (error instanceof oauth.OperationProcessingError) {
    const { code = 'no code', cause } = error
    if (cause instanceof Response) {
      return new NotSignedIn(isOfServer(cause.status) ? 'away' : 'unfit', `${code} ${cause.status}`)
    }
    return new NotSignedIn(whyByCode[code] ?? 'unfit', `${code}${claimOf(cause)}`)
  }
  return new NotSignedIn(
    'unfit',
    error instanceof oauth.UnsupportedOperationError ? error.code : nameOf(error),
  )
}

function isOfServer(status: number): boolean {
  return status >= 500 || status === 429
}

/** Which claim was not as expected: its name, and never what it says. */
function claimOf(cause: unknown): string {
  const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : undefined
  return typeof claim === 'string' ? ` ${claim}` : ''
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'no error'
}

/** One answer; no document of a provider comes near these. */
const bounds = { timeoutMs: 5_000, mostBytes: 256 * 1024, mostValues: 20_000 }
/** What a provider says of itself is used for so long; milliseconds. */
const freshMs = hourMs
/** If it could not be read, nobody asks again for so long; milliseconds. */
const pauseMs = 5_000

/** How the library asks: by our own client, which bounds each answer; plain http only of this machine, which the configuration sees to. */
export function askingOf(issuer: string, signal?: AbortSignal) {
  return {
    ...(signal !== undefined && { signal }),
    headers: { 'user-agent': 'bluepencil' },
    [oauth.customFetch]: ask,
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  }
}

interface ProviderRequest {
  method: string
  headers: Record<string, string>
  body?: URLSearchParams | null | undefined
  signal?: AbortSignal
}

async function ask(url: string, { method, headers, body, signal }: ProviderRequest): Promise<Response> {
  const answer = await exchange(url, { method, headers, ...(body && { body }) }, { ...bounds, signal })
  return new Response(answer.body === '' ? null : answer.body, {
    status: answer.status,
    headers: answer.headers,
  })
}

/** What the provider says of itself (OpenID Connect Discovery 1.0). Rejects with `NotSignedIn`. */
export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  try {
    const url = new URL(issuer)
    return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, askingOf(issuer)))
  } catch (error) {
    throw notSignedIn(error)
  }
}

export interface Providers {
  /** Read once for all who wait. Rejects with `NotSignedIn`. */
  of(issuer: string): Promise<oauth.AuthorizationServer>
  /** It may have changed, its keys too. */
  forget(): void
}

export function openProviders(now: () => number): Providers {
  let cached: { issuer: string; until: number; server: Promise<oauth.AuthorizationServer> } | undefined

  return {
    of(issuer) {
      // A clock that was set back does not make it last.
      const left = cached === undefined ? 0 : cached.until - now()
      if (cached !== undefined && cached.issuer === issuer && left > 0 && left <= freshMs)
        return cached.server
      const reading = { issuer, until: now() + freshMs, server: discover(issuer) }
      reading.server.catch(() => {
        reading.until = now() + pauseMs
      })
      cached = reading
      return reading.server
    },
    forget() {
      cached = undefined
    },
  }
}

/** Where people are sent, and where the code is exchanged. */
export function endpointOf(server: oauth.AuthorizationServer): URL {
  const { authorization_endpoint: address } = server
  if (address === undefined || !URL.canParse(address))
    throw new NotSignedIn('unfit', 'authorization_endpoint')
  return new URL(address)
}
