import { isFinding } from '../../event/event.ts'
import { explain } from '../events.ts'
import type { Terminal } from '../terminal.ts'
import { comesLate, isFoundByPolling } from './outage.ts'
import type { Say } from './say.ts'
import type { Stage } from './stage.ts'
import { isDelivered, isForged, isRepeated } from './webhooks.ts'

/** What an act has: the stage, its voice, and what the channels have shown so far, oldest first. */
export interface Playing {
  stage: Stage
  say: Say
  messages: readonly string[]
  /** For a command that is run as a person would. */
  terminal: Terminal
}

/** Something that is caused from outside, and what came of it: answers, messages, and what is stored. */
interface Act {
  title: string
  play(playing: Playing): Promise<void>
  /** What a person takes to read it. */
  seconds: number
}

export const acts: readonly Act[] = [
  { title: 'The service reports a change by webhook, signed and new.', play: isDelivered, seconds: 14 },
  { title: 'The service delivers the same event again, as it may.', play: isRepeated, seconds: 5 },
  { title: 'Somebody else forges a delivery.', play: isForged, seconds: 6 },
  { title: 'The line breaks: webhooks fail. Then a model changes.', play: isFoundByPolling, seconds: 14 },
  {
    title: 'The line is mended. The webhook about that change comes late.',
    play: comesLate,
    seconds: 14,
  },
  { title: 'What became of it, and why.', play: isExplained, seconds: 10 },
]

async function isExplained({ stage, say, terminal }: Playing): Promise<void> {
  const rows = await stage.control.events({ limit: 100 })
  const found = rows.find(({ entry }) => entry.kind === 'alert' && isFinding(entry))
  const id = found?.entry.id ?? ''
  say.line(`$ npx bluepencil explain ${id}`)
  await explain(id, { config: stage.configFile }, { ...terminal, out: say.printed })
}
