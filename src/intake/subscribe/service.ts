import type { MonitorClient } from '../../service/client/client.ts'
import type { Webhook } from '../../service/client/endpoints/webhooks.ts'
import {
  BadRequest,
  MissingScope,
  MonitorError,
  NotFound,
  RateLimited,
  Unauthenticated,
  Unintelligible,
  Unreachable,
} from '../../service/client/errors.ts'
import {
  type DesiredSubscription,
  isHeld,
  plan,
  type SubscriptionPlan,
  type SubscriptionSituation,
  sameAddress,
  shownSecret,
} from './plan.ts'
import { readRecord } from './record.ts'

/** Subscriptions with our URL that are looked at one by one for a secret. */
const mostLookUps = 3

export type SubscriptionClient = Pick<
  MonitorClient,
  'createWebhook' | 'listWebhooks' | 'getWebhook' | 'deleteWebhook'
>

export interface FoundSubscription {
  /** The ids of all subscriptions, of others too. */
  ids: ReadonlySet<string>
  /** Those with our URL. */
  mine: Webhook[]
}

/**
 * The subscriptions with our URL, with what can be learnt of their secrets. The current one is asked for by
 * its id if the list does not show it: the list may be the first of several pages.
 */
export async function findSubscriptions(
  client: SubscriptionClient,
  publicUrl: string,
  known: Omit<SubscriptionSituation, 'mine'>,
  signal: AbortSignal,
): Promise<FoundSubscription> {
  const { current } = known.record
  const all = await client.listWebhooks(signal)
  const missing = current !== null && !all.some(({ id }) => id === current.id) ? current : undefined
  if (missing !== undefined && sameAddress(missing.url, publicUrl)) {
    const webhook = await lookUp(client, missing.id, signal)
    if (webhook !== undefined) all.push(webhook)
  }
  const mine = all.filter(({ id, url }) => (url === null ? id === current?.id : sameAddress(url, publicUrl)))
  return { ids: new Set(all.map(({ id }) => id)), mine: await withSecrets(client, mine, known, signal) }
}

/** Reads each subscription for its secret, unless we already hold the secret of one. */
async function withSecrets(
  client: SubscriptionClient,
  mine: Webhook[],
  known: Omit<SubscriptionSituation, 'mine'>,
  signal: AbortSignal,
): Promise<Webhook[]> {
  if (mine.some((webhook) => isHeld(webhook, { ...known, mine }))) return mine
  const detailed: Webhook[] = []
  for (const [index, webhook] of mine.entries()) {
    const detail = index < mostLookUps ? await lookUp(client, webhook.id, signal) : undefined
    detailed.push({ ...webhook, secret: detail?.secret ?? webhook.secret })
  }
  return detailed
}

/** How `serve` would find the subscription now, and what it would do. Asks, and changes nothing. */
export async function lookAhead(
  client: SubscriptionClient,
  publicUrl: string,
  { stored, ...known }: { stored: unknown; wanted: DesiredSubscription; secretConfigured: boolean },
): Promise<SubscriptionPlan> {
  const situation = { ...known, record: readRecord(stored).record }
  const { mine } = await findSubscriptions(client, publicUrl, situation, new AbortController().signal)
  return plan({ ...situation, mine })
}

/** The secret of a new subscription whose creation did not return it. */
export async function lookUpSecret(client: SubscriptionClient, id: string): Promise<string | undefined> {
  const webhook = await lookUp(client, id)
  return webhook === undefined ? undefined : shownSecret(webhook)
}

async function lookUp(
  client: SubscriptionClient,
  id: string,
  signal?: AbortSignal,
): Promise<Webhook | undefined> {
  try {
    return await client.getWebhook(id, signal)
  } catch (error) {
    if (error instanceof NotFound) return undefined
    throw error
  }
}

/** How the subscription stands, with a sentence for the operator. Times are ISO 8601, UTC. No secrets. */
export type SubscriptionStatus =
  /** Not asked yet, or what we remember could not be read. */
  | { state: 'unknown'; why: string }
  /** The service has it and we hold its secret. `remark`: what an operator should know all the same. */
  | { state: 'active'; id: string; since: string; remark?: string }
  /** There is none for our URL, and none could be made. */
  | { state: 'missing'; why: string }
  /** There is one, but it will not do, and no better one could be made. */
  | { state: 'inactive'; why: string }
  /** The service did not answer, or not as the interface says. The subscription may well be in order. */
  | { state: 'unreachable'; why: string; since: string }
  /** The service does not let us: a person must act. */
  | { state: 'refused'; why: string }

/** What a failed call says about the subscription. `since`: when calls began to fail, ISO 8601. */
export function statusOf(error: MonitorError, since: string): SubscriptionStatus {
  return isRefusal(error)
    ? { state: 'refused', why: error.message }
    : { state: 'unreachable', why: error.message, since }
}

/** Whether a creation that did not end well has left a subscription behind. */
export function leftBehind(error: unknown): 'no' | 'perhaps' | 'likely' {
  if (!(error instanceof MonitorError) || isRefusal(error) || error instanceof RateLimited) return 'no'
  if (error instanceof Unreachable) return error.timedOut ? 'likely' : 'perhaps'
  return error instanceof Unintelligible && (error.status ?? 0) < 300 ? 'likely' : 'perhaps'
}

function isRefusal(error: MonitorError): boolean {
  return (
    error instanceof Unauthenticated ||
    error instanceof MissingScope ||
    error instanceof BadRequest ||
    error instanceof NotFound
  )
}
