import type { Message } from '../../message/message.ts'
import { wordsOf } from '../../message/words/words.ts'
import { painted } from '../../platform/text.ts'
import type { Channel, SendResult } from '../channel.ts'
import type { ConsoleSettings } from './config.ts'
import { previewOf } from './preview.ts'

export interface ConsoleOutput {
  write(text: string): void
  width: number
  colour: boolean
}

/** Channels that write to the terminal, each message as it would read elsewhere. */
export function openConsole(channels: readonly ConsoleSettings[], out: ConsoleOutput): Channel[] {
  return channels.map((settings) => openOne(settings, out))
}

function openOne(settings: ConsoleSettings, out: ConsoleOutput): Channel {
  async function write(message: Message, what: string): Promise<SendResult> {
    const preview = await previewOf(message, settings, out)
    out.write(`${painted('dim', what, out.colour)}\n${preview}\n\n`)
    return { result: 'sent', receipt: { text: 'written to the terminal' } }
  }

  return {
    name: settings.name,
    type: settings.type,
    paceMs: 0,
    send: (message) => write(message, heading(settings)),
    // What shows a place shows also whether a message can be changed there.
    ...(isEditable(settings) && {
      edit: (message) =>
        write(message, wordsOf(settings.language).say('previewEdited', { heading: heading(settings) })),
    }),
    async check() {
      return [{ level: 'ok', what: 'terminal', text: `writes to standard output, ${settings.as}` }]
    },
    async close() {},
  }
}

function isEditable({ as }: ConsoleSettings): boolean {
  return as === 'slack' || as === 'discord'
}

function heading({ name, as, language }: ConsoleSettings): string {
  return as === 'plain' ? name : wordsOf(language).say('previewIn', { channel: name, place: as })
}
