import { channelKind } from '../kind.ts'
import { EmailSettings } from './config.ts'

export const email = channelKind({
  type: 'email',
  settings: EmailSettings,
  keys: { to: { is: 'The readers, who see each other’s addresses', example: ['ombud@desk.example'] } },
  lacks: (_channel, accounts) =>
    accounts.email === undefined ? 'needs email.smtp and email.from' : undefined,
  way: () => 'email.smtp',
  async open(channels, { accounts }) {
    const { openEmail } = await import('./channel.ts')
    return openEmail(accounts.email, channels)
  },
})
