import { dayMs, hourMs } from '../../platform/durations.ts'
import { usualInterval } from '../detect/bins.ts'
import type { Remark, RemarkKind } from '../detect/detect.ts'
import { outOfReach } from '../detect/reach.ts'
import type { DetectorState } from '../detect/state.ts'
import { inWords } from './plan.ts'
import type { PollRound } from './round.ts'
import { type KnownModel, pollingStateFrom } from './state.ts'

/** What is amiss for less may be the service's own upkeep. Milliseconds. */
const lastsMs = 6 * hourMs
/** How often the service measures is not shown ("What the service does", 6): a reading that stands may be a quiet week. */
const standsMs = 3 * dayMs
/** And where it is known how often: so many readings in a row did not come. */
const readingsMissed = 4

/** On the free tier it takes as long until the history of each model was asked for twice. */
const unjudgedGraceMs = 2 * hourMs

const words: Record<Exclude<RemarkKind, 'revised'>, (about: string) => string> = {
  gone: () => 'the service no longer knows the model',
  empty: () => 'its answers have no refusal rate',
  missing: (about) => `its answers lack ${about}`,
  unreadable: (about) => `${about} cannot be read as a rate or a time`,
  backward: () => 'its last_updated is before that of an earlier reading',
  repeated: () => 'there is no new reading',
  unjudged: (about) => about,
  labels: () => 'its version label changes too often to be a version; it is not reported',
}

/**
 * Of each model of a round of which something can be said, what operators should know of its figures; undefined where all
 * is well. `begunAt`: when polling began. Times are milliseconds since the epoch.
 */
export function problemsOfModels(
  { figures, remarks }: Pick<PollRound, 'figures' | 'remarks'>,
  { now, begunAt }: { now: number; begunAt: number },
): { model: string; problem: string | undefined }[] {
  return Object.entries(figures.models).flatMap(([model, known]) => {
    const said = remarks.get(model)
    const without = now - begunAt >= unjudgedGraceMs ? unjudged(known, figures.units.unit) : undefined
    if (said === undefined && without === undefined) return []
    return [{ model, problem: without ?? persistentProblems(said ?? [], known.detector, now) }]
  })
}

/** Without it no change of the model is ever found. */
function unjudged({ detector }: KnownModel, unit: string | null): string | undefined {
  if (detector !== null) return undefined
  return unit === null
    ? 'the rates read so far do not show whether they are fractions or percent; set monitor.rates'
    : 'its figures and its history have not both been read yet'
}

/** What operators should know of a model's figures, since it lasts: a sentence. Undefined where all is well. Pure. */
function persistentProblems(
  remarks: readonly Remark[],
  detector: DetectorState | null,
  now: number,
): string | undefined {
  const stands = Math.max(standsMs, readingsMissed * (detector === null ? 0 : usualInterval(detector.bins)))
  const said = remarks.flatMap(({ kind, about, since }) => {
    // Metrics never have a rate for social, and other rates under the same time are counted as they are.
    if (kind === 'revised' || (kind === 'missing' && about === 'social')) return []
    const least = kind === 'repeated' ? stands : lastsMs
    return now - Date.parse(since) >= least ? [`${words[kind](about)} (since ${since})`] : []
  })
  return said.length === 0 ? undefined : said.join('; ')
}

interface ModelJudgement {
  model: string
  /** False where a change that matters would not be found. */
  isJudged: boolean
  /** With what stands in the way and what would help, for people. */
  detail: string
}

/** Whether changes of each model can be found, by what polling stored; a model that it has not read yet is none that cannot. */
export function judged(stored: unknown, models: readonly string[]): ModelJudgement[] {
  const known = pollingStateFrom(stored, 0).figures.models
  return models.map((model) => {
    const detector = known[model]?.detector
    if (!detector) return { model, isJudged: true, detail: 'not known yet: serve has not read its history' }
    const obstacle = outOfReach(detector)
    if (obstacle !== undefined) return { model, isJudged: false, detail: obstacle }
    const readings = detector.bins.reduce((total, bin) => total + bin.readings, 0)
    const every = inWords(usualInterval(detector.bins))
    return {
      model,
      isJudged: true,
      detail: `can be judged, by ${readings} readings, one about every ${every}`,
    }
  })
}
