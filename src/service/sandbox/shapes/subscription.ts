import * as z from 'zod'
import { eventTypes, models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { SandboxSubscription } from '../subscriptions.ts'

/** Which of url, events and models may be left out is "not shown", but for url. Left out means all of them. */
export const SubscriptionRequest = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  events: choiceOf(eventTypes),
  models: choiceOf(models),
})

/** "Webhook subscription", as it is answered on creation. */
export const CreatedSubscription = z.strictObject({
  id: z.string().startsWith('wh_'),
  url: z.url({ protocol: /^https?$/ }),
  events: z.array(z.enum(eventTypes)),
  models: z.array(z.enum(models)),
  secret: z.string().startsWith('whsec_').describe('What deliveries are signed with.'),
  status: z
    .string()
    .describe('Only an active one receives deliveries.')
    .meta({ examples: ['active', 'pending', 'paused'] }),
})

/** The same when it is read: whether with its secret is not shown. */
export function shownSubscription(dialect: ServiceDialect): z.ZodType {
  return dialect['secret-on-get'] === 'yes' ? CreatedSubscription : CreatedSubscription.omit({ secret: true })
}

/** What removing one may answer. */
export const RemovedAnswer = z.strictObject({
  id: z.string().startsWith('wh_'),
  deleted: z.literal(true),
})

export function writeSubscription(
  { id, url, events, models: chosen, secret, status }: SandboxSubscription,
  showSecret: ServiceDialect['secret-on-get'],
): Record<string, unknown> {
  return {
    id,
    url,
    events: [...events],
    models: [...chosen],
    ...(showSecret === 'yes' && { secret }),
    status,
  }
}

function choiceOf<const T extends readonly [string, ...string[]]>(allowed: T) {
  const all: readonly string[] = allowed
  return z
    .array(z.enum(allowed, { error: `must be one of ${allowed.join(', ')}` }), { error: 'must be a list' })
    .min(1, { error: 'must name at least one; leave it out for all' })
    .transform((chosen): readonly string[] => [...new Set(chosen)])
    .default(all)
}
