import * as z from 'zod'

/** Why a call to Slack did not end well: a closed set, free of anything secret. */
export type SlackCallFailure =
  /** Slack answered, and said no: its error code, and the scope that is missing. */
  | { kind: 'refused'; code: string; needed?: string; afterMs?: number }
  /** An answer with another status than 200. A webhook's error code stands in `code`. */
  | { kind: 'status'; status: number; code?: string; afterMs?: number }
  /** Status 200, and not an answer of Slack: the page of a proxy, half an answer. */
  | { kind: 'unreadable' }
  /** No answer. `uncertain` where the request may have arrived all the same. */
  | { kind: 'unreached'; code: string; uncertain: boolean }
  /** Stopped by our own side. */
  | { kind: 'stopped' }

/** Carries a `SlackCallFailure` through Slack's client, which wraps what its fetch throws and keeps it as `cause`. */
export class SlackTrouble extends Error {
  override readonly name = 'SlackTrouble'
  readonly trouble: SlackCallFailure

  constructor(trouble: SlackCallFailure, options?: ErrorOptions) {
    super(`Slack: ${trouble.kind}`, options)
    this.trouble = trouble
  }
}

/** WebAPIPlatformError of @slack/web-api: `{"ok": false, "error": …}`. */
const PlatformError = z.object({
  code: z.literal('slack_webapi_platform_error'),
  data: z.object({
    error: z.string(),
    needed: z.string().optional(),
    response_metadata: z.object({ retryAfter: z.number().optional() }).optional(),
  }),
})

/** Reads whatever a call threw. */
export function troubleOf(error: unknown): SlackCallFailure {
  if (error instanceof SlackTrouble) return error.trouble
  if (error instanceof Error && error.cause instanceof SlackTrouble) return error.cause.trouble
  const platform = PlatformError.safeParse(error)
  if (!platform.success) return { kind: 'unreached', code: 'unexpected error', uncertain: true }
  const { data } = platform.data
  const seconds = data.response_metadata?.retryAfter
  return {
    kind: 'refused',
    code: readableCode(data.error) ?? 'an error without a readable code',
    ...(data.needed !== undefined && /^[a-z:.,|_ -]{1,200}$/.test(data.needed)
      ? { needed: data.needed }
      : {}),
    ...(seconds === undefined ? {} : { afterMs: seconds * 1000 }),
  }
}

/** Slack's codes are lower-case words with underscores; anything else is not repeated to a person. */
export function readableCode(text: string): string | undefined {
  return /^[a-z][a-z0-9_]{0,79}$/.exec(text.trim())?.[0]
}

/** True where Slack asks us to slow down. */
export function isRateLimit(trouble: SlackCallFailure): boolean {
  return (
    (trouble.kind === 'status' && trouble.status === 429) ||
    (trouble.kind === 'refused' && /^(ratelimited|rate_limited)$/.test(trouble.code))
  )
}
