import * as z from 'zod'
import { DiscordAccount } from '../channels/discord/config.ts'
import { EmailAccount } from '../channels/email/config.ts'
import { kindOf, settingsOfKinds } from '../channels/registry.ts'
import { duration, isForTroubleAlone } from '../channels/settings.ts'
import { SlackAccount } from '../channels/slack/config.ts'
import { alertTypes, knownModels } from '../event/event.ts'
import { isSafe } from '../service/client/http/address.ts'
import { Console, wrongOf } from './console.ts'
import { keyOf, whyNoSecret, whyWeak } from './signing-secret.ts'
import { address, network, secretText, wholeNumber } from './values.ts'

const path = z.string().regex(/^\/[\w\-./~]*$/, 'must begin with / and hold letters, digits, - . _ ~ and /')
const tierWrong = 'write free, researcher or pro, or the requests per hour as a number of at least 20'

const OAuth = z.strictObject({
  tokenUrl: z
    .url({
      protocol: /^https?$/,
      error: 'is not an address; write one such as https://monitor.example/token',
    })
    .refine((text) => isSafe(new URL(text)), 'must be https; http is for this machine only')
    .refine((text) => new URL(text).username === '' && new URL(text).password === '', 'has a password in it'),
  clientId: secretText,
  clientSecret: secretText,
  scopes: z.array(z.string().regex(/^[!-~]+$/, 'is not a scope')).optional(),
  refreshToken: secretText.optional(),
})

const Monitor = z
  .strictObject({
    baseUrl: address('https://monitor.example/v1'),
    apiKey: secretText.optional(),
    oauth: OAuth.optional(),
    tier: z
      .union([z.enum(['free', 'researcher', 'pro']), wholeNumber(20, 10_000_000)], tierWrong)
      .default('free'),
    rates: z.enum(['auto', 'fraction', 'percent']).default('auto'),
    name: z.string().min(1).default('Censorship Monitoring Service'),
  })
  .superRefine(({ apiKey, oauth }, context) => {
    const wrong = (where: string, message: string) =>
      context.addIssue({ code: 'custom', path: [where], message })
    if (apiKey === undefined && oauth === undefined) {
      wrong('apiKey', 'is missing; write monitor.apiKey, or monitor.oauth instead')
    }
    if (apiKey !== undefined && oauth !== undefined) {
      wrong('oauth', 'stands beside monitor.apiKey; keep one of the two')
    }
  })

const Signature = z.strictObject({
  hash: z.enum(['sha256', 'sha512', 'sha384', 'sha1']).optional(),
  encoding: z.enum(['hex', 'base64', 'base64url']).optional(),
  key: z.enum(['whole', 'without-prefix', 'base64-decoded']).optional(),
})

const secretAdvice =
  'copy the whole secret that the service showed when the subscription was made, or make a new one'

const signingSecret = z.string().superRefine((secret, context) => {
  const why = whyNoSecret(secret)
  if (why !== undefined) context.addIssue({ code: 'custom', message: `${why}; ${secretAdvice}` })
})

const Webhook = z.strictObject({
  path: path.default('/webhook'),
  publicUrl: address('https://alerts.desk.example').optional(),
  secrets: z.array(signingSecret).default([]),
  signature: z
    .union(
      [z.literal('auto').transform(() => ({})), Signature],
      'write auto, or keys of its own: hash (sha256, sha512, sha384, sha1), encoding (hex, base64, base64url), key (whole, without-prefix, base64-decoded)',
    )
    .prefault('auto'),
})

const Polling = z.strictObject({
  mode: z.enum(['auto', 'always', 'off']).default('auto'),
  interval: duration({ least: '10s', most: '1d', usual: '5m' }).optional(),
  alertsPath: z
    .string()
    .regex(/^\/[\w\-./~]+$/, 'must be a path below monitor.baseUrl, such as /monitoring/alerts')
    .optional(),
})

const Server = z.strictObject({
  host: z.string().min(1).default('0.0.0.0'),
  port: wholeNumber(0, 65_535).default(8080),
  basePath: z.union([z.literal(''), path]).default(''),
  publicUrl: address('https://alerts.desk.example').optional(),
  trustProxy: z
    .array(network)
    .min(1, 'is an empty list; leave the key out where there is no proxy')
    .optional(),
})

const Heartbeat = z.strictObject({
  url: address('https://hc-ping.com/ID').refine(
    (text) => isSafe(new URL(text)),
    'must be https; http is for this machine only',
  ),
  every: duration({ least: '30s', most: '1d', usual: '5m' }).prefault('5m'),
})

/** Slack's ids of people begin with U or W; Discord's are numbers. */
const personId = z
  .string({ error: 'is not text: write the id in quotes' })
  .regex(
    /^([UW][A-Z0-9]{5,}|\d{17,20})$/,
    'is not the id of a person; write one such as U012AB3CD (Slack) or "1180000000000000001" (Discord)',
  )
const permitted = z.union(
  [z.literal('anyone'), z.array(personId).min(1, 'is an empty list; write anyone, or at least one id')],
  { error: 'write anyone, or a list of the ids of people' },
)
const Chat = z.strictObject({
  acknowledge: permitted.default('anyone'),
  silence: permitted.default('anyone'),
})

/** A chart shows ninety days. */
const Figures = z.strictObject({
  retention: duration({ least: '90d', most: '3650d', usual: '1826d' }).prefault('1826d'),
})

const ConfiguredChannel = z.discriminatedUnion('type', settingsOfKinds)
type ConfiguredChannel = z.infer<typeof ConfiguredChannel>

