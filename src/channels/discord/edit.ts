import { DiscordAPIError, type RawFile, type RESTPatchAPIChannelMessageJSONBody } from 'discord.js'
import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { cut } from '../../platform/text.ts'
import type { Picture, SendResult } from '../channel.ts'
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

/** What readers with a screen reader are read; Discord takes so many characters. */
const mostAlt = 1_024

interface PictureRequest {
  body: Pick<RESTPatchAPIChannelMessageJSONBody, 'attachments'>
  files: RawFile[]
}

/** How the message is changed: by the bot or by the webhook that sent it. */
type PatchMessage = (place: string | undefined, id: string, request: PictureRequest) => Promise<unknown>

/**
 * Adds the picture to the message as its one attachment: a repeat puts it in the place of the first. It stays where later
 * edits change the text, since they name no attachments (https://docs.discord.com/developers/resources/message#edit-message).
 */
export async function addPicture(
  { png, alt }: Picture,
  receipt: Receipt,
  { party, patch, signal }: { party: DiscordSender; patch: PatchMessage; signal: AbortSignal },
): Promise<SendResult> {
  const { place, id } = receipt
  if (id === undefined) return notNamed
  const filename = 'chart.png'
  const description = cut(alt, mostAlt, (text) => text.length)
  try {
    const answer = await patch(place, id, {
      body: { attachments: [{ id: '0', filename, description }] },
      files: [{ name: filename, data: Buffer.from(png), contentType: 'image/png' }],
    })
    return surely(resultOfEdit(answer, receipt))
  } catch (error) {
    if (error instanceof DiscordAPIError && error.code === 50013) return mayNot
    return surely(failureToEdit(error, party, signal))
  }
}

/** A repeat changes nothing, so that every failure may be tried again. */
function surely(result: SendResult): SendResult {
  return result.result === 'retry' ? { ...result, uncertain: false } : result
}

const mayNot: SendResult = {
  result: 'blocked',
  why: 'The bot may not attach files there: allow it Attach Files in the channel (code 50013).',
}
