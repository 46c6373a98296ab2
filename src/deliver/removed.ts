import type { NotSent, Outcome } from '../event/outcome.ts'
import type { Owed, Store } from '../store/store.ts'

const removed: NotSent = {
  state: 'not_sent',
  rule: 'channel-removed',
  why: 'the channel left the configuration while this was owed to it',
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
  store: Pick<Store, 'backlog' | 'take' | 'settle'>,
  configured: readonly string[],
  tell: (removed: Removed) => Promise<void>,
): Promise<void> {
  for (const { channel, waiting } of await store.backlog()) {
    if (configured.includes(channel)) continue
    const all = { now: Number.MAX_SAFE_INTEGER, limit: waiting, leaseMs: 0 }
    const owed = (await store.take(channel, all)).toSorted((one, other) => one.seq - other.seq)
    const newest = owed.pop()
    if (newest === undefined) continue
    await tell({ channel, count: owed.length + 1, newest: newest.eventId })
    await Promise.all(owed.map((one) => store.settle(one.eventId, channel, outcomeOf(one))))
    await store.settle(newest.eventId, channel, outcomeOf(newest))
  }
}

/** What stands there already was sent, whatever was to be added to it. */
function outcomeOf({ waiting: { completes } }: Owed): Outcome {
  return completes === undefined
    ? removed
    : { ...completes, incomplete: 'the channel left the configuration' }
}
