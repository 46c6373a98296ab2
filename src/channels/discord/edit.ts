import { DiscordAPIError, type RawFile, type RESTPatchAPIChannelMessageJSONBody } from 'discord.js'
import * as z from 'zod'
import type { Receipt } from '../../event/outcome.ts'
import type { Message } from '../../message/message.ts'
import { cut } from '../../platform/text.ts'
import type { Channel, SendResult } from '../channel.ts'
import { withoutMentions } from '../mentions.ts'
import { type DiscordSender, failureOf, notDiscord } from './failure.ts'
import { type DiscordPayload, formatDiscord } from './format.ts'
import { withOwnSignal } from './rest.ts'

/** Screen readers read it out; Discord accepts so many characters. */
const mostAlt = 1_024

interface MessageChange {
  body: Pick<RESTPatchAPIChannelMessageJSONBody, 'content' | 'embeds' | 'components' | 'attachments'>
  files?: RawFile[]
}

/** Changes the message of this receipt, which has an `id`; answers what Discord does. */
type PatchMessage = (
  receipt: Receipt & { id: string },
  request: MessageChange & { signal: AbortSignal },
) => Promise<unknown>

/** How messages are edited and get pictures, by the bot or the webhook that sent them. */
export function changesBy(
  party: DiscordSender,
  patch: PatchMessage,
  pictures: boolean,
): Pick<Channel, 'edit' | 'addPicture' | 'pictures'> {
  function change(
    receipt: Receipt,
    signal: AbortSignal,
    make: () => MessageChange,
    forbidden?: SendResult,
  ): Promise<SendResult> {
    return withOwnSignal(signal, async (own) => {
      const { id } = receipt
      if (id === undefined) return notNamed
      try {
        const changed = Changed.safeParse(await patch({ ...receipt, id }, { ...make(), signal: own }))
        // What stands before Discord may answer 200 with a page of its own.
        return changed.success && changed.data.id === id ? { result: 'sent', receipt } : notDiscord()
      } catch (error) {
        const code = error instanceof DiscordAPIError ? error.code : undefined
        if (code === 50013 && forbidden !== undefined) return forbidden
        // It may have been deleted, or be of another author.
        if (code === 10008 || code === 50005) {
          const why = `The message was deleted, or another bot posted it (code ${code}).`
          return { result: 'permanent', why }
        }
        return failureOf(error, party, own)
      }
    })
  }

  return {
    edit: (message, receipt, signal) =>
      change(receipt, signal, () => {
        if (party === 'webhook') return { body: contentOf(message) }
        // If nobody listens any more, the buttons go.
        const { components = [] } = formatDiscord(message)
        return { body: { ...contentOf(message), components } }
      }),
    /**
     * The picture is the message's one attachment: a repeat puts it in the place of the first, so every failure may be tried
     * again. It stays when later edits change the text, since they name no attachments
     * (https://docs.discord.com/developers/resources/message#edit-message).
     */
    ...(pictures && {
      pictures: 'dark',
      async addPicture({ png, alt }, receipt, signal) {
        const filename = 'chart.png'
        const description = cut(alt, mostAlt, (text) => text.length)
        const make = () => ({
          body: { attachments: [{ id: '0', filename, description }] },
          files: [{ name: filename, data: Buffer.from(png), contentType: 'image/png' }],
        })
        const result = await change(receipt, signal, make, mayNotAttach)
        return result.result === 'retry' ? { ...result, uncertain: false } : result
      },
    }),
  }
}

/** What may be changed of a message. An edit notifies nobody (https://docs.discord.com/developers/resources/message#edit-message). */
export function contentOf(
  message: Message,
): Pick<DiscordPayload, 'content' | 'embeds'> & { allowed_mentions: { parse: [] } } {
  const { content, embeds } = formatDiscord(withoutMentions(message))
  return { content, embeds, allowed_mentions: { parse: [] } }
}

const notNamed: SendResult = {
  result: 'permanent',
  why: 'Discord did not return the id of the message, so Bluepencil cannot edit it.',
}

const mayNotAttach: SendResult = {
  result: 'blocked',
  why: 'The bot may not attach files there: allow it Attach Files in the channel’s settings (code 50013).',
}

const Changed = z.object({ id: z.string() })
