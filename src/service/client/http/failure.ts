import * as z from 'zod'
import { retryAfter } from '../../../platform/outbound/retry-after.ts'
import { plain } from '../../../platform/text.ts'
import {
  BadRequest,
  MissingScope,
  MonitorError,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unauthenticated,
  Unintelligible,
  Unreachable,
} from '../errors.ts'

/** Keys, tokens and client secrets that are in use. */
export type Secrets = readonly string[]

/** An answer that is no success. */
interface RefusedCall {
  response: Response
  text: string
  /** "GET https://service.example/v1/webhooks". */
  callName: string
  secrets: Secrets
  /** Milliseconds since the epoch, by the clock of the service if it says. */
  now: number
}

/** The error body ("Errors"); it only helps, since the status alone decides. OAuth writes it otherwise (RFC 6749, 5.2). */
const ErrorBody = z.object({
  error: z.union([
    z.string(),
    z.object({
      code: z.string().optional().catch(undefined),
      message: z.string().optional().catch(undefined),
      retry_after: z.unknown().optional(),
    }),
  ]),
  error_description: z.string().optional().catch(undefined),
})

/**
 * What an answer from 400 on means ("Errors", "Authentication" 5, "Limits"). `path` is below the base address,
 * `credential` the setting: `monitor.apiKey`, `monitor.oauth`.
 */
