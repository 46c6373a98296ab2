import type { AlertEvent } from '../../event/event.ts'
import type { ShownByFigures } from '../../event/levels.ts'
import { type Clock, isoOrNull } from '../../platform/clock.ts'
import { minuteMs } from '../../platform/durations.ts'
import { Unauthenticated } from '../../service/client/errors.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import { findAlerts, isSearchDue, readAlerts } from './alerts.ts'
import type { PollClient } from './fetch.ts'
import { ingest } from './ingest.ts'
import { type AlertedChange, seenIn } from './levels.ts'
import {
  decide,
  type ModeDecision,
  type PollingMode,
  untold,
  type VerifiedDelivery,
  withDelivery,
  withFound,
  withoutFound,
  withRefusal,
} from './mode.ts'
import { createBackoff, inWords, type PollingPlan, planFor } from './plan.ts'
import { problemsOfModels } from './problems.ts'
import { asMissed, readRound } from './round.ts'
import {
  following,
  isUnreadable,
  knownModel,
  noLater,
  type PollingState,
  pollingStateFrom,
  served,
} from './state.ts'

export interface PollerParts {
  client: PollClient
  /** Those that any channel wants to hear of, and the types of events that the subscription asks for. */
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
  /** Undefined where Bluepencil keeps no subscription. */
  subscription(): { state: string; why?: string } | undefined
  /** Whether a request may be spent on a reading that an alert asks for. */
  maySpend: () => Promise<boolean>
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
  clock: Clock
  /** Deliveries that were verified before it began, oldest first. */
  delivered(): readonly VerifiedDelivery[]
  /** Resolves when the event is on disk. */
  take(event: AlertEvent): Promise<'new' | 'duplicate'>
  /** The operators: told once when a trouble begins, and once when it is over. */
  incidents: {
    opens(key: string, report: { title: string; text: string }): void
    resolves(key: string, text: string): void
    once(key: string, episode: string, report: { title: string; text: string }): Promise<void>
  }
  onMode(decision: ModeDecision): void
  onRound(look: { outcome: 'done' | 'failed'; found: number; error?: unknown }): void
  onError(error: unknown): void
}

/** Milliseconds since the epoch. */
interface DueTimes {
  figures: number
  asked: number
  alerts: number
}

const never: DueTimes = {
  figures: Number.POSITIVE_INFINITY,
  asked: Number.POSITIVE_INFINITY,
  alerts: Number.POSITIVE_INFINITY,
}

interface PollingStatus {
  mode: PollingMode
  reason: string
  /** ISO 8601, UTC. */
  since: string
  lastLook: string | null
  lastSuccess: string | null
  nextLook: string | null
}

/** Way in 2: reads the published figures, and finds the changes itself. */
export interface Poller {
  status(): PollingStatus
  /** What the published figures that polling has show of a step. */
  seen(step: AlertedChange): ShownByFigures
  /** An alert about this model was accepted: its figures are read once before they are due, if requests are left for that. */
  readSoon(model: string | null): void
  /** A delivery was verified, and this was in it. */
  delivered(event: AlertEvent): void
  /** A delivery was turned away: `forged`, `unsigned`, `no_secret`. */
  refused(outcome: string): void
  /** Ends when what is under way is done or cut off, and stored. */
  stop(): Promise<void>
}

/** What alerts ask for is read this often at most. */
const askedMs = minuteMs
/** Whether to poll, and how fast, is decided this often. */
const decideMs = minuteMs
/** Webhooks that fail for less are nothing to wake anybody for. */
const troubleGraceMs = 5 * minuteMs
const failingGraceMs = 30 * minuteMs

