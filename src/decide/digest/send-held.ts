import type { SendingHeld } from '../../event/act.ts'
import type { Outcome } from '../../event/outcome.ts'
import { type ReleaseParts, release } from './release.ts'

/** What falls due within so long goes out anyway, and is perhaps on its way; milliseconds. */
const soonMs = 5_000

/**
 * Sends what is held for a channel now: one alert as itself, several as one message. If the process ends in between, they go out
 * with what is due at the next start. Answers how many are sent.
 */
export async function sendHeld(
  { id: by, channel, held: alerts, by: person, receivedAt: until }: SendingHeld,
  parts: ReleaseParts,
): Promise<number> {
  const now = parts.clock.now()
  const why = `${person.name} asked for it to be sent now`
  const due = (was: Outcome | undefined): Outcome | undefined => {
    if (was?.state !== 'held' || Date.parse(was.until) <= now + soonMs) return undefined
    return parts.silence(was.by)?.endedAt === undefined ? { ...was, until, by, why } : undefined
  }
  const changed = await Promise.all(alerts.map((id) => parts.store.alter(id, channel, due)))
  const held = alerts.filter((_, index) => changed[index] === true)
  await release(
    held.map((eventId) => ({ eventId, channel, by, until: Date.parse(until) })),
    parts,
  )
  return held.length
}
