import type { Clock } from '../../platform/clock.ts'
import { hourMs } from '../../platform/durations.ts'
import type { AnsweredFigures } from '../../service/client/client.ts'
import type { RateUnit } from '../../service/client/readers/rates.ts'
import type { Figure, FigureStore } from '../../store/figures.ts'
import { publishedIn } from './published.ts'

/** Keeps every figure that the service answers. */
export interface Archiving {
  /** The service answered. What cannot be stored is reported; it comes again with a later answer. */
  answered(answer: AnsweredFigures): void
  /** Resolves when what was answered until now is stored, or was reported. */
  written(): Promise<void>
}

export interface ArchivingParts {
  figures: Pick<FigureStore, 'add'>
  service: string
  /** `monitor.rates`. */
  rates: 'auto' | RateUnit
  /** `figures.retention`, in milliseconds. */
  retention: number
  clock: Pick<Clock, 'now'>
  onError(error: unknown): void
}

/** Nothing is measured twice in so short a time with the same result: the service dates its answers, not its measurements. */
const sameMs = hourMs
/** Of fewer points it cannot be seen. */
const leastPoints = 5

export function createArchiving({
  figures,
  service,
  rates,
  retention,
  clock,
  onError,
}: ArchivingParts): Archiving {
  let knownUnit: RateUnit | null = null
  let turn: Promise<unknown> = Promise.resolve()
  /** The times in the last history of each kind. */
  const times = new Map<string, Set<number>>()
  /** The last figures that were stored as newest, by model and category. */
  const last = new Map<string, Figure>()

  function isDatedAnew(figure: Figure): boolean {
    if (figure.series !== 'newest' || figure.measuredAt === null) return false
    const before = last.get(`${figure.model} ${figure.category}`)
    if (before === undefined || before.measuredAt === null) return false
    if (figure.measuredAt <= before.measuredAt) return false
    return figure.measuredAt - before.measuredAt < sameMs && hasSameValue(figure, before)
  }

  /** A service that dates its points anew with each answer has no figure twice: each would be stored as another. */
  function hasOtherTimes(answer: AnsweredFigures): boolean {
    if (answer.of === 'newest') return false
    const key = JSON.stringify([answer.model, answer.query.period, answer.query.category])
    const before = times.get(key)
    const answerTimes = new Set(answer.history.points.map(({ at }) => Date.parse(at)))
    times.set(key, answerTimes)
    if (before === undefined || answerTimes.size < leastPoints || before.size < leastPoints) return false
    const isLater = Math.min(...answerTimes) > Math.max(...before)
    return answerTimes.isDisjointFrom(before) && !isLater
  }

  function answered(answer: AnsweredFigures): void {
    if (hasOtherTimes(answer)) return

    const seenAt = clock.now()
    const request = { service, rates, knownUnit, seenAt, notBefore: seenAt - retention }
    const published = publishedIn(answer, request)
    knownUnit = published.unit
    const kept = published.figures.filter((one) => !isDatedAnew(one))
    for (const figure of kept) {
      if (figure.series === 'newest') last.set(`${figure.model} ${figure.category}`, figure)
    }
    turn = turn.then(() => figures.add({ figures: kept, spans: published.spans })).catch(onError)
  }

  return {
    answered,
    async written() {
      await turn
    },
  }
}

function hasSameValue(one: Figure, other: Figure): boolean {
  return (['rate', 'unit', 'sampleSize', 'version'] as const).every((key) => one[key] === other[key])
}
