import { whyNoSecret } from '../../config/signing-secret.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Webhook } from '../../service/client/endpoints/webhooks.ts'
import { type DesiredSubscription, givenSecret, sameAddress, sameSet } from './plan.ts'
import {
  asCurrent,
  type CurrentSubscription,
  type SubscriptionRecord,
  type SubscriptionState,
  withCurrent,
} from './record.ts'
import { leftBehind, lookUpSecret, type SubscriptionClient } from './service.ts'

/**
 * Within an hour, for the same URL, events and models. A service whose list we misread would otherwise get a new
 * subscription at every look.
 */
const mostCreations = 3

export interface CreateParts {
  client: SubscriptionClient
  state: SubscriptionState
  clock: Clock
  publicUrl: string
  wanted: DesiredSubscription
  secretConfigured: boolean
  report(what: string, cause: unknown): void
}

/** A new subscription whose secret is stored, or why there is none. */
export type CreateResult = { webhook: Webhook } | { why: string }

/**
 * Creates a subscription and stores its secret. Rejects with the client's error if the service does not create it.
 *
 * Before the request, we store that a creation begins. If the process ends before the secret is stored, the next process
 * can see that nobody may have the secret of a subscription with our URL.
 */
export async function createSubscription(parts: CreateParts, reason: string): Promise<CreateResult> {
  const { client, state, clock, publicUrl, wanted } = parts
  const before = state.record()
  const creations = isForAnother(before.current, parts) ? [] : before.creations
  if (creations.length >= mostCreations) return { why: tooMany(reason) }

  const begun = { ...before, creations: [...creations, clock.now()], creating: true }
  try {
    await state.save(begun)
  } catch (error) {
    parts.report('No subscription was created, because its secret could not have been stored', error)
    return {
      why: `${reason} No subscription was created, because its secret could not have been stored; check the disk.`,
    }
  }

  let webhook: Webhook
  try {
    webhook = await client.createWebhook({ url: publicUrl, events: wanted.events, models: wanted.models })
  } catch (error) {
    await state.update(afterFailure(error, before, begun))
    throw error
  }
  // Its deliveries may arrive from now on.
  const secretInAnswer = givenSecret(webhook)
  if (secretInAnswer !== undefined) state.trust(secretInAnswer)
  const secret = secretInAnswer ?? (await secretShownLater(webhook.id, parts))
  if (secret === undefined && !parts.secretConfigured) {
    await undo(webhook, parts)
    await state.update({ ...begun, creating: false })
    return {
      why:
        `The service created ${webhook.id} but did not show its secret${instead(webhook)}, so it was deleted again. ` +
        'Create the subscription at the service and put its secret in webhook.secrets.',
    }
  }

  const current = asCurrent(webhook, { secret: secret ?? null, url: publicUrl, wanted })
  try {
    await state.save(withCurrent(begun, current, clock.now()))
    return { webhook }
  } catch (error) {
    parts.report(`The secret of the new subscription ${webhook.id} could not be stored`, error)
    await undo(webhook, parts)
    return {
      why: `${webhook.id} was created, but its secret could not be stored, so it was deleted again; check the disk.`,
    }
  }
}

/** Whether the operator has changed what is wanted since the last one was made: that is no loop. */
function isForAnother(current: CurrentSubscription | null, { publicUrl, wanted }: CreateParts): boolean {
  if (current === null) return false
  const same = sameAddress(current.url, publicUrl) && sameSet(current.events, wanted.events)
  return !(same && sameSet(current.models, wanted.models))
}

function afterFailure(
  error: unknown,
  before: SubscriptionRecord,
  begun: SubscriptionRecord,
): SubscriptionRecord {
  const left = leftBehind(error)
  if (left === 'no') return before
  return left === 'perhaps' ? { ...before, creating: true } : begun
}

async function secretShownLater(
  id: string,
  { client, state, report }: CreateParts,
): Promise<string | undefined> {
  try {
    const secret = await lookUpSecret(client, id)
    if (secret !== undefined) state.trust(secret)
    return secret
  } catch (error) {
    report(`The secret of the new subscription ${id} could not be read`, error)
    return undefined
  }
}

async function undo({ id }: Webhook, { client, report }: CreateParts): Promise<void> {
  try {
    await client.deleteWebhook(id)
  } catch (error) {
    report(`The subscription ${id} has no secret and could not be deleted; the next check replaces it`, error)
  }
}

/** What stood in place of a secret, in words that do not repeat it. */
function instead({ secret }: Webhook): string {
  const why = secret === null ? undefined : whyNoSecret(secret)
  return why === undefined ? '' : ` (what it gave ${why})`
}

function tooMany(reason: string): string {
  return (
    `${reason} Bluepencil creates no more: it made ${mostCreations} within the hour, and GET /webhooks still does not ` +
    'show one that fits. Compare its answer with the subscriptions in the service’s dashboard, and delete ' +
    'the surplus ones there.'
  )
}
