import { beforeOf, type NotSent } from '../event/outcome.ts'
import type { ChangeOutcome, Store } from '../store/store.ts'

const removed: NotSent = {
  state: 'not_sent',
  rule: 'channel-removed',
  why: 'the channel was removed from the configuration before this was sent',
}

export interface RemovedChannel {
  channel: string
  /** How many notifications are pending for it. */
  count: number
  /** The event of the newest of them. */
  newest: string
}

/**
 * Settles what is pending or held for channels that are no longer configured, so that no outcome stays "waiting" for ever.
 * `report` comes first: after a crash in between, it is called again, with the same newest event. That one is settled last.
 */
export async function settleRemoved(
  store: Pick<Store, 'backlog' | 'pending' | 'held' | 'alter' | 'later'>,
  configured: readonly string[],
  report: (removed: RemovedChannel) => Promise<void>,
): Promise<void> {
  const held = (await store.held()).filter(({ channel }) => !configured.includes(channel))
  const waiting = (await store.backlog()).filter(({ channel }) => !configured.includes(channel))
  for (const channel of new Set([...held, ...waiting].map(({ channel }) => channel))) {
    const ids = [
      ...held.filter((row) => row.channel === channel).map(({ eventId }) => eventId),
      ...(await store.pending(channel)).map(({ eventId }) => eventId),
    ]
    const newest = ids.pop()
    if (newest === undefined) continue
    await report({ channel, count: ids.length + 1, newest })
    await Promise.all(ids.map((eventId) => removeAll(eventId, channel, store)))
    await removeAll(newest, channel, store)
  }
}

/** With the alerts that its message was to show. */
async function removeAll(
  eventId: string,
  channel: string,
  store: Pick<Store, 'alter' | 'later'>,
): Promise<void> {
  const { members = [] } = await store.later(eventId)
  for (const { alert } of members) {
    await store.alter(alert.id, channel, (outcome) =>
      outcome?.state === 'merged' && outcome.in === eventId
        ? { ...removed, ...beforeOf(outcome) }
        : undefined,
    )
  }
  await store.alter(eventId, channel, remove)
}

const remove: ChangeOutcome = (outcome) =>
  outcome?.state === 'waiting' || outcome?.state === 'held' ? { ...removed, ...beforeOf(outcome) } : undefined