export function startPolling(parts: PollerParts): Poller {
  const { clock, client, models, incidents } = parts
  const stopping = new AbortController()
  let state: PollingState = pollingStateFrom(undefined, clock.now())
  /** This process, or this configuration of it. */
  const begunAt = clock.now()
  /** Each start says how polling stands, also where it goes on as it was. */
  let isSaid = false
  const backoff = createBackoff(begunAt)
  /** By model, when the newest alert asked for its figures; those that were not read since. */
  const asked = new Map<string, number>()
  /** Nothing that alerts ask for is read before. */
  let spareAt = 0
  let waking = new AbortController()

  function planNow(): PollingPlan {
    const { tier, interval } = parts
    return planFor({ tier, models: models.length, fastestMs: interval, ...served(state.figures) })
  }

  function decideNow(): ModeDecision {
    const now = clock.now()
    const { deliveredAt, refused } = state.webhooks
    const known = {
      configured: parts.mode,
      subscription: parts.subscription(),
      deliveredAt,
      refused,
      untold: untold(state.webhooks, now),
    }
    const before = state.decision ?? undefined
    const decision = decide(known, before, now)
    state = { ...state, decision }
    if (!isSaid || decision.mode !== before?.mode || decision.reason !== before.reason) parts.onMode(decision)
    isSaid = true
    tellOf(decision, now)
    return decision
  }

  function tellOf({ mode, reason, trouble, since }: ModeDecision, now: number): void {
    if (mode === 'full' && trouble) {
      if (now - since < troubleGraceMs) return
      const every = inWords(planNow().figuresMs.full)
      const text = `The published figures are read every ${every} instead, and changes are found in them: ${reason}.`
      incidents.opens('polling', { title: 'Webhooks cannot be relied upon', text })
    } else
      incidents.resolves(
        'polling',
        mode === 'slow' ? 'Webhooks can be relied upon again' : `Polling is ${mode}: ${reason}`,
      )
  }

  /** The model that waited longest of those that alerts ask for; undefined if all were read since. */
  function nextAsked(): string | undefined {
    for (const [model, at] of asked) {
      if ((knownModel(state.figures, model).askedAt ?? 0) <= at) return model
      asked.delete(model)
    }
    return undefined
  }

  /** When the figures, those of a model that alerts ask for, and the alerts are due. */
  function due(mode: 'full' | 'slow'): DueTimes {
    const plan = planNow()
    const each = plan.by === 'compare' ? plan.figuresMs[mode] : plan.figuresMs[mode] / models.length
    const alerts = state.figures.alerts
    const read = alerts === null || alerts.path === null ? undefined : (alerts.readAt ?? 0)
    const now = clock.now()
    const earliest = backoff.until(now)
    const after = (last: number, pause: number) => Math.max(last + pause, earliest)
    const model = nextAsked()
    const lastAt = model === undefined ? Number.POSITIVE_INFINITY : knownModel(state.figures, model).askedAt
    return {
      asked: Math.max(after(lastAt ?? 0, askedMs), Math.min(spareAt, now + askedMs)),
      figures: after(state.lookedAt ?? 0, each),
      alerts:
        read === undefined || plan.alertsMs === null
          ? Number.POSITIVE_INFINITY
          : after(read, plan.alertsMs[mode]),
    }
  }

  async function run(): Promise<void> {
    const remembered = await readState()
    if (isUnreadable(remembered)) await tellForgotten()
    const stored = pollingStateFrom(remembered, clock.now())
    const now = clock.now()
    const webhooks = parts.delivered().reduce((known, one) => withDelivery(known, one, now), stored.webhooks)
    state = { ...stored, webhooks, figures: following(stored.figures, models, now) }
    while (!stopping.signal.aborted) {
      const now = clock.now()
      state = noLater(state, now)
      const { mode } = decideNow()
      const when = mode === 'off' ? never : due(mode)
      const next = nextOf(when)
      if (when.asked <= now && !(await isSpare(now))) continue
      if (next <= now) await lookNow(when, now)
      else {
        waking = new AbortController()
        await clock.sleep(Math.min(next - now, decideMs), waking.signal)
      }
    }
  }

  async function tellForgotten(): Promise<void> {
    const title = 'Polling begins anew'
    const text =
      'What it remembered cannot be read. What changed in the published figures since the last reading is not reported.'
    await incidents
      .once('polling:anew', new Date(clock.now()).toISOString(), { title, text })
      .catch(parts.onError)
  }

  async function readState(): Promise<unknown> {
    return await parts.state.read().catch((error: unknown) => {
      parts.onError(error)
      return undefined
    })
  }

  /** Whether a reading may be spent on what alerts ask for; if not, that is asked again a minute later. */
  async function isSpare(now: number): Promise<boolean> {
    const isLeft = await parts.maySpend().catch((error: unknown) => parts.onError(error))
    if (isLeft !== true) spareAt = now + askedMs
    return isLeft === true
  }

  async function lookNow(when: DueTimes, now: number): Promise<void> {
    const moment = { now, signal: stopping.signal }
    try {
      let found = 0
      if (when.alerts <= now) found += await lookAtAlerts(moment)
      if (when.figures <= now) found += await lookAtFigures(moment)
      else if (when.asked <= now) found += await lookAtAsked(moment)
      state = { ...state, succeededAt: now }
      backoff.succeeded()
      incidents.resolves('figures', 'The published figures can be read again')
      parts.onRound({ outcome: 'done', found })
    } catch (error) {
      if (stopping.signal.aborted) return
      failed(error, now)
    }
    await parts.state.change(() => state).catch(parts.onError)
  }

  async function lookAtAlerts(moment: { now: number; signal: AbortSignal }): Promise<number> {
    const { alerts } = state.figures
    if (alerts === null || alerts.path === null) return 0
    const read = await readAlerts(client, { ...alerts, path: alerts.path }, moment)
    await take(asMissed(read.events, alerts.readAt, moment.now), moment.now)
    state = { ...state, figures: { ...state.figures, alerts: read.alerts } }
    return read.events.length
  }

  /** A reading that fails is not repeated: the figures are read when they are due. */
  async function lookAtAsked(moment: { now: number; signal: AbortSignal }): Promise<number> {
    const model = nextAsked()
    if (model === undefined) return 0
    asked.delete(model)
    const found = await readFigures(moment, model)
    // By a comparison, all models were read.
    if (planNow().by === 'compare') state = { ...state, lookedAt: moment.now }
    return found
  }

  async function lookAtFigures(moment: { now: number; signal: AbortSignal }): Promise<number> {
    const { now } = moment
    state = { ...state, lookedAt: now }
    const found = await readFigures(moment)
    if (isSearchDue(state.figures.alerts, parts.alertsPath, now)) {
      const alerts = await findAlerts(client, parts.alertsPath, moment)
      state = { ...state, figures: { ...state.figures, alerts } }
    }
    return found
  }

  /** If models are read in turn, it is the turn of `model`. */
  async function readFigures(moment: { now: number; signal: AbortSignal }, model?: string): Promise<number> {
    const { now } = moment
    const { historyMs } = planNow()
    const round = { client, models, rates: parts.rates, historyMs, model }
    const looked = await readRound(round, state.figures, moment)
    await take(looked.events, now)
    state = { ...state, figures: looked.figures }
    for (const { model, problem } of problemsOfModels(looked, { now, begunAt })) {
      const key = `figures:${model}`
      if (problem === undefined) incidents.resolves(key, `The figures of ${model} are as usual again`)
      else {
        const title = `The figures of ${model} cannot be used as they are`
        incidents.opens(key, { title, text: `${model}: ${problem}.` })
      }
    }
    return looked.events.length
  }

  function take(events: readonly AlertEvent[], now: number): Promise<void> {
    return ingest(events, {
      take: parts.take,
      incidents,
      onNew(event) {
        const isAsked = event.type !== null && parts.events.includes(event.type)
        if (!isAsked || event.missedSince !== undefined || parts.subscription()?.state !== 'active') return
        state = { ...state, webhooks: withFound(state.webhooks, event, now) }
      },
      onTakenBack(id) {
        state = { ...state, webhooks: withoutFound(state.webhooks, id) }
      },
    })
  }

  function failed(error: unknown, now: number): void {
    parts.onRound({ outcome: 'failed', found: 0, error })
    const mode = state.decision?.mode === 'full' ? 'full' : 'slow'
    const failingMs = backoff.failed(error, now, planNow().figuresMs[mode])
    if (error instanceof Unauthenticated || failingMs >= failingGraceMs) {
      const text = error instanceof Error ? error.message : String(error)
      incidents.opens('figures', { title: 'The published figures cannot be read', text })
    }
  }

  const running = run().catch(parts.onError)

  return {
    status() {
      const { decision, lookedAt, succeededAt } = state
      const mode = decision?.mode ?? 'off'
      const now = clock.now()
      return {
        mode,
        reason: decision?.reason ?? 'not decided yet',
        since: new Date(decision?.since ?? now).toISOString(),
        lastLook: isoOrNull(lookedAt),
        lastSuccess: isoOrNull(succeededAt),
        nextLook: mode === 'off' ? null : isoOrNull(Math.max(nextOf(due(mode)), now)),
      }
    },
    seen: (step) => seenIn(state, step),
    readSoon(model) {
      if (model === null || !models.includes(model)) return
      if (!asked.has(model)) waking.abort()
      asked.set(model, clock.now())
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

function nextOf({ figures, asked, alerts }: DueTimes): number {
  return Math.min(figures, asked, alerts)
}
