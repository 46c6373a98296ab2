import type { AlertEvent } from '../../event/event.ts'
import { isoTime } from '../../platform/clock.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts'
import { Unauthenticated } from '../../service/client/errors.ts'
import { usualInterval } from '../detect/bins.ts'
import type { Remark, RemarkKind } from '../detect/detect.ts'
import { outOfReach } from '../detect/reach.ts'
import type { DetectorState } from '../detect/state.ts'
import { type AlertsReading, idsKept } from './alerts.ts'
import { inWords, type PollingPlan } from './plan.ts'
import type { PollRound } from './round.ts'
import { type KnownModel, type ModeDecision, pollingStateFrom } from './state.ts'

/** Notices to operators: one when a trouble begins, and one when it is resolved. */
export interface PollingIncidents {
  opens(key: string, report: { title: string; text: string }): void
  resolves(key: string, text: string): void
  once(key: string, episode: string, report: { title: string; text: string }): Promise<void>
}

/** A list of alerts that fails, since when, and the last error. */
export interface ListFailure {
  since: number
  path: string
  error: unknown
}

/** Operators get no notice if webhooks, or the figures, fail for less. */
const troubleGraceMs = 5 * minuteMs
const failingGraceMs = 30 * minuteMs
/** What is amiss for less may be the service's own upkeep. Milliseconds. */
const lastsMs = 6 * hourMs
/** How often the service measures is not shown ("What the service does", 6): a reading that stands may be a quiet week. */
const standsMs = 3 * dayMs
/** And if it is known how often: so many readings in a row did not come. */
const readingsMissed = 4
/** On the free tier it takes as long until the history of each model was asked for twice. */
const unjudgedGraceMs = 2 * hourMs

const stillFound = 'Bluepencil still finds changes in the published figures.'

const words: Record<Exclude<RemarkKind, 'revised'>, (about: string) => string> = {
  gone: () => 'the service no longer knows the model',
  misnamed: () => 'the service answers with figures of another model',
  empty: () => 'its answers have no refusal rate',
  missing: (about) => `its answers lack ${about}`,
  unreadable: (about) => `${about} cannot be read as a rate or a time`,
  backward: () => 'its last_updated is older than that of an earlier reading',
  repeated: () => 'there is no new reading',
  unjudged: (about) => about,
  labels: () => 'its version label changes too often to be a version; it is not reported',
}

