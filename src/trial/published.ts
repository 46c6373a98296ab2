import type { AlertEvent } from '../event/event.ts'
import { readRound } from '../intake/poll/round.ts'
import { following, pollingStateFrom } from '../intake/poll/state.ts'
import type { RateUnit } from '../service/client/readers/rates.ts'
import { type Histories, pastService } from './past-service.ts'

/**
 * What polling would have found from `from` to `to` (milliseconds since the epoch), had it read each point of the
 * histories when that came: it learns from what came before, and each round is polling's own. Oldest first.
 */
export async function foundIn(
  histories: Histories,
  { from, to, rates }: { from: number; to: number; rates: 'auto' | RateUnit },
): Promise<AlertEvent[]> {
  const models = [...histories.keys()]
  let now = from
  const client = pastService(histories, () => now)
  const { signal } = new AbortController()
  let figures = following(pollingStateFrom(undefined, now).figures, models, now)
  const found: AlertEvent[] = []
  for (const time of [from, ...timesOf(histories).filter((at) => at > from && at <= to)]) {
    now = time
    const round = await readRound({ client, models, rates, historyMs: 0 }, figures, { now, signal })
    figures = round.figures
    found.push(...round.events.map(asInTime))
  }
  return found
}

function timesOf(histories: Histories): number[] {
  const times = [...histories.values()].flatMap((points) => points.map(({ at }) => Date.parse(at)))
  return [...new Set(times)].toSorted((one, other) => one - other)
}

/** Between two readings it would have asked often, and missed nothing. */
function asInTime(event: AlertEvent): AlertEvent {
  const { missedSince: _, ...inTime } = event
  return inTime
}
