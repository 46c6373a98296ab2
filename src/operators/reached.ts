import { dayMs } from '../platform/durations.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Store } from '../store/store.ts'
import type { Incidents } from './incidents.ts'

/** Of the end of its incident. */
export function reachedAgain(channel: string): string {
  return `${channel}: messages are getting through again`
}

/** No message waits for longer before it is sent or given up, by some way. */
const longestWaitMs = 3 * dayMs

/**
 * Ends the incident of a channel on which a message has got through since it began: a process that was killed between
 * writing that down and reporting it did not. To be asked when the channel is taken over.
 */
export async function resolveReached(
  channel: string,
  { store, incidents }: { store: Pick<Store, 'list'>; incidents: Pick<Incidents, 'current' | 'resolves'> },
): Promise<void> {
  const key = `channel:${channel}`
  const open = incidents.current().find((one) => one.key === key)
  if (open !== undefined && (await sentSince(store, channel, Date.parse(open.since)))) {
    incidents.resolves(key, reachedAgain(channel))
  }
}

async function sentSince(store: Pick<Store, 'list'>, channel: string, since: number): Promise<boolean> {
  const from = new Date(since - longestWaitMs).toISOString()
  for await (const rows of newestFirst(store, { channel, outcome: 'sent', from })) {
    const isSince = rows.some(({ outcomes: { [channel]: outcome } }) => {
      return outcome?.state === 'sent' && Date.parse(outcome.at) > since
    })
    if (isSince) return true
  }
  return false
}
