import { pipelineSettings } from '../config/derived.ts'
import type { Config } from '../config/schema.ts'
import { createPipeline, type Pipeline, type PipelineParts } from '../pipeline.ts'

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
