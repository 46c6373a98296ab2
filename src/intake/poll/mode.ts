import type { AlertEvent } from '../../event/event.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts'
import type { Store } from '../../store/store.ts'
import { type ComparedChange, type ModeDecision, noneRefused, type WebhookDeliveries } from './state.ts'

/** What is known of the way by webhook. Times in milliseconds since the epoch. */
export interface WebhookHealth extends WebhookDeliveries {
  configured: 'auto' | 'always' | 'off'
  /** Undefined if Bluepencil keeps no subscription, since it has no public address. */
  subscription: { state: string; why?: string } | undefined
}

/** Full rate stays on so long after its reason is gone, so that a failure that comes and goes is one notice. */
const calmMs = 15 * minuteMs
/** Deliveries that were refused longer ago say nothing about now. */
const recentMs = hourMs
/** One forged delivery may be a stranger's. */
const forgeries = 3
const strangers = 20
/** A subscription that was made by hand cannot be asked for; a delivery in so long shows that it lives. */
const byHandMs = 7 * dayMs

/** Whether to poll, how fast, and why. Pure: `before` is the last decision, null at the first. */
export function decide(known: WebhookHealth, before: ModeDecision | null, now: number): ModeDecision {
  const wanted = wantedMode(known, before, now)
  const since = before?.mode === wanted.mode ? before.since : now
  const isCalm = before?.mode === 'full' && wanted.mode === 'slow' && known.configured === 'auto'
  if (!isCalm || before === null) return { ...wanted, since, calmSince: null }
  const calmSince = Math.min(before.calmSince ?? now, now)
  if (now - calmSince >= calmMs) return { ...wanted, since: now, calmSince: null }
  const rest = `full rate goes on for ${calmMs / minuteMs} minutes to be sure`
  return { ...before, reason: current(`${wanted.reason}; ${rest}`, before), calmSince }
}

/** A notice about trouble names what caused it until it ends; any other reason is the one that counts now. */
function current(reason: string, before: ModeDecision): string {
  return before.trouble ? before.reason : reason
}

type WantedMode = Pick<ModeDecision, 'mode' | 'reason' | 'trouble'>

function wantedMode(known: WebhookHealth, before: ModeDecision | null, now: number): WantedMode {
  if (known.configured === 'off') return { mode: 'off', reason: 'polling.mode is off', trouble: false }
  if (known.configured === 'always') return full('polling.mode is always', false)
  if (known.subscription === undefined) return withoutKeeper(known, now)
  const { state, why } = known.subscription
  if (state === 'unknown') {
    const reason = 'the subscription has not been checked yet'
    if (before === null || before.mode === 'off') return slow(reason)
    return { ...before, reason: current(reason, before) }
  }
  if (state !== 'active') {
    const because = why === undefined ? '' : `: ${why.replace(/\.$/, '')}`
    // A service that cannot be reached has a notice of its own.
    return full(`the subscription is ${state}${because}`, state !== 'unreachable')
  }
  return failing(known, now) ?? slow('webhooks are healthy')
}

function withoutKeeper(known: WebhookHealth, now: number): WantedMode {
  const { deliveredAt } = known
  if (deliveredAt === null || now - deliveredAt > byHandMs) {
    return full('webhook.publicUrl is not set, and no webhook came from a subscription made by hand', false)
  }
  return failing(known, now) ?? slow('webhooks come from a subscription made by hand')
}

function failing({ refused, found }: WebhookHealth, now: number): WantedMode | undefined {
  if (now - refused.at <= recentMs) {
    // These have one notice of their own until a good delivery comes, or anybody could cause notices about polling.
    if (refused.noSecret > 0) return full('webhooks come, but there is no secret to verify them', false)
    if (refused.forged >= forgeries)
      return full('incoming webhooks do not match any of your signing secrets', false)
    if (refused.unsigned >= strangers) return full('incoming webhooks have no signature', false)
  }
  const undelivered = found.filter(({ at }) => now - at >= graceMs && now - at <= countedMs).length
  if (undelivered === 0) return undefined
  const changes = undelivered === 1 ? 'a change' : `${undelivered} changes`
  return full(`the figures showed ${changes} for which no webhook came`, true)
}

function full(reason: string, trouble: boolean): WantedMode {
  return { mode: 'full', reason, trouble }
}

function slow(reason: string): WantedMode {
  return { mode: 'slow', reason, trouble: false }
}

/** A delivery may come so long after polling found the change: retries of the service included. */
const graceMs = hourMs / 2
/** The same change may be dated so far apart: by the event, and by the first reading that shows it. */
const apartMs = 3 * dayMs
/** What polling found counts for a day, unless a delivery comes before. */
const countedMs = dayMs
const mostKept = 100

