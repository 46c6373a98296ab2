import type { Message } from '../../message/message.ts'
import type { View } from '../view.ts'
import { formatSlack } from './format.ts'
import { previewSlack } from './preview.ts'

/** The file holds what Slack's Block Kit Builder reads (https://app.slack.com/block-kit-builder). */
export function viewOnSlack(message: Message): View {
  const payload = formatSlack(message)
  return {
    text: (style) => previewSlack(payload, style),
    payload,
    files: { json: `${JSON.stringify({ blocks: payload.blocks }, null, 2)}\n` },
  }
}
