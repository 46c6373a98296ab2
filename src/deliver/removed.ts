import { beforeOf } from '../event/earlier.ts'
import type { NotSent } from '../event/outcome.ts'
import type { ChangeOutcome, Store } from '../store/store.ts'

const removed: NotSent = {
  state: 'not_sent',
  rule: 'channel-removed',
  why: 'the channel left the configuration while this was pending',
}

export interface Removed {
  channel: string
  /** How many notifications are owed to it. */
  count: number
  /** The event of the newest of them. */
  newest: string
}

/**
 * Accounts for what is owed to channels that are no longer configured, so that no outcome stays "waiting" for
 * ever. Each is told of before: a crash in between has it told again, and `tell` knows it by its newest event,
 * which is settled last.
 */
export async function settleRemoved(
  store: Pick<Store, 'backlog' | 'pending' | 'alter'>,
  configured: readonly string[],
  tell: (removed: Removed) => Promise<void>,
): Promise<void> {
  for (const { channel } of await store.backlog()) {
    if (configured.includes(channel)) continue
    const owed = await store.pending(channel)
    const newest = owed.pop()
    if (newest === undefined) continue
    await tell({ channel, count: owed.length + 1, newest: newest.eventId })
    await Promise.all(owed.map(({ eventId }) => store.alter(eventId, channel, remove)))
    await store.alter(newest.eventId, channel, remove)
  }
}

const remove: ChangeOutcome = (outcome) =>
  outcome?.state === 'waiting' ? { ...removed, ...beforeOf(outcome) } : undefined
