import type { Clock } from '../../platform/clock.ts'
import { dayMs } from '../../platform/durations.ts'
import { readingsPerDay, wholeDays } from './readings.ts'
import type { World } from './world.ts'

/** Readings that are made up for after the clock leapt ahead (a machine that slept): as many as are kept. */
const mostMissed = wholeDays * readingsPerDay

/**
 * Lets the world's time pass until the signal aborts: `speed` days of it in one real day, in each of them four
 * readings and on average one change, which `change` makes happen. Each has its own time, also those that the clock
 * leapt over. At 0 nothing happens by itself.
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
  while (await until(due, clock, signal)) {
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
 * Answers false when the signal aborted. A clock may wake early from a sleep longer than its timers hold. It sleeps
 * also where the time has come, so that a world that lags behind leaves room for others.
 */
async function until(due: number, clock: Clock, signal: AbortSignal): Promise<boolean> {
  do await clock.sleep(Math.max(due - clock.now(), 0), signal)
  while (!signal.aborted && clock.now() < due)
  return !signal.aborted
}
