import { DiscordAPIError, type RawFile, type RESTPatchAPIChannelMessageJSONBody } from 'discord.js'
import type { Receipt } from '../../event/outcome.ts'
import { cut } from '../../platform/text.ts'
import type { SendResult } from '../channel.ts'
import type { Picture } from '../picture.ts'
import { failureToEdit, notNamed, resultOfEdit } from './edit.ts'
import type { DiscordSender } from './failure.ts'

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
