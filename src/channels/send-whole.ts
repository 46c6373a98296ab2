import type { Message } from '../message/message.ts'
import type { Attempt, Channel, SendResult } from './channel.ts'

/** All parts of a message, one after the other, where nobody writes down between them what is done. Tries each once. */
export async function sendWhole(
  channel: Pick<Channel, 'send'>,
  message: Message,
  attempt: Attempt,
): Promise<SendResult> {
  let result = await channel.send(message, attempt)
  while (result.result === 'more') {
    result = await channel.send(message, { ...attempt, progress: result.progress })
  }
  return result
}
