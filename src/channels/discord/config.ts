import * as z from 'zod'
import { isLoopback } from '../../platform/outbound/address.ts'
import { isPlaceholder } from '../../platform/text.ts'
import { mentionRules } from '../mentions.ts'
import { CommonSettings, channelType, key, pictures, variable } from '../settings.ts'
import { discordMention } from './text.ts'

/** Discord's ids are 64-bit numbers, sent as text (https://docs.discord.com/developers/reference#snowflakes). */
const digits = /^\d{17,20}$/

function snowflake(what: string) {
  const example = 'such as "1180000000000000001"'
  return z
    .string({
      error: `is not text: write the ${what} in quotes, ${example}; without them its last digits are lost`,
    })
    .regex(digits, `is not a ${what}: it has 17 to 20 digits, ${example} (in Discord: right click, Copy ID)`)
}

/** The bot, if channels are written to by its token. */
export const DiscordAccount = z.strictObject({
  token: key(
    'The bot’s token, without "Bot " before it',
    variable('DISCORD_BOT_TOKEN'),
    z
      .string()
      .regex(/^[!-~]+$/, 'must be the bot’s token alone, without "Bot " before it')
      .refine((text) => !isPlaceholder(text), 'is a placeholder; put the real one here')
      .optional(),
    'Bot token',
  ),
  applicationId: key(
    'For the link that invites the bot',
    '1180000000000000001',
    snowflake('application id').optional(),
    'Application id',
  ),
  /** Verifies what Discord posts to us. */
  publicKey: key(
    'Verifies what Discord posts to /discord when people use buttons; not needed with gateway',
    'c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0',
    z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'is not a public key; it has 64 digits of 0-9 and a-f (General Information)')
      .optional(),
    'Public key',
  ),
  /** Listens through a connection to Discord, for which no public address is needed. */
  gateway: key(
    'Whether people can use buttons without a public address, through a connection to Discord',
    true,
    z.boolean().default(false),
    'Buttons without a public address',
  ),
  /** Without the version; another one is of use for a proxy or a test. */
  apiUrl: key(
    'Where Discord’s interface is; another for a proxy',
    'https://discord.com/api',
    z
      .string()
      .refine(isProtected, {
        error: 'must be an https address such as https://discord.com/api (http only on loopback)',
      })
      .default('https://discord.com/api'),
    'Address of Discord’s API',
  ),
})
export type DiscordAccount = z.infer<typeof DiscordAccount>

/** How what people do at the bot's messages reaches us, or not at all. */
export function discordWay(account: DiscordAccount | undefined): 'gateway' | 'signed' | undefined {
  if (account?.gateway === true) return 'gateway'
  return account?.publicKey === undefined ? undefined : 'signed'
}

export const DiscordSettings = CommonSettings.extend({
  type: channelType('discord'),
  /** The channel that the bot writes to; a thread's id works as well. */
  to: key(
    'The id of the channel or thread, in quotes, for the bot',
    '1180000000000000001',
    snowflake('channel id').optional(),
    'Id of the channel',
  ),
  /** From the channel's settings in Discord, under Integrations. Everybody who knows it can write to the channel. */
  webhookUrl: key(
    'The address of a webhook, instead of the id of a channel; keep it secret: it lets anyone write to the channel',
    'https://discord.com/api/webhooks/1180000000000000001/secret',
    z
      .string()
      .refine((url) => readWebhookUrl(url) !== undefined, {
        error:
          'must be a webhook’s address as Discord shows it: https://discord.com/api/webhooks/ID/TOKEN ' +
          '(nothing after TOKEN but ?thread_id=ID; http only on loopback)',
      })
      .optional(),
    'Address of the webhook',
  ),
  mentions: mentionRules(
    z
      .string({ error: 'is not text: write ids in quotes; without them their last digits are lost' })
      .regex(discordMention, 'must be here, channel, the id of a person, or & and the id of a role'),
    'here, channel (all of it), the id of a person, or & and the id of a role, in quotes',
    '&1180000000000000001',
  ),
  pictures: key(
    'A chart of the last 90 days with each alert, added to it after the text',
    true,
    pictures,
    'Charts',
  ),
}).refine((channel) => (channel.to === undefined) !== (channel.webhookUrl === undefined), {
  error:
    'needs exactly one of the two: `to`, the channel’s id, which is written to by the bot under discord.token; ' +
    'or `webhookUrl`, the address of a webhook of that channel',
})
export type DiscordSettings = z.infer<typeof DiscordSettings>

export interface WebhookAddress {
  /** What comes before the API's version: https://discord.com/api. */
  api: string
  id: string
  /** A secret: it is all that is needed to write to the channel. */
  token: string
  threadId?: string
}

/** The parts of a webhook's address, or nothing if it is not one or would send its token unprotected. */
export function readWebhookUrl(text: string): WebhookAddress | undefined {
  if (!isProtected(text)) return undefined
  const { origin, pathname, searchParams } = new URL(text)
  const path = /^(\/api)?(?:\/v\d+)?\/webhooks\/(\d{17,20})\/([\w-]+)$/.exec(pathname)
  if (path === null) return undefined
  const [, prefix = '', id = '', token = ''] = path
  const threadId = searchParams.get('thread_id')
  const understood = threadId === null ? 0 : 1
  if (searchParams.size !== understood) return undefined
  if (threadId === null) return { api: `${origin}${prefix}`, id, token }
  return digits.test(threadId) ? { api: `${origin}${prefix}`, id, token, threadId } : undefined
}

/** https, or http to this machine. */
function isProtected(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}
