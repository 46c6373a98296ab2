import * as z from 'zod'
import { DiscordAccount } from '../channels/discord/config.ts'
import { EmailAccount } from '../channels/email/config.ts'
import { kindOf, listenersOf, settingsOfKinds } from '../channels/registry.ts'
import { duration, isForTroubleAlone, key, variable } from '../channels/settings.ts'
import { SlackAccount } from '../channels/slack/config.ts'
import { alertTypes, knownModels } from '../event/event.ts'
import { Console, consoleProblems, hasSignIn } from './console.ts'
import { Chat, Figures, Heartbeat, Monitor, Polling, Server, secretAdvice, Webhook } from './sections.ts'
import { keyOf, whyWeak } from './signing-secret.ts'

const ConfiguredChannel = z.discriminatedUnion('type', settingsOfKinds)
type ConfiguredChannel = z.infer<typeof ConfiguredChannel>

/** Unknown keys are refused, so that a misspelt filter is not silently no filter. */
const AnyConfig = z
  .strictObject({
    monitor: key(
      'The monitoring service',
      { baseUrl: 'https://monitor.example/v1', apiKey: 'mk_1f9d' },
      Monitor.optional(),
    ),
    webhook: key('How webhooks come in', { publicUrl: 'https://desk.example' }, Webhook.prefault({})),
    polling: key('How the published figures are read', { mode: 'auto' }, Polling.prefault({})),
    server: key('Where this program listens', { host: '127.0.0.1', port: 8080 }, Server.prefault({})),
    store: key(
      'Where events are kept: a folder, relative to the working directory, or for several processes a database of Postgres, as postgres://user:password@host/name',
      'file:./data',
      z
        .string()
        .regex(
          /^(file:.|postgres(ql)?:\/\/.)/,
          'must be file: and a folder, such as file:./data, or the address of a database, postgres://user:password@host/name',
        )
        .default('file:./data'),
    ),
    retention: key(
      'How long events and their ids are kept; must outlast the retries of the service',
      '90d',
      duration({ least: '14d', most: '3650d', usual: '90d' }).prefault('90d'),
      'Keep alerts for',
    ),
    figures: key('The published figures that were read', { retention: '1826d' }, Figures.prefault({})),
    copies: key(
      'How many hourly copies of a store in a folder are kept next to it, in case a file is damaged; 0 for none. They don’t replace a backup',
      2,
      z.int().min(0).max(48).default(2),
    ),
    log: key(
      'The lowest level that is logged',
      'info',
      z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    ),
    slack: key(
      'The Slack app, for channels with `to`',
      { token: variable('SLACK_BOT_TOKEN') },
      SlackAccount.optional(),
    ),
    discord: key(
      'The Discord bot, for channels with `to`',
      { token: variable('DISCORD_BOT_TOKEN') },
      DiscordAccount.optional(),
    ),
    email: key(
      'The mail server that all e-mail channels send through',
      {
        smtp: 'smtp://desk:secret@mail.example:587',
        from: 'Bluepencil <bluepencil@desk.example>',
      },
      EmailAccount.optional(),
    ),
    chat: key(
      'Who may use the buttons and commands (with slack.appToken, slack.signingSecret, discord.publicKey or discord.gateway)',
      { acknowledge: 'anyone', silence: ['U012AB3CD'] },
      Chat.prefault({}),
    ),
    console: key(
      'The web console; off if not set. Without users, oidc and proxy it can be reached only from this machine',
      { listen: { port: 8081 } },
      Console.optional(),
    ),
    operators: key(
      'Names of the channels that get notices about problems',
      ['ai-desk', 'policy-mail'],
      z.array(z.string()).default([]),
    ),
    heartbeat: key(
      'A regular request to an uptime monitor, for as long as all is well',
      { url: 'https://hc-ping.com/ID', every: '5m' },
      Heartbeat.optional(),
    ),
    channels: key(
      'Where alerts go',
      [{ name: 'ai-desk', type: 'slack', to: '#ai-desk' }],
      z.array(ConfiguredChannel),
    ),
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
      const problem = escalationProblem(channel, config)
      if (problem !== undefined) wrong(['channels', index, 'escalate', ...problem.at], problem.why)
      const lack = kindOf(channel).lacks?.(channel, config)
      if (lack !== undefined) wrong(['channels', index], lack)
    })
    if (isSilent(config)) {
      wrong(['channels'], 'all get only notices about problems (events: []), so nobody would get an alert')
    }
    for (const { at, why } of config.console === undefined
      ? []
      : consoleProblems(config.console, besideOf(config), names.length > 0)) {
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

/** The whole configuration. Without any channel it is right only if channels can be made in the browser. */
export const Config = AnyConfig.superRefine(({ channels, console }, context) => {
  if (channels.length > 0 || console?.edit === true) return
  const message = 'is an empty list; name at least one channel'
  context.addIssue({ code: 'custom', path: ['channels'], message })
})
export type Config = z.infer<typeof Config>

/** What keeps a channel from escalating its alerts: nobody could acknowledge them, or they would not go on. */
function escalationProblem(
  { name, escalate }: ConfiguredChannel,
  { console, ...config }: Pick<Config, 'channels' | 'console' | 'slack' | 'discord' | 'email'>,
): { at: string[]; why: string } | undefined {
  if (escalate === undefined) return undefined
  const { to } = escalate
  const other = config.channels.find((channel) => channel.name === to)
  if (to === name) return { at: ['to'], why: 'is the channel itself; name another one' }
  if (other === undefined) {
    const names = config.channels.map((channel) => channel.name).join(', ')
    return { at: ['to'], why: `there is no channel called ${to}; there are ${names}` }
  }
  if (other.digest !== undefined) {
    return { at: ['to'], why: `names ${to}, whose alerts wait for a digest; name a channel without one` }
  }
  const canAcknowledge = listenersOf(config).length > 0 || (console !== undefined && hasSignIn(console))
  if (canAcknowledge) return undefined
  const why =
    'needs people who can acknowledge: let Bluepencil listen in Slack or Discord, or set up a console with sign-in; otherwise every alert would escalate'
  return { at: [], why }
}

/** The same file, for commands that only ask the service: a researcher has no channels. */
export const ConfigForAsking = z.preprocess(
  (value) => (typeof value === 'object' && value !== null ? { channels: [], ...value } : value),
  AnyConfig,
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
  return `is an empty list: ${name} would get nothing. Leave the key out to get every alert. Or name the channel under operators, and it gets only notices about problems`
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
