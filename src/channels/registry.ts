import { loadWords } from '../words/words.ts'
import type { Channel } from './channel.ts'
import type { ConsoleSettings } from './console/config.ts'
import type { DiscordAccount, DiscordSettings } from './discord/config.ts'
import type { EmailAccount, EmailSettings } from './email/config.ts'
import type { SlackAccount, SlackSettings } from './slack/config.ts'

type ChannelSettings = SlackSettings | DiscordSettings | EmailSettings | ConsoleSettings

/** What the configuration says of the channels, and of the accounts that they send with. */
export interface ChannelsConfig {
  slack?: SlackAccount | undefined
  discord?: DiscordAccount | undefined
  email?: EmailAccount | undefined
  channels: readonly ChannelSettings[]
}

export interface OpenChannels {
  config: ChannelsConfig
  /** Where console channels write. */
  out: { write(text: string): void; width: number; colour: boolean }
}

type ChannelType = ChannelSettings['type']

/** Every kind of channel, each in a folder of its name. An SDK is loaded only where a channel needs it. */
export const channelKinds: Record<ChannelType, (parts: OpenChannels) => Promise<Channel[]>> = {
  async slack({ config }) {
    const { openSlack } = await import('./slack/channel.ts')
    return openSlack(config.slack, ofType(config, 'slack'))
  },
  async discord({ config }) {
    const { openDiscord } = await import('./discord/channel.ts')
    return openDiscord(config.discord, ofType(config, 'discord'))
  },
  async email({ config }) {
    const { openEmail } = await import('./email/channel.ts')
    return openEmail(config.email, ofType(config, 'email'))
  },
  async console({ config, out }) {
    const { openConsole } = await import('./console/channel.ts')
    return openConsole(ofType(config, 'console'), out)
  },
}

/** Opens every configured channel, in the order of the configuration; or none, where one cannot be opened. */
export async function openChannels(parts: OpenChannels): Promise<Channel[]> {
  await loadWords(parts.config.channels.map(({ language }) => language))
  const types = [...new Set(parts.config.channels.map((channel) => channel.type))]
  const kinds = await Promise.allSettled(types.map((type) => channelKinds[type](parts)))
  const open = kinds.flatMap((kind) => (kind.status === 'fulfilled' ? kind.value : []))
  const failed = kinds.find((kind) => kind.status === 'rejected')
  if (failed !== undefined) {
    await Promise.allSettled(open.map(async (channel) => channel.close()))
    throw failed.reason
  }
  return parts.config.channels.map(({ name }) => {
    const channel = open.find((one) => one.name === name)
    if (channel === undefined) throw new Error(`the channel ${name} did not open`)
    return channel
  })
}

function ofType<T extends ChannelType>(config: ChannelsConfig, type: T) {
  return config.channels.filter(
    (channel): channel is Extract<typeof channel, { type: T }> => channel.type === type,
  )
}
