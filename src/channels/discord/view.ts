import type { Message } from '../../message/message.ts'
import type { View } from '../view.ts'
import type { DiscordSettings } from './config.ts'
import { formatDiscord } from './format.ts'
import { previewDiscord } from './preview.ts'

export function viewOnDiscord(message: Message, { to }: DiscordSettings): View {
  const payload = formatDiscord(message, to)
  return {
    text: (style) => previewDiscord(payload, style),
    payload,
    files: { json: `${JSON.stringify(payload, null, 2)}\n` },
  }
}
