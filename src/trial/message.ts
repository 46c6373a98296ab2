import type { Config } from '../config/schema.ts'
import type { Entry } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { loadWords } from '../message/words/words.ts'
import { systemClock } from '../platform/clock.ts'
import type { FollowUps } from '../store/near.ts'
import { openStoreInMemory } from '../store/sqlite/open.ts'
import { trialPipeline } from './pipeline.ts'

/** What a channel of the configuration would be sent about an entry, by what else is known of it. */
export async function messageNow(
  config: Config,
  { entry, channel, later }: { entry: Entry; channel: string; later: FollowUps },
): Promise<Message> {
  await loadWords(config.channels.map(({ language }) => language))
  const pipeline = trialPipeline(config, {
    store: openStoreInMemory(systemClock),
    clock: systemClock,
    channels: [],
    silences: () => [],
    onEvent: () => {},
  })
  return pipeline.message({ entry, channel, later, againAt: undefined })
}
