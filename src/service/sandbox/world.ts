import { dayMs, yearMs } from '../../platform/durations.ts'
import { type AnnouncedChange, type ChangeWish, drawChange, type ModelName, models } from './change.ts'
import { type LatestReading, type ModelFault, MonitoredModel } from './monitored.ts'
import { type Random, seededRandom, wholeNumber } from './random.ts'
import { type PromptReading, readingsPerDay, wholeDays } from './readings.ts'

const quietMs = 3 * dayMs
/** Changes that are remembered. */
const remembered = 10_000

/** A change that happened, as the service reported it. */
export interface PastChange extends AnnouncedChange {
  /** `evt_…`, as in the deliveries. */
  id: string
  /** When it is first to be seen in the readings; milliseconds since the epoch. */
  at: number
  /** The model's version from then on; null for a model that the world does not have. */
  version: string | null
}

/**
 * Five models and how they refuse, with a year behind them. Everything in it follows from the seed and the order of
 * calls; only the times are those of the clock.
 */
export class World {
  /** While the service is down, it answers nobody; time passes, and deliveries go out all the same. */
  down = false
  readonly #models: ReadonlyMap<string, MonitoredModel>
  readonly #random: Random
  readonly #changes: PastChange[] = []

  /** `now` is milliseconds since the epoch: when the last of a year's readings was taken. */
  constructor(seed: number, now: number) {
    this.#random = seededRandom(seed, 'changes')
    this.#models = new Map(models.map((model) => [model, new MonitoredModel(model, seed)]))
    this.#liveUntil(now, seededRandom(seed, 'past'))
  }

  /** Those that are published. */
  models(): ModelName[] {
    return models.filter((model) => this.#published(model) !== undefined)
  }

  /** Undefined for a model that is not there or hidden. */
  latest(model: string): LatestReading | undefined {
    return this.#published(model)?.latest()
  }

  /**
   * What was read of a model, oldest first: four readings a day in the last five weeks, before that the last of each
   * UTC day, for a year. `days` count back from the last reading of any model. Undefined for a model that is not
   * there or hidden.
   */
  history(model: string, days = 366): readonly PromptReading[] | undefined {
    return this.#published(model)?.readings.since(this.#readAt() - days * dayMs)
  }

  /** What the service reported in the year before the start and since, oldest first. */
  changes(): readonly PastChange[] {
    return this.#changes
  }

  /** Asks every model all prompts anew, after time for so many readings has passed. */
  measure(at: number, passed = 1): void {
    for (const model of this.#models.values()) model.measure(at, passed)
  }

  /** What happens next, as far as the wish leaves it open. Nothing has changed yet. */
  foresee(wish: ChangeWish): AnnouncedChange {
    return this.#draw(wish, this.#random)
  }

  /**
   * Makes the change happen: the readings show it from now on, beginning with one that moves the category's rate by
   * exactly what the change says. A change of what the world does not have moves nothing.
   */
  happen(change: AnnouncedChange, at: number, id: string): void {
    const model = this.#models.get(change.model)
    model?.change(change, at)
    this.#changes.push({ ...change, id, at, version: model?.version ?? null })
    if (this.#changes.length > remembered) this.#changes.shift()
  }

  /** Readings until the world next changes by itself: a day of them on average, never less than half a day. */
  readingsUntilChange(): number {
    return wholeNumber(this.#random, readingsPerDay / 2, readingsPerDay * 1.5)
  }

  /** Makes trouble, or ends it. Answers false for a model that the world does not have. */
  trouble(name: string, { hide, silent }: ModelFault): boolean {
    const model = this.#models.get(name)
    if (model === undefined) return false
    model.hidden = hide ?? model.hidden
    model.silent = silent ?? model.silent
    return true
  }

  troubles(): Record<string, Required<ModelFault>> {
    return Object.fromEntries(
      Array.from(this.#models, ([name, { hidden, silent }]) => [name, { hide: hidden, silent }]),
    )
  }

  /**
   * The year before the start. It is calmer than what follows, where somebody waits for something to happen: a change
   * in two weeks, and spikes that pass within ten days. The last days are quiet.
   */
  #liveUntil(now: number, random: Random): void {
    let due = now - yearMs + daysOfMs(random, 7, 21)
    let wish: ChangeWish = {}
    // Of the days before the last weeks one reading is kept: the others are not taken, which is three times as fast.
    const readingsAt = (at: number) => (at < now - wholeDays * dayMs ? readingsPerDay : 1)
    for (let at = now - yearMs; at <= now; at += (readingsAt(at) * dayMs) / readingsPerDay) {
      this.measure(at, readingsAt(at))
      if (at < due || at > now - quietMs) continue
      const change = this.#draw(wish, random)
      this.happen(change, at, pastId(random))
      const passes = change.type === 'censorship_spike'
      wish = passes ? { model: change.model, category: change.category } : {}
      due = at + (passes ? daysOfMs(random, 2, 10) : daysOfMs(random, 7, 21))
    }
  }

  #draw(wish: ChangeWish, random: Random): AnnouncedChange {
    const refusals = new Map(Array.from(this.#models, ([name, model]) => [name, model.refusals()]))
    return drawChange(wish, refusals, random)
  }

  #published(name: string): MonitoredModel | undefined {
    const model = this.#models.get(name)
    return model?.hidden === true ? undefined : model
  }

  /** When any model was last read; milliseconds since the epoch. */
  #readAt(): number {
    return Math.max(...Array.from(this.#models.values(), ({ readings }) => readings.last()?.at ?? 0))
  }
}

function daysOfMs(random: Random, least: number, most: number): number {
  return wholeNumber(random, least, most) * dayMs
}

/** In the form of those that the service gives out, but the same for the same seed, as the past is. */
function pastId(random: Random): string {
  const words = Array.from({ length: 3 }, () => wholeNumber(random, 0, 2 ** 32 - 1))
  return `evt_${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`
}
