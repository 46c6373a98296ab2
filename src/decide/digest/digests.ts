import { longestFloodMs } from '../../event/outcome.ts'
import type { Clock } from '../../platform/clock.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import type { HeldNotification } from '../../store/store.ts'
import { type ReleaseParts, release } from './release.ts'

/** How late, at most, something is seen that was held for less than a minute. */
const lookEveryMs = minuteMs
/** Nothing is held for longer, in milliseconds: our clock was ahead when it came. A silence of 30 days may end in quiet hours. */
const longestHoldMs = 38 * dayMs

export interface DigestsParts extends ReleaseParts {
  clock: Clock
  store: ReleaseParts['store'] & { held(): Promise<HeldNotification[]> }
  /** Names of the channels that there are. */
  channels(): readonly string[]
  onError(error: unknown): void
}

/**
 * Sends what was held when its wait ends, until the signal aborts: one alert as itself, several in one digest. A process
 * that ends in between leaves a digest and what it does not name as told in it yet: the next finds both and goes on.
 */
export async function keepDigests(parts: DigestsParts, signal: AbortSignal): Promise<void> {
  const { clock } = parts
  while (!signal.aborted) {
    let next = clock.now() + lookEveryMs
    try {
      next = Math.min(next, await releaseDue(parts, signal))
    } catch (error) {
      parts.onError(error)
    }
    await clock.sleep(Math.max(1, next - clock.now()), signal)
  }
}

/** Answers when the next wait ends. */
async function releaseDue(parts: DigestsParts, signal: AbortSignal): Promise<number> {
  const now = parts.clock.now()
  const configured = new Set(parts.channels())
  const due: HeldNotification[] = []
  let next = Number.POSITIVE_INFINITY
  for (const held of await parts.store.held()) {
    if (!configured.has(held.channel)) continue
    const until = Math.min(held.until, parts.silence(held.by)?.endedAt ?? Number.POSITIVE_INFINITY)
    const longestMs = held.by === 'burst' ? longestFloodMs : longestHoldMs
    if (until <= now || until > now + longestMs) due.push({ ...held, until })
    else next = Math.min(next, until)
  }
  const waits = Map.groupBy(due, ({ channel, by, until }) => JSON.stringify([channel, by, until]))
  for (const together of waits.values()) {
    if (signal.aborted) break
    await release(together, parts).catch(parts.onError)
  }
  return next
}
