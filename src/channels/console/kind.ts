import { channelKind } from '../kind.ts'
import { ConsoleSettings } from './config.ts'

export const terminal = channelKind({
  type: 'console',
  settings: ConsoleSettings,
  keys: { as: { is: 'Shows each message as it would read there', example: 'slack' } },
  way: () => 'standard output',
  async open(channels, { out }) {
    const { openConsole } = await import('./channel.ts')
    return openConsole(channels, out)
  },
  async view(message, channel) {
    const { viewOnConsole } = await import('./view.ts')
    return viewOnConsole(message, channel)
  },
})
