import type { ChannelKind } from '../kind.ts'
import { ConsoleSettings } from './config.ts'

export const consoleKind = {
  title: 'Terminal',
  settings: ConsoleSettings,
  failureDomain: () => 'standard output',
  async open(channels, { out }) {
    const { openConsole } = await import('./channel.ts')
    return openConsole(channels, out)
  },
  async view(message, channel) {
    const { viewOnConsole } = await import('./channel.ts')
    return viewOnConsole(message, channel)
  },
} satisfies ChannelKind<ConsoleSettings>