export function errorFor(call: RefusedCall & { credential: string; path: string }): MonitorError {
  const { credential, path, response } = call
  const { status } = response
  const { error } = readErrorBody(call.text)
  const body = typeof error === 'object' ? error : {}
  const code = body.code === undefined ? undefined : quote(body.code, call.secrets)
  const message = body.message === undefined ? undefined : `"${quote(body.message, call.secrets)}"`
  const words = [code, message].filter(Boolean).join(' ')
  const quoted = words === '' ? '' : ` The service said: ${words}.`
  const sentence = (meaning: string) => `${call.callName} answered ${status}: ${meaning}${quoted}`
  const failure = { status, code }
  const retryAfterMs = retryAfter(response.headers, call.now, body.retry_after)
  const wait =
    retryAfterMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`
  const isOAuth = credential === 'monitor.oauth'

  if (status === 401) {
    const what = isOAuth
      ? 'it rejects the token, and a new one too. Check the client and its scopes in monitor.oauth.'
      : `the key is missing or invalid. Copy a current key from the service’s dashboard to ${credential}.`
    return new Unauthenticated(sentence(what), failure)
  }
  if (status === 403) {
    const scope = path.startsWith('/webhooks') ? ' Subscriptions need the scope webhooks.write.' : ''
    const what = isOAuth
      ? 'the token lacks the scope for this. Add the scope to monitor.oauth.scopes.'
      : 'the key lacks the scope for this. Use a key that has it.'
    return new MissingScope(sentence(`${what}${scope}`), failure)
  }
  if (status === 404 || status === 410) {
    const what = 'it does not exist. Check the name, and that monitor.baseUrl ends in /v1.'
    return new NotFound(sentence(what), failure)
  }
  if (status === 429) {
    const what = `the hourly requests of the key’s plan are used up. ${wait}`
    return new RateLimited(sentence(what), { ...failure, retryAfterMs })
  }
  if (status >= 500 || status === 408) {
    return new ServiceFailed(sentence(`the service failed. ${wait}`), { ...failure, retryAfterMs })
  }
  return new BadRequest(sentence('the service rejects this request, so a retry would not help.'), failure)
}

/** What an answer of the token endpoint outside 2xx means. `code` is RFC 6749's, such as `invalid_grant`. */
export function tokenError({ response, text, callName, secrets, now }: RefusedCall): MonitorError {
  const { status, headers } = response
  const { error, error_description: description } = readErrorBody(text)
  const written = typeof error === 'object' ? error.code : error
  const code = written === undefined ? undefined : quote(written, secrets)
  const described = description === undefined ? '' : `: "${quote(description, secrets)}"`
  const quoted = code === undefined ? '' : ` The service said: ${code}${described}.`
  const sentence = (meaning: string) => `${callName} answered ${status}: ${meaning}${quoted}`
  const failure = { status, code }

  if (status < 400) {
    const what =
      'a redirect, which Bluepencil does not follow. Write the token endpoint’s final address in monitor.oauth.tokenUrl.'
    return new Unintelligible(sentence(what), failure)
  }
  if (status === 429 || status === 408 || status >= 500) {
    const seconds = typeof error === 'object' ? error.retry_after : undefined
    const timed = { ...failure, retryAfterMs: retryAfter(headers, now, seconds) }
    return status === 429
      ? new RateLimited(sentence('Bluepencil asked for too many tokens. Try again later.'), timed)
      : new ServiceFailed(sentence('the token endpoint failed. Try again later.'), timed)
  }
  if (code === 'invalid_grant') {
    const what = 'the refresh token is no longer valid. Write a new one in monitor.oauth.'
    return new Unauthenticated(sentence(what), failure)
  }
  if (code === 'invalid_scope' || code === 'unauthorized_client' || status === 403) {
    const what =
      'the client is not allowed the scopes in monitor.oauth.scopes. Remove some, or change the client at the service.'
    return new MissingScope(sentence(what), failure)
  }
  if (code === 'invalid_client' || status === 401) {
    const what = 'it rejects clientId and clientSecret of monitor.oauth. Check both.'
    return new Unauthenticated(sentence(what), failure)
  }
  return new BadRequest(
    sentence('it issues no token for this request. Check monitor.oauth.tokenUrl.'),
    failure,
  )
}

function readErrorBody(text: string): Partial<z.infer<typeof ErrorBody>> {
  try {
    return ErrorBody.parse(JSON.parse(text))
  } catch {
    return {}
  }
}

/** What `fetch` threw, as `Unreachable`; a `MonitorError` stays what it is. `waitedMs`: the time-out, if it was that. */
export function failureOf(
  error: unknown,
  callName: string,
  secrets: Secrets,
  waitedMs: number | undefined,
): MonitorError {
  if (error instanceof MonitorError) return error
  const cause = bareError(error, secrets)
  if (waitedMs !== undefined) {
    const message = `${callName} got no complete answer within ${waitedMs / 1_000} s. The service is slow or down; try again later.`
    return new Unreachable(message, { cause, timedOut: true })
  }
  const inner = error instanceof Error ? error.cause : undefined
  const reason =
    errorCode(inner) ?? errorCode(error) ?? (cause.cause instanceof Error ? cause.cause : cause).message
  const message = `${callName} failed (${reason}). Check monitor.baseUrl and your network.`
  return new Unreachable(message, { cause, timedOut: false })
}

/** Longest text of the service’s in a message of ours, in characters, with the ellipsis. */
const longestQuote = 201

/** The service's own words, fit for one line: no secret, no control or formatting character, not long. */
function quote(text: string, secrets: Secrets): string {
  return plain(redact(text, secrets), longestQuote)
}

/** Takes our secrets and every webhook secret out of a text that others wrote. */
function redact(text: string, secrets: Secrets): string {
  return secrets
    .filter((secret) => secret !== '')
    .reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text)
    .replace(/whsec_[^\s"'<>]*/g, '[secret]')
}

/**
 * A copy of an error with only its text. Node's HTTP parser adds the bytes that it could not read to the error (`data`).
 * They may contain a new secret, and a logger would print it.
 */
export function bareError(error: unknown, secrets: Secrets, depth = 3): Error {
  if (!(error instanceof Error)) return new Error(redact(String(error), secrets))
  const cause =
    error.cause === undefined || depth === 0 ? undefined : bareError(error.cause, secrets, depth - 1)
  const copy = new Error(redact(error.message, secrets), cause === undefined ? undefined : { cause })
  copy.name = error.name
  const code = errorCode(error)
  return code === undefined ? copy : Object.assign(copy, { code })
}

/** `ECONNREFUSED` and the like. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
