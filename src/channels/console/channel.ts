import type { Message } from '../../message/message.ts'
import { wordsOf } from '../../message/words/words.ts'
import { painted } from '../../platform/text.ts'
import type { Channel, SendResult } from '../channel.ts'
import type { PreviewStyle, View } from '../kind.ts'
import type { ConsoleSettings } from './config.ts'

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

/** How a message would read in the place that `as` names, drawn from the very payload that would be sent there. */
export async function previewOf(
  message: Message,
  settings: ConsoleSettings,
  style: PreviewStyle,
): Promise<string> {
  switch (settings.as) {
    case 'slack': {
      const [{ formatSlack }, { previewSlack }] = await Promise.all([
        import('../slack/format.ts'),
        import('../slack/preview.ts'),
      ])
      return previewSlack(formatSlack(message), style)
    }
    case 'discord': {
      const [{ formatDiscord }, { previewDiscord }] = await Promise.all([
        import('../discord/format.ts'),
        import('../discord/preview.ts'),
      ])
      return previewDiscord(formatDiscord(message), style)
    }
    case 'email': {
      const [{ formatEmail }, { previewEmail }] = await Promise.all([
        import('../email/format.ts'),
        import('../email/preview.ts'),
      ])
      const envelope = {
        from: { name: 'Bluepencil', address: 'bluepencil@desk.example' },
        to: 'desk@desk.example',
        channel: settings.name,
        domain: 'desk.example',
      }
      return previewEmail(formatEmail(message, envelope), { ...style, language: message.language })
    }
    case 'plain':
      return plainPreview(message, style)
  }
}

function plainPreview(message: Message, style: PreviewStyle): string {
  const { say } = wordsOf(message.language)
  return [
    `${message.kicker}`,
    painted('bold', message.headline, style.colour),
    ...message.text,
    ...message.facts.map((fact) => `  ${say('labelled', fact)}`),
    ...message.caveats.map((caveat) => `! ${caveat}`),
    ...message.links.map(({ label, url }) => say('labelled', { label, value: url })),
    message.source,
  ].join('\n')
}

export function viewOnConsole(message: Message, settings: ConsoleSettings): View {
  return { text: (style) => previewOf(message, settings, style), payload: message, files: {} }
}
