import { openChannels } from '../channels/registry.ts'
import type { Config } from '../config/schema.ts'
import type { Act } from '../event/act.ts'
import { readDelivery } from '../event/delivery.ts'
import { type AlertEvent, type Entry, isFinding } from '../event/event.ts'
import { longestSilenceMs } from '../people/converse/silences.ts'
import { accountOf, type ChannelAccount } from './account.ts'
import { runOver } from './run.ts'

/**
 * A trial also runs through so much time before the period that counts. A silence from then may still be active. An alert from
 * then may be about the same change, or the one that is corrected.
 */
export const before = longestSilenceMs

/** What was stored, as it came in and in the order in which it did; what was made of it is made again. Pure. */
export function historyOf(newestFirst: readonly Entry[]): (AlertEvent | Act)[] {
  return newestFirst
    .flatMap((entry): (AlertEvent | Act)[] =>
      entry.kind === 'alert' ? [asItCame(entry)] : entry.kind === 'act' ? [entry] : [],
    )
    .toReversed()
}

/**
 * What a configuration would have made of what came in, counted from `from` to `to` (milliseconds since the epoch), for
 * each of its channels. Nothing is sent. Rejects if a channel cannot be opened.
 */
export async function backtest(
  config: Config,
  { history, from, to }: { history: readonly (AlertEvent | Act)[]; from: number; to: number },
): Promise<ChannelAccount[]> {
  const channels = await openChannels({ config, out: { write() {}, width: 80, colour: false } })
  try {
    const outcomes = await runOver({ config, channels, history, to })
    return accountOf(
      outcomes,
      config.channels.map(({ name }) => name),
      from,
    )
  } finally {
    await Promise.all(channels.map(async (channel) => channel.close()))
  }
}

/**
 * A stored alert as it came in, without what was decided of it then: what it is to others, and under which id it is kept.
 * What the published figures showed of it stays.
 */
function asItCame(event: AlertEvent): AlertEvent {
  const { before: _, story: _story, ...came } = event
  // Polling itself says which finding it withdraws or confirms.
  if (isFinding(event)) return { ...came, sameAs: null }
  const { source, receivedAt, body, figures } = event
  return { ...readDelivery(Buffer.from(body.text, body.encoding), { source, receivedAt }), figures }
}
