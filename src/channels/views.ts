import type { Message } from './message.ts'
import type { ChannelsConfig } from './registry.ts'
import type { View } from './view.ts'

/** How a message reads on a channel, whatever its kind. No SDK is loaded and no provider is asked. */
export async function viewOn(
  channel: ChannelsConfig['channels'][number],
  message: Message,
  { email }: Pick<ChannelsConfig, 'email'>,
): Promise<View> {
  switch (channel.type) {
    case 'slack':
      return (await import('./slack/view.ts')).viewOnSlack(message)
    case 'discord':
      return (await import('./discord/view.ts')).viewOnDiscord(message, channel)
    case 'email': {
      if (email === undefined) throw new Error(`the channel ${channel.name} has no account`)
      return (await import('./email/view.ts')).viewOfMail(message, channel, email)
    }
    case 'console':
      return (await import('./console/view.ts')).viewOnConsole(message, channel)
  }
}
