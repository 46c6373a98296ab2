import * as z from 'zod'
import { printable } from '../../platform/text.ts'
import type { Asker, ChatRequest } from '../interaction.ts'
import { readCustomId } from './actions.ts'
import { commandName, optionOrder } from './commands.ts'

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

/** What it asks for; undefined where it is none that we drew. */
export function askedBy(interaction: PersonsInteraction): ChatRequest | undefined {
  const by = askerOf(interaction)
  if (by === undefined) return undefined
  const { id: key, channel_id, channel, locale } = interaction
  const place = [channel_id, channel?.parent_id].flatMap((one) => one ?? [])
  const common = { by, key, place, ...(locale !== undefined && { locale }) }
  if (interaction.type === 2) {
    const [sub] = interaction.data.options
    const given = new Map(sub?.options.map(({ name, value }) => [name, value]))
    const words = optionOrder.flatMap((name) => given.get(name) ?? [])
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
