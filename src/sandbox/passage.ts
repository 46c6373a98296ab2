import type { Clock } from '../clock.ts'
import { readingsPerDay, type World } from './world.ts'

const dayMs = 86_400_000

/**
 * Lets the world's time pass until the signal aborts: `speed` days of it in one real day, in each of them four
 * readings and on average one change. At 0 nothing happens by itself.
 */
export async function letTimePass(
  world: World,
  { clock, speed, change, signal }: { clock: Clock; speed: number; change: () => void; signal: AbortSignal },
): Promise<void> {
  if (speed === 0) return
  let left = world.readingsUntilChange()
  while (await pause(clock, dayMs / readingsPerDay / speed, signal)) {
    world.measure(clock.now())
    if (--left > 0) continue
    change()
    left = world.readingsUntilChange()
  }
}

/** Answers false when the signal aborted. A clock may wake early from a sleep longer than its timers hold. */
async function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  const until = clock.now() + Math.max(milliseconds, 1)
  while (!signal.aborted && clock.now() < until) await clock.sleep(until - clock.now(), signal)
  return !signal.aborted
}
