import type { ChannelKind } from '../kind.ts'
import { EmailSettings } from './config.ts'

export const email = {
  title: 'E-mail',
  settings: EmailSettings,
  lacks: (_channel, accounts) =>
    accounts.email === undefined ? 'needs email.smtp and email.from' : undefined,
  failureDomain: () => 'email.smtp',
  async open(channels, { accounts, mail }) {
    const { openEmail } = await import('./channel.ts')
    return openEmail(accounts.email, channels, mail)
  },
  async view(message, channel, { email }) {
    if (email === undefined) throw new Error(`the channel ${channel.name} has no account`)
    const { viewOfMail } = await import('./preview.ts')
    return viewOfMail(message, channel, email)
  },
} satisfies ChannelKind<EmailSettings>
