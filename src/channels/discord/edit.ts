import { DiscordAPIError } from 'discord.js'
import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import type { SendResult } from '../channel.ts'
import { withoutMentions } from '../mentions.ts'
import { type DiscordSender, failureOf, notDiscord } from './failure.ts'
import { type DiscordPayload, formatDiscord } from './format.ts'

/** What may be changed of a message. It rings nobody (https://docs.discord.com/developers/resources/message#edit-message). */
export function contentOf(
  message: Message,
): Pick<DiscordPayload, 'content' | 'embeds'> & { allowed_mentions: { parse: [] } } {
  const { content, embeds } = formatDiscord(withoutMentions(message))
  return { content, embeds, allowed_mentions: { parse: [] } }
}

export const notNamed: SendResult = {
  result: 'permanent',
  why: 'Discord did not say which message it is, so it cannot be changed.',
}

const Edited = z.object({ id: z.string() })

/** Discord answers with the message. What stands before it may answer 200 with a page of its own. */
export function resultOfEdit(answer: unknown, receipt: Receipt): SendResult {
  const edited = Edited.safeParse(answer)
  return edited.success && edited.data.id === receipt.id ? { result: 'sent', receipt } : notDiscord()
}

/** As for a message that is sent, but that it may have been deleted (10008) or be of another author (50005). */
export function failureToEdit(error: unknown, party: DiscordSender, signal: AbortSignal): SendResult {
  if (error instanceof DiscordAPIError && (error.code === 10008 || error.code === 50005)) {
    return {
      result: 'permanent',
      why: `The message is not there any more, or not ours (code ${error.code}).`,
    }
  }
  return failureOf(error, party, signal)
}
