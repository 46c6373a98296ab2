import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../platform/clock.ts'
import { hourMs, minuteMs } from '../../platform/durations.ts'
import type { Webhook } from '../../service/client/endpoints/webhooks.ts'
import { askedToWait, MonitorError, NotFound } from '../../service/client/errors.ts'
import { createSubscription } from './create.ts'
import { type DesiredSubscription, judge, plan, type SubscriptionFlaw, shownSecret } from './plan.ts'
import { asCurrent, openSubscriptionState, refresh, type SubscriptionRecord, withCurrent } from './record.ts'
import { findSubscriptions, type SubscriptionClient, type SubscriptionStatus, statusOf } from './service.ts'

/** After a failure; doubles with each, up to the longest. Milliseconds. */
const firstPauseMs = 5_000
const longestPauseMs = 5 * minuteMs
/** While all is well, checks get a tenth of the plan's requests, and are never closer than this. */
const shareOfPlan = 0.1
const shortestIntervalMs = 5 * minuteMs
/** Deliveries show that the service has the subscription; what else it shows of it is checked this often all the same. */
const longestIntervalMs = hourMs

export interface KeeperOptions {
  client: SubscriptionClient
  /** The full URL of our webhook, as the service reaches it. */
  publicUrl: string
  /** The union of what all channels want. */
  wanted: DesiredSubscription
  /** Secrets that the operator gave: of a subscription that he made himself, or of an older one. */
  configuredSecrets: readonly string[]
  /** Where the record of the subscription is kept; it holds secrets. `change` resolves when it is on disk. */
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
  clock: Clock
  /** Requests per hour of the plan. */
  tier: number
  /** Gets each change of the status. Must not throw. */
  onStatus(status: SubscriptionStatus): void
  /** Gets errors that don't change the status: a subscription that could not be deleted, a record that was not stored. */
  onError?(error: Error): void
}

export type SubscriptionKeeper = ReturnType<typeof keepSubscription>

/**
 * Makes sure that the service has exactly one subscription with our URL, for the events and models that the
 * channels want, and that we hold its secret. A new one is made, and its secret stored, before an old one is
 * deleted. Subscriptions with other URLs are never touched.
 */
