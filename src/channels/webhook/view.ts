import type { Message } from '../../message/message.ts'
import type { View } from '../view.ts'
import { formatWebhook } from './format.ts'

/** Who gets it is a program: it is shown as it is posted. */
export function viewOnWebhook(message: Message): View {
  const { body } = formatWebhook(message)
  const json = JSON.stringify(body, null, 2)
  return { text: () => json, payload: body, files: { json: `${json}\n` } }
}
