import { openChannels } from '../channels/registry.ts'
import type { Config } from '../config/schema.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import { nearMs } from '../store/near.ts'
import { accountOf, type ChannelAccount } from './account.ts'
import { asItCame } from './came.ts'
import { runOver } from './run.ts'

/** What came before the time that is counted may be the same change, or what is corrected: so much of it is run through too. */
export const before = nearMs

/** Stored alerts as they came in, in the order in which they did. Pure. */
export function historyOf(newestFirst: readonly Entry[], since: number): AlertEvent[] {
  return newestFirst
    .flatMap((entry) => (entry.kind === 'alert' && Date.parse(entry.receivedAt) >= since ? [entry] : []))
    .map(asItCame)
    .toReversed()
}

/**
 * What a configuration would have made of what came in, counted from `from` to `to` (milliseconds since the epoch), for
 * each of its channels. Nothing is sent. Rejects where a channel cannot be opened.
 */
export async function backtest(
  config: Config,
  { events, from, to }: { events: readonly AlertEvent[]; from: number; to: number },
): Promise<ChannelAccount[]> {
  const channels = await openChannels({ config, out: { write() {}, width: 80, colour: false } })
  try {
    const outcomes = await runOver({ config, channels, events, to })
    return accountOf(
      outcomes,
      config.channels.map(({ name }) => name),
      from,
    )
  } finally {
    await Promise.all(channels.map(async (channel) => channel.close()))
  }
}