export function keepSubscription(options: KeeperOptions) {
  const { client, clock, publicUrl, wanted } = options
  const secretConfigured = options.configuredSecrets.length > 0
  const state = openSubscriptionState({ ...options, report })
  let stopping = new AbortController()
  let status: SubscriptionStatus = { state: 'unknown', why: 'Bluepencil has not contacted the service yet.' }
  let looking: Promise<SubscriptionStatus> | undefined
  let keeping: Promise<void> | undefined
  let askedMs = 0
  let isDelivered = false

  async function keepOn(): Promise<void> {
    let failures = 0
    while (!stopping.signal.aborted) {
      const { state: now } = await ensureNow()
      failures = now === 'active' ? 0 : failures + 1
      if (failures === 0) await nextCheck()
      else await clock.sleep(pauseAfter(failures), stopping.signal)
    }
  }

  /** Ends when nothing was delivered for a while, and within the hour. */
  async function nextCheck(): Promise<void> {
    const intervalMs = Math.max(hourMs / (options.tier * shareOfPlan), shortestIntervalMs)
    for (let passedMs = 0; passedMs < longestIntervalMs; passedMs += intervalMs) {
      isDelivered = false
      await clock.sleep(intervalMs, stopping.signal)
      if (!isDelivered || stopping.signal.aborted) return
    }
  }

  function pauseAfter(failures: number): number {
    const backoff = Math.min(firstPauseMs * 2 ** Math.min(failures - 1, 10), longestPauseMs)
    return Math.max(backoff, askedMs)
  }

  /** Checks now; two calls at once share one check. Never rejects. */
  function ensureNow(): Promise<SubscriptionStatus> {
    if (stopping.signal.aborted) return Promise.resolve(status)
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }

  async function look(): Promise<SubscriptionStatus> {
    const next = await ensure().catch(failed)
    if (isDeepStrictEqual(status, next)) return status
    status = next
    options.onStatus(next)
    return next
  }

  function failed(error: unknown): SubscriptionStatus {
    if (stopping.signal.aborted) return status
    askedMs = askedToWait(error)
    if (error instanceof MonitorError)
      return statusOf(error, status.state === 'unreachable' ? status.since : now())
    report('The stored subscription could not be read', error)
    return {
      state: 'unknown',
      why: 'The stored subscription could not be read; see the log, and check the disk.',
    }
  }

  async function ensure(): Promise<SubscriptionStatus> {
    askedMs = 0
    await state.load()
    const situation = { wanted, record: state.record(), secretConfigured }
    const { ids, mine } = await findSubscriptions(client, publicUrl, situation, stopping.signal)
    if (stopping.signal.aborted) return status

    const record = refresh(situation.record, ids, clock.now())
    const next = plan({ ...situation, mine })
    if (next.step === 'keep') {
      await state.update(withKept(record, next.webhook))
      return standing(next.webhook, next.flaw, await remove(next.surplus))
    }
    await state.update(record)
    const created = await createSubscription({ ...options, state, secretConfigured, report }, next.why)
    if ('why' in created) return { state: mine.length === 0 ? 'missing' : 'inactive', why: created.why }
    const { webhook } = created
    const verdict = judge(webhook, { wanted, record: state.record(), secretConfigured, mine: [webhook] })
    return standing(webhook, verdict.fit ? verdict.flaw : undefined, await remove(mine))
  }

  /** The secret of what is kept: known, shown by the service (another one, if it was changed there), or the operator's. */
  function withKept(record: SubscriptionRecord, webhook: Webhook): SubscriptionRecord {
    const { current } = record
    const secret = shownSecret(webhook)
    if (webhook.id === current?.id && (secret ?? current.secret) === current.secret) {
      return { ...record, creating: false }
    }
    const kept = secret === undefined ? null : asCurrent(webhook, { secret, url: publicUrl, wanted })
    return withCurrent(record, kept, clock.now())
  }

  /** Returns the ids of those that are still there; they go at a later look. */
  async function remove(surplus: readonly Webhook[]): Promise<string[]> {
    const left: string[] = []
    for (const { id } of surplus) {
      if (stopping.signal.aborted) return left
      try {
        await client.deleteWebhook(id)
      } catch (error) {
        if (error instanceof NotFound) continue
        left.push(id)
        report(`The surplus subscription ${id} could not be deleted; the next check tries again`, error)
      }
    }
    return left
  }

  function standing(
    { id }: Webhook,
    flaw: SubscriptionFlaw | undefined,
    left: readonly string[],
  ): SubscriptionStatus {
    if (flaw?.kind === 'inactive') return { state: 'inactive', why: flaw.why }
    const since = status.state === 'active' && status.id === id ? status.since : now()
    const remarks = flaw === undefined ? [] : [flaw.why]
    if (left.length > 0) remarks.push(`Still to be deleted: ${left.join(', ')}.`)
    return { state: 'active', id, since, ...(remarks.length === 0 ? {} : { remark: remarks.join(' ') }) }
  }

  function now(): string {
    return new Date(clock.now()).toISOString()
  }

  function report(what: string, cause: unknown): void {
    options.onError?.(new Error(`${what}.`, { cause }))
  }

  return {
    /** Begins to look after the subscription, also after a stop. Neither waits nor throws: the service may be away. */
    start(): void {
      if (stopping.signal.aborted) stopping = new AbortController()
      keeping ??= keepOn()
    },
    /**
     * Resolves when what is stored is read, or could not be: what comes in earlier may seem wrongly signed. To be called again
     * before `start` if another keeper may have written since.
     */
    ready: (): Promise<void> => state.loadAgain().catch(() => undefined),
    /** A delivery was verified. */
    delivered(): void {
      isDelivered = true
    },
    ensureNow,
    secrets: state.secrets,
    status: () => status,
    /** Ends when what is under way is done. A creation that has begun is finished, nothing else is begun. */
    async stop(): Promise<void> {
      stopping.abort()
      await keeping
      await looking
      keeping = undefined
    },
  }
}
