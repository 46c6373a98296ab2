import type * as z from 'zod'
import type { Message } from '../message/message.ts'
import { loadWords } from '../message/words/words.ts'
import type { Channel } from './channel.ts'
import { terminal } from './console/kind.ts'
import { discord } from './discord/kind.ts'
import { email } from './email/kind.ts'
import type { Accounts, KeyText, Surroundings } from './kind.ts'
import { slack } from './slack/kind.ts'
import type { View } from './view.ts'
import { webhook } from './webhook/kind.ts'

/** Every kind of channel, each in a folder of its name: a new one is a line here. */
export const channelKinds = { slack, discord, email, console: terminal, webhook }

const all = Object.values(channelKinds)
const [first, ...others] = all.map(({ settings }) => settings)
if (first === undefined) throw new Error('there is no kind of channel')

/** The forms that a channel's settings may have. */
export const settingsOfKinds = [first, ...others] as const
type RegisteredSettings = z.output<(typeof settingsOfKinds)[number]>

/** What the keys of each kind are for, by their paths in the configuration. */
export const keysOfKinds: Readonly<Record<string, KeyText>> = Object.fromEntries(
  Object.entries(channelKinds).flatMap(([type, { keys }]) =>
    Object.entries(keys).map(([key, text]) => [`channels.${type}.${key}`, text] as const),
  ),
)

/** The values of one channel that must not be seen. */
export function secretsOfChannel(channel: RegisteredSettings): string[] {
  return all.flatMap((kind) => kind.secrets(channel))
}

/** What the configuration lacks for a channel, as the end of a sentence. */
export function lackOf(channel: RegisteredSettings, accounts: Accounts): string | undefined {
  return all.map((kind) => kind.lacks(channel, accounts)).find((lack) => lack !== undefined)
}

/** What a channel shares with others, so that they fail together. */
export function wayOf(channel: RegisteredSettings): string {
  return all.map((kind) => kind.way(channel)).find((way) => way !== undefined) ?? channel.name
}

/** How a message would read on a channel, whatever its kind. */
export async function viewOn(
  channel: RegisteredSettings,
  message: Message,
  accounts: Accounts,
): Promise<View> {
  const view = await all.map((kind) => kind.view(message, channel, accounts)).find((one) => one !== undefined)
  if (view === undefined) throw new Error(`the channel ${channel.name} is of no kind`)
  return view
}

/** What the configuration says of the channels, and of the accounts that they send with. */
export interface ChannelsConfig extends Accounts {
  channels: readonly RegisteredSettings[]
}

export interface OpenChannels extends Omit<Surroundings, 'accounts'> {
  config: ChannelsConfig
}

/** Opens every configured channel, in the order of the configuration; or none, where one cannot be opened. */
export async function openChannels({ config, ...around }: OpenChannels): Promise<Channel[]> {
  await loadWords(config.channels.map(({ language }) => language))
  const wanted = all.filter(({ settings }) =>
    config.channels.some(({ type }) => settings.shape.type.value === type),
  )
  const kinds = await Promise.allSettled(
    wanted.map((kind) => kind.open(config.channels, { accounts: config, ...around })),
  )
  const open = kinds.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []))
  const failed = kinds.find((kind) => kind.status === 'rejected')
  if (failed !== undefined) {
    await Promise.allSettled(open.map(async (channel) => channel.close()))
    throw failed.reason
  }
  return config.channels.map(({ name }) => {
    const channel = open.find((one) => one.name === name)
    if (channel === undefined) throw new Error(`the channel ${name} did not open`)
    return channel
  })
}
