import type * as z from 'zod'
import { loadWords } from '../message/words/words.ts'
import type { Channel } from './channel.ts'
import { consoleKind } from './console/kind.ts'
import { discord } from './discord/kind.ts'
import { email } from './email/kind.ts'
import type { Accounts, ChannelKind, Surroundings } from './kind.ts'
import { slack } from './slack/kind.ts'
import { webhook } from './webhook/kind.ts'

/**
 * Every kind of channel by its type, each in a folder of that name. Add a new kind here, and types and tests name the other places
 * (CONTRIBUTING.md, "Add a kind of channel").
 */
export const channelKinds = { slack, discord, email, console: consoleKind, webhook }

const [first, ...others] = Object.values(channelKinds).map(({ settings }) => settings)
if (first === undefined) throw new Error('there is no kind of channel')

/** The forms that a channel's settings may have. */
export const settingsOfKinds = [first, ...others] as const
type ChannelSettings = z.output<(typeof settingsOfKinds)[number]>

/** The kind that a channel is of. */
export function kindOf({ type }: Pick<ChannelSettings, 'type'>): ChannelKind<ChannelSettings> {
  const kinds: Record<ChannelSettings['type'], ChannelKind<ChannelSettings>> = channelKinds
  return kinds[type]
}

/** What the configuration says of the channels, and of the accounts that they send with. */
export interface ChannelsConfig extends Accounts {
  channels: readonly ChannelSettings[]
}

export interface OpenChannels extends Omit<Surroundings, 'accounts'> {
  config: ChannelsConfig
}

/** Opens every configured channel, in the order of the configuration. If one cannot be opened, none stays open. */
export async function openChannels({ config, ...around }: OpenChannels): Promise<Channel[]> {
  await loadWords(config.channels.map(({ language }) => language))
  const byType = Map.groupBy(config.channels, ({ type }) => type)
  const opened = await Promise.allSettled(
    [...byType].map(([type, channels]) => kindOf({ type }).open(channels, { accounts: config, ...around })),
  )
  const open = opened.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []))
  const failed = opened.find((kind) => kind.status === 'rejected')
  if (failed !== undefined) {
    await Promise.allSettled(open.map(async (channel) => channel.close()))
    throw failed.reason
  }
  return config.channels.map(({ name }) => {
    const channel = open.find((opened) => opened.name === name)
    if (channel === undefined) throw new Error(`the channel ${name} did not open`)
    return channel
  })
}

/** Each provider that is listened to, with its `settings` as text: if that changes, it has to be opened again. */
export function listenersOf(config: ChannelsConfig) {
  return (['slack', 'discord'] as const).flatMap((provider) => {
    // Only a bot's messages have buttons.
    const hasBot = config.channels.some((channel) => channel.type === provider && channel.to !== undefined)
    const listening = hasBot ? channelKinds[provider].listening(config) : undefined
    return listening ? [{ provider, settings: JSON.stringify(config[provider]), ...listening }] : []
  })
}
