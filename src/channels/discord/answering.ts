import { type APIInteractionResponse, Routes } from 'discord.js'
import type { ChatReply } from '../interaction.ts'
import type { ListenParts } from '../listen.ts'
import type { DiscordAccount } from './config.ts'
import { failureOf } from './failure.ts'
import { askedBy, type PersonsInteraction } from './interaction.ts'
import { contentOfReply, responseTo } from './reply.ts'
import { type Bot, openBot } from './rest.ts'

/** Discord accepts the rest of an answer for a quarter of an hour; each request has this long, in milliseconds. */
export const chatTimeoutMs = 10_000

/** For what is asked of Discord beside messages: its own limits, and a shorter patience. */
export function openChatBot(account: DiscordAccount): Bot {
  return openBot(account, account.token ?? '', chatTimeoutMs)
}

interface Responded {
  response: APIInteractionResponse
  /** Discord told it again, and has the response. */
  isRepeat: boolean
}

/** Answers an interaction within Discord's three seconds; what takes longer replaces the answer. Never rejects. */
export function createDiscordAnswering(bot: Bot, { answer, onError }: ListenParts) {
  async function replace({ application_id: id, token }: PersonsInteraction, reply: ChatReply): Promise<void> {
    try {
      const body = contentOfReply(reply)
      await bot.rest().patch(Routes.webhookMessage(id, token, '@original'), { body, auth: false })
    } catch (error) {
      // What discord.js throws has the interaction's token in it.
      onError(new Error(failureOf(error, 'bot').why))
    }
  }

  return async (interaction: PersonsInteraction): Promise<Responded | undefined> => {
    const asked = askedBy(interaction)
    if (asked === undefined) return undefined
    const { reply, later, isRepeat } = await answer(asked)
    if (later !== undefined && !isRepeat) void later.then((rest) => replace(interaction, rest))
    return { response: responseTo(reply), isRepeat }
  }
}