/** The whole configuration. Unknown keys are refused, so that a misspelt filter is not silently no filter. */
export const Config = z
  .strictObject({
    monitor: Monitor.optional(),
    webhook: Webhook.prefault({}),
    polling: Polling.prefault({}),
    server: Server.prefault({}),
    store: z
      .string()
      .regex(
        /^(file:.|postgres(ql)?:\/\/.)/,
        'must be file: and a folder, such as file:./data, or the address of a database, postgres://user:password@host/name',
      )
      .default('file:./data'),
    retention: duration({ least: '14d', most: '3650d', usual: '90d' }).prefault('90d'),
    figures: Figures.prefault({}),
    copies: z.int().min(0).max(48).default(2),
    log: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    slack: SlackAccount.optional(),
    discord: DiscordAccount.optional(),
    email: EmailAccount.optional(),
    chat: Chat.prefault({}),
    console: Console.optional(),
    operators: z.array(z.string()).default([]),
    heartbeat: Heartbeat.optional(),
    channels: z.array(ConfiguredChannel).min(1, 'is an empty list; name at least one channel'),
  })
  .superRefine((config, context) => {
    const wrong = (where: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path: where, message })
    const names = config.channels.map((channel) => channel.name)
    config.channels.forEach((channel, index) => {
      if (names.indexOf(channel.name) !== index) {
        wrong(
          ['channels', index, 'name'],
          `there is another channel called ${channel.name}; names must differ`,
        )
      }
      checkAgainst(knownModels, channel.models, ['channels', index, 'models'], wrong)
      const rules = 'mentions' in channel ? (channel.mentions ?? []) : []
      rules.forEach(({ when }, at) => {
        const where = ['channels', index, 'mentions', at, 'when', 'models']
        checkAgainst(knownModels, when?.models, where, wrong)
      })
      checkAgainst(alertTypes, channel.events, ['channels', index, 'events'], wrong)
      if (isForTroubleAlone(channel) && !config.operators.includes(channel.name)) {
        wrong(['channels', index, 'events'], silent(channel.name))
      }
      const lack = kindOf(channel).lacks?.(channel, config)
      if (lack !== undefined) wrong(['channels', index], lack)
    })
    if (isSilent(config)) {
      wrong(['channels'], 'are all for trouble alone (events: []), so that nobody would get an alert')
    }
    for (const { at, why } of config.console === undefined ? [] : wrongOf(config.console, besideOf(config))) {
      wrong(['console', ...at], why)
    }
    config.operators.forEach((name, index) => {
      if (!names.includes(name)) {
        wrong(['operators', index], `there is no channel called ${name}; there are ${names.join(', ')}`)
      }
    })
    config.webhook.secrets.forEach((secret, index) => {
      const why = whyNotThisSecret(secret, config)
      if (why !== undefined) wrong(['webhook', 'secrets', index], `${why}; ${secretAdvice}`)
    })
    if (config.slack?.signingSecret !== undefined && config.webhook.path === '/slack') {
      wrong(['webhook', 'path'], 'is where Slack posts what people do (slack.signingSecret); write another')
    }
    if (config.discord?.publicKey !== undefined && config.webhook.path === '/discord') {
      wrong(['webhook', 'path'], 'is where Discord posts what people do (discord.publicKey); write another')
    }
    if (config.webhook.publicUrl !== undefined && config.monitor === undefined) {
      wrong(
        ['webhook', 'publicUrl'],
        'needs monitor.baseUrl and monitor.apiKey or monitor.oauth, to subscribe with',
      )
    }
  })
export type Config = z.infer<typeof Config>

/** The same file, for commands that only ask the service: a researcher has no channels. */
export const ConfigForAsking = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { channels: [], ...value } : value),
  Config.safeExtend({ channels: z.array(ConfiguredChannel) }),
)

/** What is wrong with a signing secret beside other settings: it would verify nothing, or what others sign. */
function whyNotThisSecret(
  secret: string,
  {
    monitor,
    webhook,
  }: {
    monitor?: z.infer<typeof Monitor> | undefined
    webhook: { signature: { key?: string | undefined } }
  },
): string | undefined {
  if (secret === monitor?.apiKey) return 'is the same as monitor.apiKey'
  if (secret === monitor?.oauth?.clientSecret) return 'is the same as monitor.oauth.clientSecret'
  if (webhook.signature.key !== 'base64-decoded') return undefined
  const weakness = whyWeak(Buffer.from(keyOf(secret), 'base64'))
  return weakness === undefined ? undefined : `stands for bytes that cannot sign: what it encodes ${weakness}`
}

/** Each channel is as its operators want it, and no reader is left. */
function isSilent({ channels, operators }: { channels: ConfiguredChannel[]; operators: string[] }): boolean {
  const alone = channels.filter((channel) => isForTroubleAlone(channel) && operators.includes(channel.name))
  return alone.length > 0 && alone.length === channels.length
}

function silent(name: string): string {
  return `is an empty list: ${name} would get nothing at all; name it under operators too, to make it a channel for trouble alone, or leave the key out to pass every alert`
}

/** A misspelt model or type would be a channel that is silent for ever. */
function checkAgainst(
  known: readonly string[],
  values: readonly string[] | undefined,
  where: (string | number)[],
  wrong: (where: (string | number)[], message: string) => void,
): void {
  values?.forEach((value, index) => {
    if (!known.includes(value)) wrong([...where, index], `${value} is not one of ${known.join(', ')}`)
  })
}

function besideOf({ server, webhook }: Pick<z.infer<typeof Config>, 'server' | 'webhook'>) {
  const paths = [webhook.path, '/slack', '/discord', '/unsubscribe', '/healthz', '/readyz', '/metrics']
  return { ...server, paths: paths.map((path) => `${server.basePath}${path}`) }
}
