import type { Outcome } from '../event/outcome.ts'
import type { Owed, Store } from '../store/store.ts'

/** Among so many of the newest events, what polling missed is looked for. */
const newest = 500

/** Since when polling had seen nothing, where it found this when it caught up. A person who asks again knows of it. */
export function missedSinceOf({ entry, waiting }: Owed): string | undefined {
  return entry.kind === 'alert' && waiting.againAt === undefined ? entry.missedSince : undefined
}

/** How many changes that polling missed since then wait for a channel; 0 where the first of them has been sent. */
export async function waitingOf(
  store: Pick<Store, 'list'>,
  channel: string,
  missedSince: string,
): Promise<number> {
  const rows = await store.list({ limit: newest })
  const owed = rows.flatMap(({ entry, outcomes }) => {
    const isOne = entry.kind === 'alert' && entry.missedSince === missedSince
    const outcome = isOne && Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
    return outcome === undefined ? [] : [outcome]
  })
  const isSent = (outcome: Outcome) =>
    outcome.state === 'sent' || (outcome.state === 'waiting' && outcome.completes !== undefined)
  return owed.some(isSent) ? 0 : owed.filter(({ state }) => state === 'waiting').length
}
