import type { AlertEvent } from '../../event/event.ts'
import type { ShownByFigures } from '../../event/levels.ts'
import { type Clock, isoOrNull } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import type { PollClient, ReadMoment } from './fetch.ts'
import { type AlertedChange, seenIn } from './levels.ts'
import { createListReading } from './list-reading.ts'
import { decide, type VerifiedDelivery, withDelivery, withFound, withoutFound, withRefusal } from './mode.ts'
import { createNotices, type PollingIncidents } from './notices.ts'
import { createBackoff, type PollingPlan, planFor } from './plan.ts'
import { readRound } from './round.ts'
import {
  following,
  isUnreadable,
  knownModel,
  type ModeDecision,
  noLater,
  pollingStateFrom,
  served,
} from './state.ts'

export interface PollerParts {
  client: PollClient
  /** Those that any channel wants, and the types of events that the subscription asks for. */
  models: readonly string[]
  events: readonly string[]
  /** Requests per hour. */
  tier: number
  /** As configured under `polling`; the interval in milliseconds. */
  mode: 'auto' | 'always' | 'off'
  interval?: number | undefined
  alertsPath?: string | undefined
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  /** Undefined if Bluepencil keeps no subscription. */
  subscription(): { state: string; why?: string } | undefined
  /** Whether a request may be spent on a reading that an alert asks for. */
  maySpend: () => Promise<boolean>
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
  clock: Clock
  /** Deliveries that were verified before it began, oldest first. */
  delivered(): readonly VerifiedDelivery[]
  /** Resolves when the event is on disk. */
  accept(event: AlertEvent): Promise<'new' | 'duplicate'>
  incidents: PollingIncidents
  onMode(decision: ModeDecision): void
  onRound(round: { outcome: 'done' | 'failed'; found: number; error?: unknown }): void
  onError(error: unknown): void
}

/** Way in 2: reads the published figures, and finds the changes itself. */
export interface Poller {
  /** Times are ISO 8601, UTC. */
  status(): {
    mode: ModeDecision['mode']
    reason: string
    since: string
    lastLook: string | null
    lastSuccess: string | null
    nextLook: string | null
  }
  /** What the published figures that polling has show of a step. */
  seen(step: AlertedChange): ShownByFigures
  /** An alert about this model was accepted: its figures are read once before they are due, if requests are left for that. */
  readSoon(model: string | null): void
  /** A delivery was verified, and this was in it. */
  delivered(event: AlertEvent): void
  /** A delivery was refused: `forged`, `unsigned`, `no_secret`. */
  refused(outcome: string): void
  /** Resolves when the current round is done or cut off, and stored. */
  stop(): Promise<void>
}

/** When each is read next; milliseconds since the epoch. `alerted`: the figures of a model with a new alert. */
interface DueTimes {
  figures: number
  alerted: number
  alerts: number
}
const never = Number.POSITIVE_INFINITY

/** Figures are read because of an alert this often at most. */
const alertedMs = minuteMs
/** Whether to poll, and how fast, is decided this often. */
const decideMs = minuteMs

