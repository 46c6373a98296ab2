import { DiscordAPIError } from 'discord.js'
import type { SendResult } from '../channel.ts'
import type { Message } from '../message.ts'
import { failureOf, type Party } from './failure.ts'
import { type DiscordPayload, formatDiscord } from './format.ts'

/** What may be changed of a message (https://docs.discord.com/developers/resources/message#edit-message). */
export function contentOf(message: Message): Pick<DiscordPayload, 'content' | 'embeds' | 'allowed_mentions'> {
  const { content, embeds, allowed_mentions } = formatDiscord(message)
  return { content, embeds, allowed_mentions }
}

export const notNamed: SendResult = {
  result: 'permanent',
  why: 'Discord did not say which message it is, so it cannot be changed.',
}

/** As for a message that is sent, but that it may have been deleted (10008) or be of another author (50005). */
export function failureToEdit(error: unknown, party: Party, signal: AbortSignal): SendResult {
  if (error instanceof DiscordAPIError && (error.code === 10008 || error.code === 50005)) {
    return {
      result: 'permanent',
      why: `The message is not there any more, or not ours (code ${error.code}).`,
    }
  }
  return failureOf(error, party, signal)
}
