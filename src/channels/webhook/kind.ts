import type { ChannelKind } from '../kind.ts'
import { secretsOf, WebhookSettings } from './config.ts'

export const webhook = {
  settings: WebhookSettings,
  keys: {
    to: {
      is: 'The address that each message is posted to, as JSON',
      example: 'https://n8n.desk.example/webhook/alerts',
    },
    secret: {
      is: 'Signs each message (Standard Webhooks); a list while it is being changed, each signs then',
      example: 'whsec_TWVldCBtZSBhdCB0aGUgY2xvY2sgYXQgdGVu',
    },
    allowPrivate: {
      is: 'Whether the address may lead to this machine or into a private network',
      example: false,
    },
  },
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
