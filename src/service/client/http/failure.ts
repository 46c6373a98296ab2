import * as z from 'zod'
import { retryAfter } from '../../../platform/outbound/retry-after.ts'
import {
  BadRequest,
  MissingScope,
  type MonitorError,
  NotFound,
  RateLimited,
  ServiceFailed,
  Unauthenticated,
} from '../errors.ts'
import { quote, type Secrets } from './redact.ts'

/** The error body ("Errors"). It is a help and no more: the status alone decides what an error means. */
const ErrorBody = z.object({
  error: z.object({
    code: z.string().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    retry_after: z.unknown().optional(),
  }),
})

export interface RefusedCall {
  response: Response
  text: string
  /** "GET https://service.example/v1/webhooks". */
  asked: string
  secrets: Secrets
  /** What the credential is called in the configuration: `monitor.apiKey`, `monitor.oauth`. */
  credential: string
  /** Path below the base address. */
  path: string
  /** Milliseconds since the epoch, by the clock of the service where it says. */
  now: number
}

/** What an answer outside 2xx and 3xx means ("Errors", "Authentication" 5, "Limits"). */
export function errorFor({
  response,
  text,
  asked,
  secrets,
  credential,
  path,
  now,
}: RefusedCall): MonitorError {
  const { status, headers } = response
  const { error } = readBody(text)
  const code = error.code === undefined ? undefined : quote(error.code, secrets)
  const words = [code, error.message === undefined ? undefined : `"${quote(error.message, secrets)}"`].filter(
    Boolean,
  )
  const said = words.length === 0 ? '' : ` The service said: ${words.join(' ')}.`
  const say = (meaning: string) => `${asked} answered ${status}: ${meaning}${said}`
  const failure = { status, code }
  const waitMs = retryAfter(headers, now, error.retry_after)
  const wait = waitMs === undefined ? 'Try again later.' : `Try again in ${Math.ceil(waitMs / 1_000)} s.`

  if (status === 401) {
    const what =
      credential === 'monitor.oauth'
        ? 'the token is not valid, nor is a new one. Check the client and its scopes in monitor.oauth.'
        : `the key is missing or not valid. Put a current key from the service’s dashboard in ${credential}.`
    return new Unauthenticated(say(what), failure)
  }
  if (status === 403) {
    const scope = path.startsWith('/webhooks') ? ' Subscriptions need the scope webhooks.write.' : ''
    const what =
      credential === 'monitor.oauth'
        ? 'the token has no scope for this. Name one that has in monitor.oauth.scopes.'
        : 'the key has no scope for this. Use one that has.'
    return new MissingScope(say(`${what}${scope}`), failure)
  }
  if (status === 404 || status === 410) {
    const what = 'there is no such thing. Check the name, and that monitor.baseUrl ends in /v1.'
    return new NotFound(say(what), failure)
  }
  if (status === 429) {
    const what = `the requests that the key’s plan allows in an hour are spent. ${wait}`
    return new RateLimited(say(what), { ...failure, retryAfterMs: waitMs })
  }
  if (status >= 500 || status === 408) {
    return new ServiceFailed(say(`the service failed. ${wait}`), { ...failure, retryAfterMs: waitMs })
  }
  return new BadRequest(
    say('the service does not accept this request, and will not accept it again.'),
    failure,
  )
}

function readBody(text: string): z.infer<typeof ErrorBody> {
  try {
    return ErrorBody.parse(JSON.parse(text))
  } catch {
    return { error: {} }
  }
}
