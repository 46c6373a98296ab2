import { type ChannelKind, secretsInAddress } from '../kind.ts'
import { DiscordSettings } from './config.ts'

export const discord = {
  title: 'Discord',
  settings: DiscordSettings,
  secrets: ({ webhookUrl }) => secretsInAddress(webhookUrl),
  lacks: ({ webhookUrl }, accounts) =>
    webhookUrl === undefined && accounts.discord?.token === undefined
      ? 'needs discord.token (a bot token), or webhookUrl instead of to'
      : undefined,
  failureDomain: ({ name, webhookUrl }) =>
    webhookUrl === undefined ? 'discord.token' : `the webhookUrl of ${name}`,
  async open(channels, { accounts }) {
    const { openDiscord } = await import('./channel.ts')
    return openDiscord(accounts.discord, channels)
  },
  async view(message, channel) {
    const { viewOnDiscord } = await import('./preview.ts')
    return viewOnDiscord(message, channel)
  },
  listening({ discord }) {
    if (discord === undefined) return undefined
    const { gateway, publicKey } = discord
    if (gateway) {
      return { connect: async (parts) => (await import('./gateway.ts')).connectDiscord(discord, parts) }
    }
    if (publicKey === undefined) return undefined
    return {
      connect: async (parts) => (await import('./signed.ts')).offerCommands(discord, parts),
      receive: async (parts) =>
        (await import('./signed.ts')).receiveDiscord({ ...discord, publicKey }, parts),
    }
  },
} satisfies ChannelKind<DiscordSettings>
