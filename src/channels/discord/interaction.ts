import {
  type APIInteractionResponse,
  ComponentType,
  InteractionResponseType,
  MessageFlags,
  Routes,
  TextInputStyle,
} from 'discord.js'
import * as z from 'zod'
import { wordsOf } from '../../message/words/words.ts'
import { printable } from '../../platform/text.ts'
import { type Asker, type ChatReply, type ChatRequest, type ListenParts, longestWhy } from '../interaction.ts'
import { commandName, optionOrder } from './commands.ts'
import type { DiscordAccount } from './config.ts'
import { failureOf } from './failure.ts'
import { customId, readCustomId } from './format.ts'
import { type Bot, openBot } from './rest.ts'
import { asIs, fit } from './text.ts'

/** https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object */
const User = z.object({ id: z.string(), username: z.string(), global_name: z.string().nullish() })
const Common = {
  id: z.string(),
  application_id: z.string(),
  token: z.string(),
  channel_id: z.string().optional(),
  /** Of a thread, the channel that it belongs to. */
  channel: z.object({ parent_id: z.string().nullish() }).optional(),
  /** In which who asks uses Discord. */
  locale: z.string().optional(),
  /** On a server, and outside of one. */
  member: z.object({ user: User, nick: z.string().nullish() }).optional(),
  user: User.optional(),
}
const Option = z.object({ name: z.string(), value: z.string().optional() })
const Field = z.object({
  component: z.object({
    custom_id: z.string(),
    value: z.string().optional(),
    values: z.array(z.string()).optional(),
  }),
})
export const Interaction = z.discriminatedUnion('type', [
  z.object({ type: z.literal(1) }),
  z.object({
    ...Common,
    type: z.literal(2),
    data: z.object({
      name: z.literal(commandName),
      options: z.array(z.object({ name: z.string(), options: z.array(Option).default([]) })).length(1),
    }),
  }),
  z.object({ ...Common, type: z.literal(3), data: z.object({ custom_id: z.string() }) }),
  z.object({
    ...Common,
    type: z.literal(5),
    data: z.object({ custom_id: z.string(), components: z.array(Field) }),
  }),
])
type Interaction = z.infer<typeof Interaction>
export type PersonsInteraction = Exclude<Interaction, { type: 1 }>

/** What it asks for; undefined if it is none that we drew. */
function requestOf(interaction: PersonsInteraction): ChatRequest | undefined {
  const by = askerOf(interaction)
  if (by === undefined) return undefined
  const { id: key, channel_id, channel, locale } = interaction
  const place = [channel_id, channel?.parent_id].flatMap((id) => id ?? [])
  const common = { by, key, place, ...(locale !== undefined && { locale }) }
  if (interaction.type === 2) {
    const [sub] = interaction.data.options
    const values = new Map(sub?.options.map(({ name, value }) => [name, value]))
    const words = optionOrder.flatMap((name) => values.get(name) ?? [])
    return { ...common, does: 'command', words: [sub?.name, ...words].join(' ') }
  }
  const read = readCustomId(interaction.data.custom_id)
  if (read === undefined) return undefined
  const { verb, about } = read
  if (interaction.type === 3) {
    return { ...common, does: verb === 'silence' ? 'ask-silence' : verb, about }
  }
  if (verb !== 'silence') return undefined
  const fields = interaction.data.components.map(({ component }) => component)
  const of = (name: string) => fields.find(({ custom_id }) => custom_id === name)
  return {
    ...common,
    does: 'silence',
    about,
    until: of('until')?.values?.[0] ?? '',
    why: of('why')?.value ?? '',
  }
}

function askerOf({ member, user = member?.user }: PersonsInteraction): Asker | undefined {
  if (user === undefined) return undefined
  const name = member?.nick ?? user.global_name ?? user.username
  return { id: user.id, name: printable(name).slice(0, 80), via: 'discord' }
}

/** Discord accepts the rest of an answer for a quarter of an hour; each request has this long, in milliseconds. */
export const chatTimeoutMs = 10_000

/** For what is asked of Discord beside messages: its own limits, and a shorter patience. */
export function openChatBot(account: DiscordAccount): Bot {
  return openBot(account, account.token ?? '', chatTimeoutMs)
}

interface Responded {
  response: APIInteractionResponse
  /** Discord sent it again, and has the response. */
  isRepeat: boolean
}

/** Answers an interaction within Discord's three seconds; a later reply replaces the answer. Never rejects. */
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
    const request = requestOf(interaction)
    if (request === undefined) return undefined
    const { reply, later, isRepeat } = await answer(request)
    if (later !== undefined && !isRepeat) void later.then((rest) => replace(interaction, rest))
    return { response: responseTo(reply), isRepeat }
  }
}

const longest = 2_000

/** An answer for who asked alone, or the form that was asked for. */
export function responseTo(reply: ChatReply): APIInteractionResponse {
  const modal = modalOf(reply)
  if (modal !== undefined) return modal
  const data = { ...contentOfReply(reply), flags: MessageFlags.Ephemeral } as const
  return { type: InteractionResponseType.ChannelMessageWithSource, data }
}

export function contentOfReply({ text, list = [], figures }: ChatReply) {
  const columns = figures === undefined ? '' : `\n\`\`\`\n${figures.replaceAll('`', "'")}\n\`\`\``
  let content = fit(text, longest)
  for (const line of list) {
    const more = `\n- ${fit(line, longest)}`
    if (content.length + more.length > longest) break
    content += more
  }
  // Figures beyond all measure are left out whole: half of a chart is another one.
  if (content.length + columns.length <= longest) content += columns
  return { content, allowed_mentions: { parse: [] } }
}

/** https://docs.discord.com/developers/components/reference#label */
function modalOf({ form, language }: ChatReply): APIInteractionResponse | undefined {
  if (form === undefined) return undefined
  const { about, scope, ends } = form
  const { say } = wordsOf(language)
  const id = customId('silence', about)
  if (id === undefined) return undefined
  return {
    type: InteractionResponseType.Modal,
    data: {
      custom_id: id,
      title: fit(say('formTitle'), 45, asIs),
      components: [
        {
          type: ComponentType.Label,
          label: say('formDuration'),
          description: fit(say('formScope', { scope }), 100, asIs),
          component: {
            type: ComponentType.StringSelect,
            custom_id: 'until',
            options: ends.map(({ value, label }, index) => ({ value, label, default: index === 0 })),
          },
        },
        {
          type: ComponentType.Label,
          label: say('formWhy'),
          component: {
            type: ComponentType.TextInput,
            custom_id: 'why',
            style: TextInputStyle.Short,
            max_length: longestWhy,
          },
        },
      ],
    },
  }
}
