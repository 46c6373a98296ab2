import * as oauth from 'oauth4webapi'
import { NoAnswer } from '../../../platform/outbound/exchange.ts'

/** Why somebody was not signed in; a closed set, of which the page has a sentence each. */
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
  /** Whom the provider signed in, where it did. */
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
    const said = knownErrors.has(error.error) ? error.error : 'unknown error'
    const isFailing = 'status' in error && isOfServer(error.status)
    return new NotSignedIn(isFailing ? 'away' : (whyByError[said] ?? 'unfit'), said)
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
