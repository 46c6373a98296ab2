import { dayMs } from '../../platform/durations.ts'
import type { PerGroup } from './prompts.ts'

/** Every model is measured four times a day, in the world's time. */
export const readingsPerDay = 4
/** For so many days all readings are kept. For older days only the last one is, for a year. */
export const wholeDays = 35
const whole = wholeDays * readingsPerDay
const keptMs = 366 * dayMs

/** All 500 prompts asked of one model once. */
export interface PromptReading {
  /** Milliseconds since the epoch. */
  at: number
  /** Version label of the measured model, such as "2.4". */
  version: string
  /** How many were refused of each group. */
  refused: PerGroup
}

/** What was read of one model, oldest first, each later than the one before. */
export class Readings {
  readonly #daily: PromptReading[] = []
  readonly #recent: PromptReading[] = []

  /** A reading that is not later than the last takes its place, at the last one's time if the clock was set back. */
  add(reading: PromptReading): void {
    const last = this.#recent.at(-1)
    if (last !== undefined && reading.at <= last.at) {
      this.#recent[this.#recent.length - 1] = { ...reading, at: last.at }
      return
    }
    this.#recent.push(reading)
    if (this.#recent.length > whole) this.#keepDaily(this.#recent.shift())
  }

  last(): PromptReading | undefined {
    return this.#recent.at(-1)
  }

  /** The last so many, oldest first. */
  latest(count: number): readonly PromptReading[] {
    return this.#recent.slice(-count)
  }

  /** From that time on (milliseconds since the epoch). */
  since(from: number): readonly PromptReading[] {
    return [...this.#daily, ...this.#recent].filter((reading) => reading.at >= from)
  }

  #keepDaily(reading: PromptReading | undefined): void {
    if (reading === undefined) return
    const last = this.#daily.at(-1)
    if (last !== undefined && dayOf(last) === dayOf(reading)) this.#daily.pop()
    this.#daily.push(reading)
    const [oldest] = this.#daily
    if (oldest !== undefined && oldest.at < reading.at - keptMs) this.#daily.shift()
  }
}

/** The UTC day, counted from the epoch. */
export function dayOf(reading: PromptReading): number {
  return Math.floor(reading.at / dayMs)
}
