import type { ChannelKind } from '../kind.ts'
import { EmailSettings } from './config.ts'

export const email = {
  settings: EmailSettings,
  keys: {
    to: { is: 'The readers; each gets a mail of their own', example: ['ombud@desk.example'] },
    pictures: {
      is: 'A chart of the last 90 days in each alert; it waits for the chart for 3 seconds at most',
      example: true,
    },
  },
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
