import * as z from 'zod'
import { eventTypes, models } from './change.ts'
import type { ServiceDialect } from './dialect.ts'
import { notFound } from './errors.ts'
import type { Key } from './keys.ts'

export const secretPrefix = 'whsec_'

export interface SandboxSubscription {
  id: string
  /** Name of the key that made it; nobody else sees it. */
  owner: string
  url: string
  events: readonly string[]
  models: readonly string[]
  secret: string
  /** The specification names `active` only, and only that receives deliveries. `pending` and `paused` are the dialect's. */
  status: string
  /** Aborts when the subscription is removed. */
  removed: AbortController
}

export type Subscriptions = ReturnType<typeof createSubscriptions>

/** The subscriptions of all keys, kept as long as the sandbox runs. */
export function createSubscriptions(random: (bytes: number) => Buffer, dialect: ServiceDialect) {
  const byId = new Map<string, SandboxSubscription>()
  return {
    create(key: Key, request: Pick<SandboxSubscription, 'url' | 'events' | 'models'>): SandboxSubscription {
      const subscription = {
        ...request,
        id: `wh_${random(12).toString('hex')}`,
        owner: key.name,
        // 24 bytes make base64 without padding; the dialect `base64-decoded` decodes it.
        secret: secretPrefix + random(24).toString('base64'),
        status: dialect['further-states'] === 'yes' ? 'pending' : 'active',
        removed: new AbortController(),
      }
      byId.set(subscription.id, subscription)
      return subscription
    },
    /** Those of the key, oldest first. A pending one becomes active: its owner has read it. */
    ownedBy(key: Key): SandboxSubscription[] {
      return [...byId.values()].filter(({ owner }) => owner === key.name).map(activated)
    },
    /** As `ownedBy`. Throws the same 404 for another's subscription as for one that does not exist. */
    get(id: string, key: Key): SandboxSubscription {
      const subscription = byId.get(id)
      if (subscription?.owner === key.name) return activated(subscription)
      throw notFound(`There is no subscription ${id}.`)
    },
    find: (id: string): SandboxSubscription | undefined => byId.get(id),
    all: (): SandboxSubscription[] => [...byId.values()],
    remove(subscription: SandboxSubscription): void {
      byId.delete(subscription.id)
      subscription.removed.abort()
    },
  }
}

function activated(subscription: SandboxSubscription): SandboxSubscription {
  if (subscription.status === 'pending') subscription.status = 'active'
  return subscription
}

export function isActive(subscription: SandboxSubscription): boolean {
  return subscription.status === 'active' && !subscription.removed.signal.aborted
}

/**
 * Whether an event is for it. One that names everything also gets what the specification does not know: that is how
 * a new model or event type reaches a subscriber.
 */
export function wants(subscription: SandboxSubscription, event: { type: string; model: string }): boolean {
  return (
    includes(subscription.events, event.type, eventTypes) &&
    includes(subscription.models, event.model, models)
  )
}

function includes(chosen: readonly string[], value: string, documented: readonly string[]): boolean {
  if (chosen.includes(value)) return true
  return !documented.includes(value) && documented.every((name) => chosen.includes(name))
}

/** Only url must be there; the specification does not say so ("not shown"). What is left out means all of them. */
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
  secret: z.string().startsWith(secretPrefix).describe('What deliveries are signed with.'),
  status: z
    .string()
    .describe('Only an active one receives deliveries.')
    .meta({ examples: ['active', 'pending', 'paused'] }),
})

/** The same when it is read: the specification does not show whether it has the secret. */
export function shownSubscription(dialect: ServiceDialect): z.ZodType {
  return dialect['secret-on-get'] === 'yes' ? CreatedSubscription : CreatedSubscription.omit({ secret: true })
}

/** One answer to a removal. */
export const RemovedAnswer = z.strictObject({
  id: z.string().startsWith('wh_'),
  deleted: z.literal(true),
})

export function writeSubscription(
  { id, url, events, models: names, secret, status }: SandboxSubscription,
  showSecret: ServiceDialect['secret-on-get'],
): Record<string, unknown> {
  return { id, url, events, models: names, ...(showSecret === 'yes' && { secret }), status }
}

function choiceOf<const T extends readonly [string, ...string[]]>(allowed: T) {
  const all: readonly string[] = allowed
  return z
    .array(z.enum(allowed, { error: `must be one of ${allowed.join(', ')}` }), { error: 'must be a list' })
    .min(1, { error: 'must name at least one; leave it out for all' })
    .transform((chosen): readonly string[] => [...new Set(chosen)])
    .default(all)
}
