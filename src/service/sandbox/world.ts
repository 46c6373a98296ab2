import type { Clock } from '../../platform/clock.ts'
import { dayMs, yearMs } from '../../platform/durations.ts'
import { type AnnouncedChange, type ChangeWish, drawChange, type ModelName, models } from './change.ts'
import { type LatestReading, type ModelFault, MonitoredModel } from './monitored.ts'
import { type Random, seededRandom, wholeNumber } from './random.ts'
import { dayOf, type PromptReading, readingsPerDay, wholeDays } from './readings.ts'

const quietMs = 3 * dayMs
const mostChanges = 10_000

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
 * Five models and how they refuse, with a year behind them. The seed and the order of calls decide everything; only the
 * times are those of the clock.
 */
export class World {
  /** While the service is down, it answers nobody. Time passes, and deliveries go out all the same. */
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

  /** Undefined for a model that does not exist or is hidden. */
  latest(model: string): LatestReading | undefined {
    return this.#published(model)?.latest()
  }

  /**
   * The readings of a model, oldest first: four a day in the last five weeks, before that the last of each UTC day, for
   * a year. `days` count back from the last reading of any model. Undefined for a model that does not exist or is hidden.
   */
  history(model: string, days = 366): readonly PromptReading[] | undefined {
    const readAt = Math.max(...this.#models.values().map(({ readings }) => readings.last()?.at ?? 0))
    return this.#published(model)?.readings.since(readAt - days * dayMs)
  }

  /** What the service reported in the year before the start and since, oldest first. */
  changes(): readonly PastChange[] {
    return this.#changes
  }

  /** Asks every model all prompts anew. `passed`: readings that the time since the last one would have had. */
  measure(at: number, passed = 1): void {
    for (const model of this.#models.values()) model.measure(at, passed)
  }

  /** What happens next; the wish decides some of it. Nothing has changed yet. */
  foresee(wish: ChangeWish): AnnouncedChange {
    return this.#draw(wish, this.#random)
  }

  /**
   * Makes the change happen. The first reading after it moves the category's rate by exactly its delta, and later ones
   * stay there. A change of something that the world does not have moves nothing.
   */
  happen(change: AnnouncedChange, at: number, id: string): void {
    const model = this.#models.get(change.model)
    model?.change(change, at)
    this.#changes.push({ ...change, id, at, version: model?.version ?? null })
    if (this.#changes.length > mostChanges) this.#changes.shift()
  }

  /** Readings until the world next changes by itself: a day of them on average, never less than half a day. */
  readingsUntilChange(): number {
    return wholeNumber(this.#random, readingsPerDay / 2, readingsPerDay * 1.5)
  }

  /** Makes trouble, or ends it. Returns false for a model that the world does not have. */
  setFault(name: string, { hide, silent }: ModelFault): boolean {
    const model = this.#models.get(name)
    if (model === undefined) return false
    model.hidden = hide ?? model.hidden
    model.silent = silent ?? model.silent
    return true
  }

  faults(): Record<string, Required<ModelFault>> {
    const faults = this.#models
      .entries()
      .map(([name, { hidden, silent }]) => [name, { hide: hidden, silent }])
    return Object.fromEntries(faults)
  }

  /**
   * The year before the start is calmer than what follows, when people wait for something to happen: a change in two
   * weeks, and spikes that pass within ten days. The last days are quiet.
   */
  #liveUntil(now: number, random: Random): void {
    const daysMs = (least: number, most: number) => wholeNumber(random, least, most) * dayMs
    let due = now - yearMs + daysMs(7, 21)
    let wish: ChangeWish = {}
    // Of the days before the last weeks one reading is kept: not to take the others is three times as fast.
    const readingsAt = (at: number) => (at < now - wholeDays * dayMs ? readingsPerDay : 1)
    for (let at = now - yearMs; at <= now; at += (readingsAt(at) * dayMs) / readingsPerDay) {
      this.measure(at, readingsAt(at))
      if (at < due || at > now - quietMs) continue
      const change = this.#draw(wish, random)
      this.happen(change, at, pastId(random))
      const passes = change.type === 'censorship_spike'
      wish = passes ? { model: change.model, category: change.category } : {}
      due = at + (passes ? daysMs(2, 10) : daysMs(7, 21))
    }
  }

  #draw(wish: ChangeWish, random: Random): AnnouncedChange {
    const refusals = new Map(this.#models.entries().map(([name, model]) => [name, model.refusals()]))
    return drawChange(wish, refusals, random)
  }

  #published(name: string): MonitoredModel | undefined {
    const model = this.#models.get(name)
    return model?.hidden === true ? undefined : model
  }
}

/** In the form of the service's ids, but the same for the same seed, as the past is. */
function pastId(random: Random): string {
  const words = Array.from({ length: 3 }, () => wholeNumber(random, 0, 2 ** 32 - 1))
  return `evt_${words.map((word) => word.toString(16).padStart(8, '0')).join('')}`
}

/** The last reading of each UTC day of the year behind, oldest first; none for a model that is not published. */
export function dailyReadings(world: World, model: ModelName): readonly PromptReading[] {
  return [...new Map(world.history(model)?.map((reading) => [dayOf(reading), reading])).values()]
}

/** When any published model was last read; milliseconds since the epoch. 0 if none is published. */
export function lastRead(world: World): number {
  return Math.max(0, ...world.models().map((model) => world.latest(model)?.reading.at ?? 0))
}

/** Makes something of a world, and again only after another reading, change or model, or with other arguments. */
export function keptWhileUnchanged<Arguments extends readonly unknown[], Made>(
  make: (world: World, ...more: Arguments) => Made,
): (world: World, ...more: Arguments) => Made {
  const cache = new WeakMap<World, { of: readonly unknown[]; made: Made }>()
  return (world, ...more) => {
    // Each reading and each change is an object of its own.
    const readings = world.models().map((model) => world.latest(model)?.reading)
    const of = [...more, world.changes().at(-1), ...readings]
    const before = cache.get(world)
    if (before?.of.length === of.length && of.every((part, index) => part === before.of[index])) {
      return before.made
    }
    const made = make(world, ...more)
    cache.set(world, { of, made })
    return made
  }
}

/** Readings that are made up for after the clock leapt ahead (a machine that slept): as many as are kept. */
const mostMissed = wholeDays * readingsPerDay

/**
 * Lets the world's time pass until the signal aborts. One real day has `speed` days of it, each with four readings and
 * on average one change, which `change` makes happen. Each has its own time, even if the clock leapt over it. At 0
 * nothing happens by itself.
 */
export async function letTimePass(
  world: World,
  {
    clock,
    speed,
    change,
    signal,
  }: { clock: Clock; speed: number; change: (at: number) => void; signal: AbortSignal },
): Promise<void> {
  if (speed === 0) return
  const step = Math.max(dayMs / readingsPerDay / speed, 1)
  let left = world.readingsUntilChange()
  let due = Math.round(clock.now() + step)
  while (await sleepUntil(due, clock, signal)) {
    due = Math.max(due, Math.round(clock.now() - mostMissed * step))
    world.measure(due)
    if (--left <= 0) {
      change(due)
      left = world.readingsUntilChange()
    }
    due = Math.round(due + step)
  }
}

/**
 * Returns false when the signal aborted. A clock may wake early from a sleep longer than its timers hold. It sleeps even
 * if the time has come, so a world that lags behind leaves room for others.
 */
async function sleepUntil(due: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  do await clock.sleep(Math.max(due - clock.now(), 0), signal)
  while (!signal.aborted && clock.now() < due)
  return !signal.aborted
}
