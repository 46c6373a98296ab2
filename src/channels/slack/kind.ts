import { type ChannelKind, secretsInAddress } from '../kind.ts'
import { SlackSettings } from './config.ts'

export const slack = {
  title: 'Slack',
  settings: SlackSettings,
  secrets: ({ webhookUrl }) => secretsInAddress(webhookUrl),
  lacks: ({ webhookUrl }, accounts) =>
    webhookUrl === undefined && accounts.slack?.token === undefined
      ? 'needs slack.token (a bot token, xoxb-…), or webhookUrl instead of to'
      : undefined,
  failureDomain: ({ name, webhookUrl }) =>
    webhookUrl === undefined ? 'slack.token' : `the webhookUrl of ${name}`,
  async open(channels, { accounts }) {
    const { openSlack } = await import('./channel.ts')
    return openSlack(accounts.slack, channels)
  },
  async view(message) {
    const { viewOnSlack } = await import('./preview.ts')
    return viewOnSlack(message)
  },
  listening({ slack }) {
    if (slack === undefined) return undefined
    const { appToken, signingSecret } = slack
    if (appToken !== undefined) {
      return {
        connect: async (parts) => (await import('./socket.ts')).connectSlack({ ...slack, appToken }, parts),
      }
    }
    if (signingSecret === undefined) return undefined
    return {
      receive: async (parts) =>
        (await import('./signed.ts')).receiveSlack({ ...slack, signingSecret }, parts),
    }
  },
} satisfies ChannelKind<SlackSettings>
