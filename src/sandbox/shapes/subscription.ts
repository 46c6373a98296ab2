import * as z from 'zod'
import type { Dialect } from '../dialect.ts'
import type { Subscription } from '../subscriptions.ts'

/** "Webhook subscription". The secret is shown on creation; whether also later is not shown. */
export const SubscriptionAnswer = z.strictObject({
  id: z.string().startsWith('wh_'),
  url: z.string(),
  events: z.array(z.string()),
  models: z.array(z.string()),
  secret: z.string().startsWith('whsec_').optional(),
  status: z.string(),
})

/** What removing one may answer. */
export const RemovedAnswer = z.strictObject({ id: z.string(), deleted: z.literal(true) })

export function writeSubscription(
  { id, url, events, models, secret, status }: Subscription,
  showSecret: Dialect['secret-on-get'],
): z.infer<typeof SubscriptionAnswer> {
  return {
    id,
    url,
    events: [...events],
    models: [...models],
    ...(showSecret === 'yes' && { secret }),
    status,
  }
}
