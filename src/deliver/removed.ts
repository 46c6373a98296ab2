import type { NotSent } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'

const outcome: NotSent = {
  state: 'not_sent',
  rule: 'channel-removed',
  why: 'the channel left the configuration while this was owed to it',
}

/**
 * Accounts for what is owed to channels that are no longer configured, so that no outcome stays "waiting" for
 * ever. Answers how many there were, by channel.
 */
export async function settleRemoved(
  store: Pick<Store, 'backlog' | 'take' | 'settle'>,
  configured: readonly string[],
): Promise<Map<string, number>> {
  const removed = new Map<string, number>()
  for (const { channel, waiting } of await store.backlog()) {
    if (configured.includes(channel)) continue
    const all = { now: Number.MAX_SAFE_INTEGER, limit: waiting, leaseMs: 0 }
    const owed = await store.take(channel, all)
    await Promise.all(owed.map(({ eventId }) => store.settle(eventId, channel, outcome)))
    removed.set(channel, waiting)
  }
  return removed
}
