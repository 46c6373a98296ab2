import * as z from 'zod'
import { hourMs } from '../../platform/durations.ts'
import { isLoopback } from '../../platform/outbound/address.ts'
import { isPlaceholder } from '../../platform/text.ts'
import { mentionRules } from '../mentions.ts'
import { CommonSettings, channelType, key, pictures, variable } from '../settings.ts'
import { slackMention } from './text.ts'

const webAddress = z
  .url({
    protocol: /^https?$/,
    error: 'is not a web address; write one that begins with https://',
    abort: true,
  })
  .refine((url) => url.startsWith('https:') || isLoopback(new URL(url).hostname), {
    error: 'would send a secret unencrypted; write https:// (http:// is for this machine only)',
  })
  // Node sends no request to such an address.
  .refine((url) => new URL(url).username === '' && new URL(url).password === '', {
    error: 'has a user name or a password in it; leave them out',
  })

/** No blanks and no line ends: a token that was copied with one would not fit into an HTTP header. */
const secret = z
  .string()
  .trim()
  .regex(/^[!-~]+$/, 'is empty, or has a space or a curly quote in it; copy it again')
  .refine((text) => !isPlaceholder(text), 'is a placeholder; put the real one here')

/** What all channels of one Slack app share. */
export const SlackAccount = z.strictObject({
  /** Bot token, `xoxb-…`. Incoming webhooks need none. */
  token: key(
    'Bot token, xoxb-…; incoming webhooks need none',
    variable('SLACK_BOT_TOKEN'),
    secret
      .refine(
        (token) => !token.startsWith('xapp-'),
        'is an app-level token; the bot token begins with xoxb- (OAuth & Permissions)',
      )
      .optional(),
    'Bot token',
  ),
  /** Verifies what Slack sends to the app. */
  signingSecret: key(
    'Verifies what Slack posts to /slack when people use buttons; not needed with appToken',
    variable('SLACK_SIGNING_SECRET'),
    secret.optional(),
    'Signing secret',
  ),
  /** App-level token, `xapp-…`, for Socket Mode. */
  appToken: key(
    'App-level token, xapp-…: people can use buttons without a public address (Socket Mode)',
    variable('SLACK_APP_TOKEN'),
    secret
      .refine(
        (token) => !token.startsWith('xoxb-'),
        'is a bot token; an app-level token begins with xapp- (Basic Information, App-Level Tokens)',
      )
      .optional(),
    'App-level token',
  ),
  apiUrl: key(
    'Where Slack’s interface is; another for a proxy',
    'https://slack.com/api/',
    webAddress.default('https://slack.com/api/'),
    'Address of Slack’s API',
  ),
  /**
   * Milliseconds between two messages of one channel. Slack allows about one a second
   * (https://docs.slack.dev/apis/web-api/rate-limits).
   */
  intervalMs: key(
    'Milliseconds between two messages of one channel',
    1000,
    z.number().int().min(0).max(hourMs).default(1000),
    'Time between messages, in milliseconds',
  ),
})
export type SlackAccount = z.infer<typeof SlackAccount>

/** How what people do at the bot's messages reaches us: through Socket Mode, by what Slack posts and signs, or not at all. */
export function waysToHear(account: SlackAccount | undefined): 'socket' | 'signed' | undefined {
  if (account?.appToken !== undefined) return 'socket'
  return account?.signingSecret === undefined ? undefined : 'signed'
}

/** One channel in Slack: by bot token and name or id, or by incoming webhook. */
export const SlackSettings = CommonSettings.extend({
  type: channelType('slack'),
  to: key(
    'The channel, by name or id, for the bot',
    '#ai-desk',
    z
      .string()
      .regex(
        /^(#[^\s#@]{1,80}|[CGD][A-Z0-9]{6,})$/,
        'is not a Slack channel; write its name with the #, such as "#ai-desk", or its id, such as C0123456789',
      )
      .optional(),
    'Channel',
  ),
  webhookUrl: key(
    'The address of an incoming webhook, instead of a channel; keep it secret: it lets anyone write to the channel',
    'https://hooks.slack.com/services/T000/B000/secret',
    webAddress.optional(),
    'Address of the webhook',
  ),
  mentions: mentionRules(
    z.string().regex(slackMention, 'must be here, channel, or the id of a person (U…) or a group (S…)'),
    'here, channel (all of it), or the id of a person (U…) or a group (S…)',
    'here',
  ),
  pictures: key(
    'A chart of the last 90 days in the thread of each alert; for channels with `to`',
    true,
    pictures,
    'Charts',
  ),
})
  .refine(({ pictures, webhookUrl }) => pictures !== true || webhookUrl === undefined, {
    path: ['pictures'],
    error:
      'needs to, with slack.token, instead of webhookUrl: nothing can be added through an incoming webhook',
  })
  .refine(({ to, webhookUrl }) => to !== undefined || webhookUrl !== undefined, {
    path: ['to'],
    error: 'is missing; write to: "#ai-desk" (with slack.token), or the webhookUrl of an incoming webhook',
  })
  .refine(({ to, webhookUrl }) => to === undefined || webhookUrl === undefined, {
    path: ['webhookUrl'],
    error: 'is set together with to; keep one of them: to posts with slack.token, webhookUrl needs no token',
  })
export type SlackSettings = z.infer<typeof SlackSettings>
