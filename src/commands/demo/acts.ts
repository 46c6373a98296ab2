import { explain } from '../explain.ts'
import { comesLate, isFoundByPolling } from './outage.ts'
import type { DemoContext } from './playing.ts'
import { findingOf } from './watching.ts'
import { isDelivered, isForged, isRepeated } from './webhooks.ts'

/** Something that is caused from outside, and what came of it: answers, messages, and what is stored. */
interface DemoAct {
  title: string
  play(playing: DemoContext): Promise<void>
  /** What a person takes to read it. */
  seconds: number
}

export const acts: readonly DemoAct[] = [
  { title: 'The service reports a change by webhook, signed and new.', play: isDelivered, seconds: 12 },
  { title: 'The service delivers the same event again, as it may.', play: isRepeated, seconds: 4 },
  { title: 'Somebody else forges a delivery.', play: isForged, seconds: 5 },
  { title: 'The line breaks: webhooks fail. Then a model changes.', play: isFoundByPolling, seconds: 13 },
  { title: 'The line is mended. The webhook about that change comes late.', play: comesLate, seconds: 13 },
  { title: 'What became of it, and why.', play: isExplained, seconds: 8 },
]

async function isExplained({ stage, say, terminal }: DemoContext): Promise<void> {
  const { id } = await findingOf(stage)
  say.line(`$ npx bluepencil explain ${id}`)
  await explain(id, { config: stage.configFile }, { ...terminal, out: say.printed })
}