export function startPolling(parts: PollerParts): Poller {
  const { clock, client, models } = parts
  const notices = createNotices(parts.incidents)
  const stopping = new AbortController()
  let waking = new AbortController()
  let state = pollingStateFrom(undefined, clock.now())
  /** This process, or this configuration of it. */
  const begunAt = clock.now()
  const backoff = createBackoff(begunAt)
  const list = createListReading({
    ...parts,
    begunAt,
    stopping: stopping.signal,
    current: () => state.figures.alerts,
    set(alerts) {
      state = { ...state, figures: { ...state.figures, alerts } }
    },
    longestMs: () => intervalOf('alertsMs'),
    acceptAll,
    notices,
  })
  /** Each start reports the mode, even if it is the one before. */
  let isModeReported = false
  /** By model, when its newest alert came; those that were not read since. */
  const alertedAt = new Map<string, number>()
  let noSpareUntil = 0

  function planNow(): PollingPlan {
    const { tier, interval } = parts
    return planFor({ tier, models: models.length, fastestMs: interval, ...served(state.figures) })
  }

  function decisionAt(now: number): ModeDecision {
    const { decision: before, webhooks } = state
    return decide({ ...webhooks, configured: parts.mode, subscription: parts.subscription() }, before, now)
  }

  function decideNow(now: number): ModeDecision {
    const { decision: before } = state
    const decision = decisionAt(now)
    state = { ...state, decision }
    const isChange = decision.mode !== before?.mode || decision.reason !== before.reason
    if (isChange || !isModeReported) parts.onMode(decision)
    isModeReported = true
    notices.mode(decision, planNow(), now)
    return decision
  }

  /** The model whose alert waits longest for a reading; undefined if all were read since. */
  function nextAlerted(): string | undefined {
    for (const [model, at] of alertedAt) {
      if ((knownModel(state.figures, model).askedAt ?? 0) <= at) return model
      alertedAt.delete(model)
    }
    return undefined
  }

  function dueTimes(mode: ModeDecision['mode'], now: number): DueTimes {
    if (mode === 'off') return { figures: never, alerted: never, alerts: never }
    const { by, figuresMs, alertsMs } = planNow()
    const earliest = backoff.until(now)
    const model = nextAlerted()
    const readAt = model === undefined ? never : (knownModel(state.figures, model).askedAt ?? 0)
    const pause = by === 'compare' ? figuresMs[mode] : figuresMs[mode] / models.length
    return {
      figures: Math.max((state.lookedAt ?? 0) + pause, earliest),
      alerted: Math.max(readAt + alertedMs, earliest, Math.min(noSpareUntil, now + alertedMs)),
      alerts: alertsMs === null ? never : list.dueAt(alertsMs[mode], now),
    }
  }

  async function run(): Promise<void> {
    const remembered = await parts.state.read().catch((error: unknown) => parts.onError(error))
    if (isUnreadable(remembered)) await notices.lostState(clock.now()).catch(parts.onError)
    const stored = pollingStateFrom(remembered, clock.now())
    const now = clock.now()
    const webhooks = parts.delivered().reduce((known, one) => withDelivery(known, one, now), stored.webhooks)
    state = { ...stored, webhooks, figures: following(stored.figures, models, now) }
    list.begin()
    while (!stopping.signal.aborted) {
      const now = clock.now()
      state = noLater(state, now)
      const due = dueTimes(decideNow(now).mode, now)
      const next = nextOf(due)
      if (due.alerted <= now && !(await isSpare(now))) continue
      if (next <= now) await readDue(due, now)
      else {
        waking = new AbortController()
        await clock.sleep(Math.min(next - now, decideMs), waking.signal)
      }
    }
  }

  /** Whether a request is left for what an alert asks for. If not, the next try is a minute later. */
  async function isSpare(now: number): Promise<boolean> {
    const isLeft = await parts.maySpend().catch((error: unknown) => parts.onError(error))
    if (isLeft !== true) noSpareUntil = now + alertedMs
    return isLeft === true
  }

  async function readDue(due: DueTimes, now: number): Promise<void> {
    const moment = { now, signal: stopping.signal }
    try {
      if (due.alerts <= now) await list.read(moment)
      if (due.figures <= now) recordFigures(await readDueFigures(moment), now)
      else if (due.alerted <= now) recordFigures(await readAlertedModel(moment), now)
    } catch (error) {
      if (stopping.signal.aborted) return
      parts.onRound({ outcome: 'failed', found: 0, error })
      notices.failure(error, backoff.failed(error, now, intervalOf('figuresMs')))
      list.figuresFailed()
    }
    await parts.state.change(() => state).catch(parts.onError)
  }

  function intervalOf(of: 'figuresMs' | 'alertsMs'): number {
    return planNow()[of]?.[state.decision?.mode === 'full' ? 'full' : 'slow'] ?? 0
  }

  function recordFigures(findings: number, now: number): void {
    state = { ...state, succeededAt: now }
    backoff.succeeded()
    notices.success()
    list.figuresRead(now)
    parts.onRound({ outcome: 'done', found: findings })
  }

  async function readDueFigures(moment: ReadMoment): Promise<number> {
    state = { ...state, lookedAt: moment.now }
    const findings = await readFigures(moment)
    await list.search(moment)
    return findings
  }

  /** A reading that fails is not repeated: the figures are read when they are due. */
  async function readAlertedModel(moment: ReadMoment): Promise<number> {
    const model = nextAlerted()
    if (model === undefined) return 0
    alertedAt.delete(model)
    const findings = await readFigures(moment, model)
    // By a comparison, all models were read.
    if (planNow().by === 'compare') state = { ...state, lookedAt: moment.now }
    return findings
  }

  /** If models are read in turn, it is the turn of `model`. */
  async function readFigures(moment: ReadMoment, model?: string): Promise<number> {
    const roundParts = { client, models, rates: parts.rates, historyMs: planNow().historyMs, model }
    const round = await readRound(roundParts, state.figures, moment)
    await acceptAll(round.events, moment.now)
    state = { ...state, figures: round.figures }
    notices.models(round, moment.now, begunAt)
    return round.events.length
  }

  /** Oldest first. Rejects if the store accepts nothing: what was found is then found again. */
  async function acceptAll(events: readonly AlertEvent[], now: number): Promise<void> {
    await notices.missed(events)
    for (const event of events.toSorted(byTime)) {
      const verdict = await parts.accept(event)
      const { webhooks } = state
      if (event.revises !== undefined) state = { ...state, webhooks: withoutFound(webhooks, event.revises) }
      else if (verdict === 'new' && isDeliveryDue(event))
        state = { ...state, webhooks: withFound(webhooks, event, now) }
    }
  }

  /** Whether the service should deliver the same change, if webhooks are healthy. */
  function isDeliveryDue({ type, confirms, missedSince }: AlertEvent): boolean {
    if (confirms !== undefined || missedSince !== undefined) return false
    return type !== null && parts.events.includes(type) && parts.subscription()?.state === 'active'
  }

  const running = run().catch(parts.onError)

  return {
    status() {
      const { lookedAt, succeededAt } = state
      const now = clock.now()
      // The subscription may have changed since the last decision.
      const { mode, reason, since } = decisionAt(now)
      return {
        mode,
        reason,
        since: new Date(since).toISOString(),
        lastLook: isoOrNull(lookedAt),
        lastSuccess: isoOrNull(succeededAt),
        nextLook: isoOrNull(Math.max(nextOf(dueTimes(mode, now)), now)),
      }
    },
    seen: (step) => seenIn(state, step),
    readSoon(model) {
      if (model === null || !models.includes(model)) return
      if (!alertedAt.has(model)) waking.abort()
      alertedAt.set(model, clock.now())
    },
    delivered(event) {
      state = { ...state, webhooks: withDelivery(state.webhooks, { event, at: clock.now() }) }
    },
    refused(outcome) {
      state = { ...state, webhooks: withRefusal(state.webhooks, outcome, clock.now()) }
    },
    async stop() {
      stopping.abort()
      waking.abort()
      await running
      await parts.state.change(() => state).catch(parts.onError)
    },
  }
}

const nextOf = ({ figures, alerted, alerts }: DueTimes) => Math.min(figures, alerted, alerts)

const byTime = (one: AlertEvent, other: AlertEvent) =>
  (one.detectedAt ?? '').localeCompare(other.detectedAt ?? '')
