import { dayMs } from '../../platform/durations.ts'
import { pooled, promptsBehind, usualInterval } from './bins.ts'
import { wasGlitch } from './habits.ts'
import { noiseOf, withoutWaiting } from './noise.ts'
import { type ObservedRate, perRate, rateNames } from './observation.ts'
import { rateAt } from './scale.ts'
import type { DetectorState, OpenChange } from './state.ts'
import type { RateStep } from './step.ts'

/** A step that lasts so long stays. */
const staysAfterDays = 7
/** Changes that begin within so many days are one; within so many readings, if these are rarer than daily. */
const togetherDays = 3
/** A change is over by the mean of some readings: of so many that before and after are this many standard errors apart, */
const apart = 8
/** and if it is back within this part of the way; the step as found is rather too large than too small. */
const backWithin = 1 / 3
/** A change is remembered for as long as what follows may be more of the same story. */
const rememberedDays = 150
/** What returns within so many days was a spike or a dip: that it ends is the end of its story. */
const dipDays = 21
const dipReadings = 7
/** What comes again, or goes on, within so many days belongs to the story, */
const storyDays = 30
/** for a drift within so many after it, or the step that was seen of it, was last found, */
const driftDays = 90
/** unless it is larger by so much. */
const larger = 1.5
/** Means of readings that vary by so much more than independent ones would overlap, or move slowly. */
const gradual = 0.5
/** Standard errors from which on the reading with which a step began is hardly ever taken for its neighbour. */
export const dated = 6

/** Two beginnings within so many milliseconds are one change. */
export function sameChangeMs(interval: number): number {
  return togetherDays * Math.max(dayMs, interval)
}

/** The state after a step: what it covers begins a new baseline with the step's first reading. */
export function withStep(
  state: DetectorState,
  step: RateStep,
  { kind, drifts }: Pick<OpenChange, 'kind' | 'drifts'>,
  foundAt: number,
): DetectorState {
  const covered = coveredBy(step.rate)
  const change: OpenChange = {
    kind,
    rate: step.rate,
    covers: Object.fromEntries(covered.map((rate) => [rate, state.charts[rate].from])),
    direction: step.direction,
    since: step.since,
    foundAt,
    before: step.before,
    after: step.after,
    baselineReadings: step.baselineReadings,
    baselinePrompts: step.baselinePrompts,
    baselineFrom: step.baselineFrom,
    drift: step.drift,
    noise: step.noise,
    settled: false,
    over: null,
    provisional: step.readings === 1 && !drifts,
    drifts,
  }
  const rememberedMs = Math.max(rememberedDays * dayMs, 6 * usualInterval(state.bins))
  const kept = state.changes.filter(({ foundAt: earlier }) => earlier > foundAt - rememberedMs)
  return restarted({ ...state, changes: [...kept, change] }, covered, step)
}

/** The step is part of a change that was found in another rate. */
export function withJoined(state: DetectorState, change: OpenChange, step: RateStep): DetectorState {
  const covers = { [step.rate]: state.charts[step.rate].from, ...change.covers }
  const changes = state.changes.map((one) => (one === change ? { ...change, covers } : one))
  return restarted({ ...state, changes }, [step.rate], step)
}

export type ChangeFate = 'open' | 'stays' | 'over'

/** What has become of a change with the newest reading, and when it was over. */
export function fateOf(state: DetectorState, change: OpenChange): { fate: ChangeFate; over?: number } {
  const n = promptsBehind(state, change.rate)
  const noise = noiseOf(state.charts[change.rate], rateAt(change.after, n), n).single
  const distance = Math.abs(change.after - change.before) / Math.sqrt(noise / n)
  const needed = Math.max(1, Math.ceil((apart / distance) ** 2))
  const since = state.bins.filter((bin) => bin.from >= change.since && bin.weight[change.rate] > 0)
  const last = since.slice(-needed)
  const back = change.before + backWithin * (change.after - change.before)
  const { mean } = pooled(last, change.rate)
  const first = last[0]
  if (first === undefined || last.length < needed) return { fate: 'open' }
  if ((mean - back) * change.direction < 0) return { fate: 'over', over: first.from }
  const newest = state.bins.at(-1)?.to ?? change.since
  const stays = newest - change.since >= staysAfterDays * dayMs && since.length >= Math.max(needed, 3)
  return { fate: stays ? 'stays' : 'open' }
}

