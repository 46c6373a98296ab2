import type { DueNotification, Store } from '../store/store.ts'
import type { Outage } from './outage.ts'
import type { RetryPolicy } from './policy.ts'

/** Among so many of the newest events, what polling missed is looked for. */
const newest = 500

/** What waited while a channel let nothing through, or what polling missed. */
export interface MissedSummary {
  channel: string
  waiting: number
  /** Milliseconds since the epoch. */
  since: number
  out: 'channel' | 'polling'
}

/** What a channel is told before a message that waited long: how many are to come, and since when. */
export interface Summaries {
  /** Undefined where the message needs none before it. */
  before(owed: DueNotification, now: number): Promise<MissedSummary | undefined>
  /** It was told before this message. */
  told(about: MissedSummary, owed: DueNotification): void
  /** It may stand there, and nobody can be asked: its copies would be as many as the messages behind it. */
  unanswered(about: MissedSummary): void
}

interface SummaryParts {
  channel: string
  store: Pick<Store, 'backlog' | 'list'>
  outage: Outage
  policy: RetryPolicy
}

export function createSummaries({ channel, store, outage, policy }: SummaryParts): Summaries {
  /** What polling missed since then has been announced. */
  let announced: string | undefined
  /** Since when that was missed of which the summary ended without an answer. */
  let open: number | undefined

  async function whileSilent(owed: DueNotification, now: number): Promise<MissedSummary | undefined> {
    const since = outage.sinceOf(owed)
    if (since === undefined || since === open || now - since < policy.summaryAfterMs) return undefined
    const waiting = (await store.backlog()).find((row) => row.channel === channel)?.waiting ?? 0
    return waiting < policy.summaryFrom ? undefined : { channel, waiting, since, out: 'channel' }
  }

  async function missedByPolling(owed: DueNotification): Promise<MissedSummary | undefined> {
    const missedSince = missedSinceOf(owed)
    if (missedSince === undefined || missedSince === announced) return undefined
    const since = Date.parse(missedSince)
    if (since === open) return undefined
    const waiting = await waitingOf(store, channel, missedSince)
    return waiting < policy.missedFrom ? undefined : { channel, waiting, since, out: 'polling' }
  }

  return {
    before: async (owed, now) => (await whileSilent(owed, now)) ?? (await missedByPolling(owed)),
    told(about, owed) {
      if (about.out === 'channel') outage.ends()
      announced = missedSinceOf(owed)
    },
    unanswered(about) {
      open = about.since
    },
  }
}

/** Since when polling had seen nothing, where it found this when it caught up. A person who asks again knows of it. */
function missedSinceOf({ entry, waiting }: DueNotification): string | undefined {
  return entry.kind === 'alert' && waiting.againAt === undefined ? entry.missedSince : undefined
}

/** How many changes that polling missed since then wait for a channel; 0 where the first of them has been sent. */
async function waitingOf(store: Pick<Store, 'list'>, channel: string, missedSince: string): Promise<number> {
  const rows = await store.list({ kind: 'alert', channel, from: missedSince, limit: newest })
  const owed = rows.flatMap(({ entry, outcomes }) => {
    const isOne = entry.kind === 'alert' && entry.missedSince === missedSince
    const outcome = isOne && Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
    return outcome === undefined ? [] : [outcome]
  })
  return owed.some(({ state }) => state === 'sent')
    ? 0
    : owed.filter(({ state }) => state === 'waiting').length
}
