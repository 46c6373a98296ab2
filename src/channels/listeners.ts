import type { Clock } from '../platform/clock.ts'
import { discordWay } from './discord/config.ts'
import type { ConnectParts, ProviderConnection, Receive, ReceiveParts } from './listen.ts'
import type { ChannelsConfig } from './registry.ts'
import { waysToHear } from './slack/config.ts'

interface ListeningWay<Parts, Opened> {
  provider: 'slack' | 'discord'
  /** What it is made of: where that changes, it is to be opened again. */
  settings: string
  open(parts: Parts): Promise<Opened>
}

export type ConnectionWay = ListeningWay<ConnectParts & { clock: Clock }, ProviderConnection>
export type ReceiverWay = ListeningWay<ReceiveParts, Receive> & { path: string }

/** The connections through which providers say what people do. What they need is loaded when one is opened. */
export function connectionsOf(config: ChannelsConfig): ConnectionWay[] {
  const { slack } = config
  const ways: ConnectionWay[] = []
  if (slack !== undefined && hasBot(config, 'slack') && waysToHear(slack) === 'socket') {
    const { appToken = '' } = slack
    ways.push({
      provider: 'slack',
      settings: JSON.stringify(slack),
      open: async (parts) => (await import('./slack/socket.ts')).connectSlack({ ...slack, appToken }, parts),
    })
  }
  const { discord } = config
  const way = hasBot(config, 'discord') ? discordWay(discord) : undefined
  if (discord !== undefined && way !== undefined) {
    ways.push({
      provider: 'discord',
      settings: JSON.stringify(discord),
      open: async (parts) =>
        way === 'gateway'
          ? (await import('./discord/gateway.ts')).connectDiscord(discord, parts)
          : (await import('./discord/signed.ts')).offerCommands(discord, parts),
    })
  }
  return ways
}

/** What receives the requests by which providers say so, each at its path. */
export function receiversOf(config: ChannelsConfig): ReceiverWay[] {
  const { slack } = config
  const ways: ReceiverWay[] = []
  if (slack !== undefined && hasBot(config, 'slack') && waysToHear(slack) === 'signed') {
    const { signingSecret = '' } = slack
    ways.push({
      provider: 'slack',
      path: '/slack',
      settings: JSON.stringify(slack),
      open: async (parts) =>
        (await import('./slack/signed.ts')).receiveSlack({ ...slack, signingSecret }, parts),
    })
  }
  const { discord } = config
  if (discord !== undefined && hasBot(config, 'discord') && discordWay(discord) === 'signed') {
    const { publicKey = '' } = discord
    ways.push({
      provider: 'discord',
      path: '/discord',
      settings: JSON.stringify(discord),
      open: async (parts) =>
        (await import('./discord/signed.ts')).receiveDiscord({ ...discord, publicKey }, parts),
    })
  }
  return ways
}

/** Only a bot's messages have buttons. */
function hasBot({ channels }: ChannelsConfig, type: 'slack' | 'discord'): boolean {
  return channels.some((channel) => channel.type === type && channel.to !== undefined)
}