/** After a delivery that was verified at that time, new or not. What is known already changes nothing. */
export function withDelivery(
  webhooks: WebhookDeliveries,
  { event, at }: VerifiedDelivery,
  now: number = at,
): WebhookDeliveries {
  const change = changeOf(event, at)
  const before = recent(webhooks.delivered, now).filter(({ id }) => id !== change.id)
  return {
    deliveredAt: Math.max(webhooks.deliveredAt ?? at, at),
    refused: at >= webhooks.refused.at ? noneRefused : webhooks.refused,
    delivered: [...before, change].slice(-mostKept),
    found: recent(webhooks.found, now).filter((one) => !isSame(one, change)),
  }
}

/** After a delivery that could not be verified. */
export function withRefusal(webhooks: WebhookDeliveries, outcome: string, now: number): WebhookDeliveries {
  const { refused } = webhooks
  const counted = {
    forged: refused.forged + Number(outcome === 'forged'),
    unsigned: refused.unsigned + Number(outcome === 'unsigned'),
    noSecret: refused.noSecret + Number(outcome === 'no_secret'),
    at: now,
  }
  const isCounted = ['forged', 'unsigned', 'no_secret'].includes(outcome)
  return isCounted ? { ...webhooks, refused: counted } : webhooks
}

/** After an event that polling found and a delivery should bring, too. */
export function withFound(webhooks: WebhookDeliveries, event: AlertEvent, now: number): WebhookDeliveries {
  const change = changeOf(event, now)
  if (recent(webhooks.delivered, now).some((one) => isSame(one, change))) return webhooks
  return { ...webhooks, found: [...recent(webhooks.found, now), { ...change, at: now }].slice(-mostKept) }
}

/** After a finding was withdrawn: it will not be delivered. */
export function withoutFound(webhooks: WebhookDeliveries, eventId: string): WebhookDeliveries {
  return { ...webhooks, found: webhooks.found.filter(({ id }) => id !== eventId) }
}

function changeOf(event: VerifiedDelivery['event'], now: number): ComparedChange {
  const rises = event.delta === null || event.delta === 0 ? null : event.delta > 0
  const at = event.detectedAt === null ? now : Date.parse(event.detectedAt)
  return { id: event.id, model: event.model, rises, at }
}

function isSame(one: ComparedChange, other: ComparedChange): boolean {
  if (one.id === other.id) return true
  const sameWay = one.rises === null || other.rises === null || one.rises === other.rises
  return one.model === other.model && sameWay && Math.abs(one.at - other.at) <= apartMs
}

function recent(changes: readonly ComparedChange[], now: number): ComparedChange[] {
  return changes.filter(({ at }) => now - at <= 2 * apartMs)
}

/** A delivery that was verified, and when; milliseconds since the epoch. */
export interface VerifiedDelivery {
  event: Pick<AlertEvent, 'id' | 'model' | 'delta' | 'detectedAt'>
  at: number
}

/** The deliveries that were verified lately, even if nothing polled when they came. */
export interface DeliveryLog {
  add(event: VerifiedDelivery['event'], at: number): void
  /** Oldest first. */
  all(): readonly VerifiedDelivery[]
  /** Reads from the store what other processes accepted. */
  recall(): Promise<void>
}

/** Begins with those of the store: a process that was killed has written down nothing else of them. */
export async function recallDeliveries(
  store: Pick<Store, 'list'>,
  onError: (error: unknown) => void,
): Promise<DeliveryLog> {
  let kept: VerifiedDelivery[] = []

  function add({ id, model, delta, detectedAt }: VerifiedDelivery['event'], at: number): void {
    kept.push({ event: { id, model, delta, detectedAt }, at })
    if (kept.length > mostKept) kept.shift()
  }

  async function recall(): Promise<void> {
    const rows = await store.list({ kind: 'alert', limit: mostKept, withoutOutcomes: true })
    const keptIds = new Set(kept.map(({ event }) => event.id))
    for (const { entry } of rows) {
      if (entry.kind === 'alert' && entry.source === 'webhook' && !keptIds.has(entry.id)) {
        const { id, model, delta, detectedAt } = entry
        kept.push({ event: { id, model, delta, detectedAt }, at: Date.parse(entry.receivedAt) })
      }
    }
    kept = kept.toSorted((one, other) => one.at - other.at).slice(-mostKept)
  }

  await recall().catch(onError)
  return { add, all: () => [...kept], recall }
}
