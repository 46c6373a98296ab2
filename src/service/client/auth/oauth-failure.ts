import * as z from 'zod'
import { retryAfter } from '../../../platform/outbound/retry-after.ts'
import {
  BadRequest,
  MissingScope,
  type MonitorError,
  RateLimited,
  ServiceFailed,
  Unauthenticated,
  Unintelligible,
} from '../errors.ts'
import { quote, type Secrets } from '../http/redact.ts'

/** RFC 6749, 5.2. Some services write `error` as the interface's own errors are written. */
const ErrorBody = z.object({
  error: z.union([z.string(), z.object({ code: z.string(), retry_after: z.unknown().optional() })]),
  error_description: z.string().optional().catch(undefined),
})

interface TokenRefusal {
  response: Response
  text: string
  /** "POST https://service.example/oauth/token". */
  asked: string
  secrets: Secrets
  /** Milliseconds since the epoch, by the clock of the token endpoint where it says. */
  now: number
}

/** What an answer of the token endpoint outside 2xx means. `code` is RFC 6749's, such as `invalid_grant`. */
export function tokenError({ response, text, asked, secrets, now }: TokenRefusal): MonitorError {
  const { status, headers } = response
  const body = readBody(text)
  const plain = typeof body?.error === 'string' ? body.error : body?.error.code
  const code = plain === undefined ? undefined : quote(plain, secrets)
  const described =
    body?.error_description === undefined ? '' : `: "${quote(body.error_description, secrets)}"`
  const said = code === undefined ? '' : ` The service said: ${code}${described}.`
  const say = (what: string) => `${asked} answered ${status}: ${what}${said}`
  const failure = { status, code }

  if (status < 400) {
    return new Unintelligible(
      say(
        'a redirect, which was not followed: put the token endpoint’s own address in monitor.oauth.tokenUrl.',
      ),
      failure,
    )
  }
  if (status === 429 || status === 408 || status >= 500) {
    const asks = typeof body?.error === 'object' ? body.error.retry_after : undefined
    const waitMs = retryAfter(headers, now, asks)
    const timed = { ...failure, retryAfterMs: waitMs }
    return status === 429
      ? new RateLimited(say('too many tokens were asked for.'), timed)
      : new ServiceFailed(say('the token endpoint failed. Try again later.'), timed)
  }
  if (code === 'invalid_grant') {
    return new Unauthenticated(
      say('the refresh token is not valid any more. Put a new one in monitor.oauth.'),
      failure,
    )
  }
  if (code === 'invalid_scope' || code === 'unauthorized_client' || status === 403) {
    return new MissingScope(say('the client may not have what monitor.oauth.scopes asks for.'), failure)
  }
  if (code === 'invalid_client' || status === 401) {
    return new Unauthenticated(
      say('it does not accept clientId and clientSecret of monitor.oauth. Check both.'),
      failure,
    )
  }
  return new BadRequest(say('it gives no token for this. Check monitor.oauth.tokenUrl.'), failure)
}

function readBody(text: string): z.infer<typeof ErrorBody> | undefined {
  try {
    return ErrorBody.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}
