import { dayMs } from '../../platform/durations.ts'
import type { ModelName } from './change.ts'
import type { PromptReading } from './readings.ts'
import type { World } from './world.ts'

/** The last reading of each UTC day of the year behind, oldest first; none for a model that is not published. */
export function dailyReadings(world: World, model: ModelName): readonly PromptReading[] {
  const byDay = new Map<number, PromptReading>()
  for (const reading of world.history(model) ?? []) byDay.set(Math.floor(reading.at / dayMs), reading)
  return [...byDay.values()]
}

/** When any published model was last read; milliseconds since the epoch. 0 where none is published. */
export function lastRead(world: World): number {
  return Math.max(0, ...world.models().map((model) => world.latest(model)?.reading.at ?? 0))
}