/** The baseline is again what it was before the change, and the readings in between are no part of it. */
export function withoutChange(state: DetectorState, change: OpenChange, over: number): DetectorState {
  const covered = rateNames.filter((rate) => change.covers[rate] !== undefined)
  const isGlitch = wasGlitch(change, promptsBehind(state, change.rate), lasted(state, change, over))
  const isOut = (rate: ObservedRate, from: number) =>
    covered.includes(rate) && from >= change.since && from < over
  return {
    ...state,
    changes: state.changes.map((one) => (one === change ? { ...change, over, settled: true } : one)),
    charts: perRate((rate) => ({
      ...state.charts[rate],
      ...(covered.includes(rate) ? withoutWaiting(state.charts[rate]) : state.charts[rate]),
      from: change.covers[rate] ?? state.charts[rate].from,
    })),
    glitches: state.glitches + (isGlitch ? 1 : 0),
    bins: state.bins.map((bin) => ({
      ...bin,
      weight: perRate((rate) => (isOut(rate, bin.from) ? 0 : bin.weight[rate])),
      sum: perRate((rate) => (isOut(rate, bin.from) ? 0 : bin.sum[rate])),
    })),
  }
}

/** The change that this step ends: it goes back on it while it was no more than a spike or a dip. */
export function endedBy(state: DetectorState, step: RateStep): OpenChange | undefined {
  const longest = Math.max(dipDays * dayMs, dipReadings * usualInterval(state.bins))
  return state.changes.findLast(
    (change) =>
      change.over === null &&
      change.direction === -step.direction &&
      change.covers[step.rate] !== undefined &&
      step.since > change.since &&
      step.since - change.since <= longest,
  )
}

/** The change that this step, or drift, continues: it came lately, went the same way, and was not much smaller. */
export function storyOf(state: DetectorState, step: RateStep, drifts: boolean): OpenChange | undefined {
  return state.changes.findLast(
    (change) =>
      change.direction === step.direction &&
      (isStory(state, change, step) || (drifts && isDriftOf(change, step))),
  )
}

/** A drift shows in each rate at its own time, and what was first seen of it may have looked like a step. */
function isDriftOf(change: OpenChange, step: RateStep): boolean {
  return change.over === null && step.since - change.foundAt <= driftDays * dayMs && !isLarger(step, change)
}

function isLarger(step: RateStep, change: OpenChange): boolean {
  return Math.abs(step.after - step.before) > larger * Math.abs(change.after - change.before)
}

function isStory(state: DetectorState, change: OpenChange, step: RateStep): boolean {
  const latest = storyDays * Math.max(dayMs, usualInterval(state.bins) / 7)
  if (change.drifts) {
    // A drift goes on in small steps: what is larger and beyond doubt is none of it.
    if (isLarger(step, change) && step.standardErrors >= dated) return false
    return change.covers[step.rate] !== undefined && step.since - change.foundAt <= driftDays * dayMs
  }
  if (step.since - (change.over ?? change.since) > latest || isLarger(step, change)) return false
  // It came again, in the rate that it was in; what was withdrawn was none.
  if (change.over !== null) return change.rate === step.rate && !change.provisional
  // Windows that overlap show one change little by little; what is beyond doubt on top of one that stands is another.
  const isGradual = step.dependence >= gradual
  return change.covers[step.rate] !== undefined && (isGradual || step.standardErrors < dated)
}

/** Measurements that showed the change before it was over. */
export function lasted(state: DetectorState, change: OpenChange, over: number): number {
  return state.bins
    .filter(({ from }) => from >= change.since && from < over)
    .reduce((total, bin) => total + bin.readings, 0)
}

/** A category that moves takes the overall rate with it. */
export function coveredBy(rate: ObservedRate): ObservedRate[] {
  return rate === 'overall' ? [...rateNames] : [rate, 'overall']
}

function restarted(state: DetectorState, rates: readonly ObservedRate[], step: RateStep): DetectorState {
  return {
    ...state,
    // What the measurement was at first is not what it differs from now.
    first: state.last?.rates ?? null,
    charts: perRate((rate) =>
      rates.includes(rate) ? { ...withoutWaiting(state.charts[rate]), from: step.since } : state.charts[rate],
    ),
    bins: state.bins.map((bin, index) => (index < step.index ? bin : { ...bin, epoch: step.since })),
  }
}
