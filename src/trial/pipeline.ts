import { pipelineSettings } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import type { Entry } from '../event/event.ts'
import type { Message } from '../message/message.ts'
import { loadWords } from '../message/words/words.ts'
import { createPipeline, type Pipeline, type PipelineParts } from '../pipeline.ts'
import { systemClock } from '../platform/clock.ts'
import type { FollowUps } from '../store/near.ts'
import { openStoreInMemory } from '../store/sqlite/open.ts'

/** What differs from one trial to the next. */
type TrialParts = Pick<PipelineParts, 'store' | 'clock' | 'channels' | 'silences' | 'onEvent'>

/** The pipeline of a configuration where nothing of the machine is asked and nobody is alerted. */
export function trialPipeline(config: Config, parts: TrialParts): Pipeline {
  return createPipeline({
    ...pipelineSettings(config),
    ...parts,
    // What the figures showed is stored with each event.
    seen: () => ({ state: 'unknown' }),
    // What was dropped from the store is nothing that could come again here.
    horizon: async () => undefined,
    // A notice reads as it did when it was sent.
    isOpen: () => true,
    random: () => 0.5,
  })
}

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