/** What polling reports to operators. Times are milliseconds since the epoch. */
export function createNotices(incidents: PollingIncidents) {
  return {
    mode({ mode, reason, trouble, since }: ModeDecision, plan: PollingPlan, now: number): void {
      if (mode !== 'full' || !trouble) {
        const isHealthy = mode === 'slow'
        const text = isHealthy ? 'Webhooks are reliable again' : `Polling is ${mode}: ${reason}`
        incidents.resolves('polling', text)
      } else if (now - since >= troubleGraceMs) {
        const every = inWords(plan.figuresMs.full)
        const text = `Bluepencil now reads the published figures every ${every} and finds changes in them. Reason: ${reason}.`
        incidents.opens('polling', { title: 'Webhooks are not reliable', text })
      }
    },
    async lostState(now: number): Promise<void> {
      const title = 'Polling starts over'
      const text =
        'The stored state of polling cannot be read. Changes since the last reading are not reported.'
      await incidents.once('polling:anew', isoTime(now), { title, text })
    },
    success(): void {
      incidents.resolves('figures', 'The published figures can be read again')
    },
    /** `failingMs`: for how long rounds have failed. */
    failure(error: unknown, failingMs: number): void {
      if (!(error instanceof Unauthenticated) && failingMs < failingGraceMs) return
      incidents.opens('figures', { title: 'The published figures cannot be read', text: textOf(error) })
    },
    /** The figures are read meanwhile. */
    listFailure({ since, path, error }: ListFailure, now: number): void {
      if (now - since < failingGraceMs) return
      const text = `${path}: ${textOf(error)} ${stillFound}`
      incidents.opens('alerts-list', { title: 'The list of alerts cannot be read', text })
    },
    listRead(path: string, rest: AlertsReading['rest']): void {
      incidents.resolves('alerts-list', 'The list of alerts can be read again')
      if (rest === 'none') incidents.resolves('alerts-list:rest', 'All of the list of alerts is read again')
      if (rest !== 'unreachable') return
      const text = `${path} lists more than ${idsKept} alerts. What follows them is not read. ${stillFound}`
      incidents.opens('alerts-list:rest', { title: 'The list of alerts is too long', text })
    },
    /** `readAt`: when it was last read. */
    async listGone(path: string, readAt: number): Promise<void> {
      const title = 'The service no longer lists its alerts'
      const text = `There is no list at ${path}. ${stillFound} The list is searched for once a day.`
      await incidents.once('alerts-list:gone', `${path} ${isoTime(readAt)}`, { title, text })
      for (const key of ['alerts-list', 'alerts-list:rest'])
        incidents.resolves(key, 'The list of alerts is gone')
    },
    /** If several changes were missed for a while, operators know it before their alerts. */
    async missed(events: readonly AlertEvent[]): Promise<void> {
      const [first, ...more] = events.flatMap(({ missedSince }) => missedSince ?? []).toSorted()
      if (first === undefined || more.length === 0) return
      const title = `${more.length + 1} missed changes were found`
      const text = `Polling was interrupted since ${first}. Each alert says when its change was detected.`
      await incidents.once('polling:missed', first, { title, text })
    },
    /** What is wrong with the figures of each model. `begunAt`: when polling began. */
    models({ figures, remarks }: Pick<PollRound, 'figures' | 'remarks'>, now: number, begunAt: number): void {
      for (const [model, known] of Object.entries(figures.models)) {
        const modelRemarks = remarks.get(model)
        const obstacle = now - begunAt >= unjudgedGraceMs ? unjudged(known, figures.units.unit) : undefined
        if (modelRemarks === undefined && obstacle === undefined) continue
        const problem = obstacle ?? persistentProblems(modelRemarks ?? [], known.detector, now)
        const key = `figures:${model}`
        const title = `The figures of ${model} cannot be used`
        if (problem === undefined) incidents.resolves(key, `The figures of ${model} can be used again`)
        else incidents.opens(key, { title, text: `${model}: ${problem}.` })
      }
    },
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Without it no change of the model is ever found. */
function unjudged({ detector }: KnownModel, unit: string | null): string | undefined {
  if (detector !== null) return undefined
  return unit === null
    ? 'the rates read so far do not show whether they are fractions or percent; set monitor.rates'
    : 'its figures and its history have not both been read yet'
}

/** What lasts of the remarks: a sentence; undefined if nothing does. */
function persistentProblems(
  remarks: readonly Remark[],
  detector: DetectorState | null,
  now: number,
): string | undefined {
  const stands = Math.max(standsMs, readingsMissed * (detector === null ? 0 : usualInterval(detector.bins)))
  const lasting = remarks.flatMap(({ kind, about, since }) => {
    // Metrics never have a rate for social, and other rates under the same time are counted as they are.
    if (kind === 'revised' || (kind === 'missing' && about === 'social')) return []
    const least = kind === 'repeated' ? stands : lastsMs
    return now - Date.parse(since) >= least ? [`${words[kind](about)} (since ${since})`] : []
  })
  return lasting.length === 0 ? undefined : lasting.join('; ')
}

/**
 * Whether changes that matter can be found in each model, by what polling stored, and what stands in the way. A model that was not
 * read yet counts as one that can.
 */
export function judged(
  stored: unknown,
  models: readonly string[],
): { model: string; isJudged: boolean; detail: string }[] {
  const { figures } = pollingStateFrom(stored, 0)
  return models.map((model) => {
    const detector = figures.models[model]?.detector
    if (!detector) return { model, isJudged: true, detail: 'not known yet: serve has not read its history' }
    const obstacle = outOfReach(detector)
    if (obstacle !== undefined) return { model, isJudged: false, detail: obstacle }
    const readings = detector.bins.reduce((total, bin) => total + bin.readings, 0)
    const every = inWords(usualInterval(detector.bins))
    const detail = `can be judged, by ${readings} readings, one about every ${every}`
    return { model, isJudged: true, detail }
  })
}
