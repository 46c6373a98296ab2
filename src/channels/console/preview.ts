import type { Message } from '../../message/message.ts'
import { wordsOf } from '../../message/words/words.ts'
import { painted } from '../../platform/text.ts'
import type { PreviewStyle } from '../view.ts'
import type { ConsoleSettings } from './config.ts'

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
