import type { ChannelKind } from '../kind.ts'
import { secretsOf, WebhookSettings } from './config.ts'

export const webhook = {
  title: 'Webhook',
  settings: WebhookSettings,
  secrets: (channel) => secretsOf(channel),
  failureDomain: ({ name }) => `the address of ${name}`,
  async open(channels) {
    const { openWebhooks } = await import('./channel.ts')
    return openWebhooks(channels)
  },
  async view(message) {
    const { viewOnWebhook } = await import('./format.ts')
    return viewOnWebhook(message)
  },
} satisfies ChannelKind<WebhookSettings>
