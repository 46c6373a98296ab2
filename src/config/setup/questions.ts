import { randomBytes } from 'node:crypto'
import { listed } from '../../platform/text.ts'
import {
  type AnswerId,
  type Answers,
  answered,
  by,
  channelSetups,
  type SetupQuestion,
  withService,
} from './answers.ts'

const askOperators = 'Who is notified of trouble (empty: the same channel):'
const trouble =
  'Trouble is a full disk, a lost subscription or a channel that rejects messages.\nAnother place gets it alone:'

/** In the order in which they are asked. */
export const questions: readonly SetupQuestion[] = [
  {
    id: 'channel',
    type: 'choice',
    ask: 'Where should alerts go?',
    choices: channelSetups.map(({ id, name }) => ({ value: id, name })),
    argument: '<KIND>',
    summary: listed(
      channelSetups.map(({ id }) => id),
      'or',
    ),
  },
  {
    id: 'slackWebhook',
    type: 'secret',
    ask: 'Address of the webhook:',
    hint: 'At https://api.slack.com/apps: Create New App, From scratch.\nThen Incoming Webhooks, On; Add New Webhook; choose the channel; Copy.',
    argument: '<URL>',
    summary: 'the address of an incoming webhook',
    variable: 'SLACK_WEBHOOK_URL',
    key: 'channels[0].webhookUrl',
    applies: by('slack-webhook'),
  },
  {
    id: 'slackApi',
    argument: '<URL>',
    summary: 'where Slack is asked, for GovSlack or a proxy',
    key: 'slack.apiUrl',
    applies: by('slack-bot'),
    fallback: () => '',
  },
  {
    id: 'slackToken',
    type: 'secret',
    ask: 'Bot token (xoxb-…):',
    hint: 'The app to make is printed by: npx bluepencil slack-manifest\nInstall it in Slack; its token is under OAuth & Permissions.',
    steps: [
      'At https://api.slack.com/apps: Create New App, From a manifest.',
      'Choose the workspace, paste the app from below, Next, Create.',
      'Install App, Install to Workspace, Allow.',
      'OAuth & Permissions: copy the Bot User OAuth Token (xoxb-…).',
    ],
    argument: '<TOKEN>',
    summary: 'the token of a Slack bot',
    variable: 'SLACK_BOT_TOKEN',
    key: 'slack.token',
    applies: by('slack-bot'),
  },
  {
    id: 'slackChannel',
    ask: 'Channel, such as #ai-desk:',
    hint: 'Invite the bot first: write /invite and its name in the channel.',
    argument: '<CHANNEL>',
    summary: 'its name with the #, or its id',
    key: 'channels[0].to',
    applies: by('slack-bot'),
  },
  {
    id: 'discordWebhook',
    type: 'secret',
    ask: 'Address of the webhook:',
    hint: 'In Discord: Edit Channel, Integrations, Webhooks, New Webhook, Copy Webhook URL.',
    argument: '<URL>',
    summary: 'the address of a webhook',
    variable: 'DISCORD_WEBHOOK_URL',
    key: 'channels[0].webhookUrl',
    applies: by('discord-webhook'),
  },
  {
    id: 'discordApi',
    argument: '<URL>',
    summary: 'where Discord is asked, for a proxy',
    key: 'discord.apiUrl',
    applies: by('discord-bot'),
    fallback: () => '',
  },
  {
    id: 'discordToken',
    type: 'secret',
    ask: 'Bot token:',
    hint: 'At https://discord.com/developers/applications: New Application; Bot, Reset Token, Copy.',
    argument: '<TOKEN>',
    summary: 'the token of a Discord bot',
    variable: 'DISCORD_BOT_TOKEN',
    key: 'discord.token',
    applies: by('discord-bot'),
  },
  {
    id: 'discordChannel',
    ask: 'Id of the channel:',
    steps: [
      'At https://discord.com/developers/applications: OAuth2, URL Generator; tick bot.',
      'Tick View Channels, Send Messages, Embed Links, Attach Files and Read Message History.',
      'Open the Generated URL, choose the server, Authorize.',
      'In Discord: User Settings, Advanced, Developer Mode. Then right click on the channel, Copy Channel ID.',
    ],
    hint: 'The bot is invited by the link of: npx bluepencil discord-invite APPLICATION-ID\nFor the id: right click on the channel, Copy Channel ID.',
    argument: '<ID>',
    summary: 'the id of the channel that the bot writes to',
    key: 'channels[0].to',
    applies: by('discord-bot'),
  },
  {
    id: 'smtpServer',
    ask: 'Mail server and port:',
    hint: 'Such as mail.desk.example:587. Port 465 is TLS from the first byte, any other STARTTLS.',
    argument: '<HOST:PORT>',
    summary: 'port 465 is TLS from the first byte, any other STARTTLS',
    applies: by('email'),
  },
  {
    id: 'smtpUser',
    ask: 'User at the mail server (empty: none):',
    argument: '<USER>',
    summary: 'who logs in at the mail server',
    applies: by('email'),
    fallback: () => '',
  },
  {
    id: 'smtpPassword',
    type: 'secret',
    ask: 'Password:',
    argument: '<PASSWORD>',
    summary: 'as it is, not percent-encoded',
    variable: 'SMTP_PASSWORD',
    applies: (answers) => by('email')(answers) && answered(answers, 'smtpUser') !== undefined,
  },
  {
    id: 'mailFrom',
    ask: 'Sender:',
    argument: '<ADDRESS>',
    summary: 'desk@example.org or "Desk <desk@example.org>"',
    key: 'email.from',
    applies: by('email'),
    fallback: ({ smtpUser = '' }) => (smtpUser.includes('@') ? `Bluepencil <${smtpUser}>` : undefined),
  },
  {
    id: 'mailTo',
    ask: 'Recipients (commas between them):',
    argument: '<ADDRESSES>',
    summary: 'who gets the mails, separated by commas',
    key: 'channels[0].to',
    applies: by('email'),
  },
  {
    id: 'webhookPrivate',
    type: 'truth',
    argument: '<BOOLEAN>',
    summary: 'true lets the address lead to this machine or into a private network',
    key: 'channels[0].allowPrivate',
    applies: by('webhook'),
    fallback: () => '',
  },
  {
    id: 'webhookAddress',
    type: 'secret',
    ask: 'Address that alerts are posted to (https://…):',
    hint: 'What arrives there is in docs/webhook.md. Into a private network: --webhook-private true',
    argument: '<URL>',
    summary: 'where each message is posted, as signed JSON',
    variable: 'WEBHOOK_ADDRESS',
    key: 'channels[0].to',
    applies: by('webhook'),
  },
  {
    id: 'webhookSecret',
    type: 'secret',
    ask: 'Signing secret that the receiver has, whsec_… (empty: make one, for the receiver to read in .env):',
    argument: '<SECRET>',
    summary: 'signs each message, shared with the receiver (else one is made)',
    variable: 'WEBHOOK_CHANNEL_SECRET',
    key: 'channels[0].secret',
    applies: by('webhook'),
    fallback: () => `whsec_${randomBytes(32).toString('base64')}`,
  },
  {
    id: 'name',
    argument: '<NAME>',
    summary: 'what the channel is called in commands and logs (else ai-desk, or as it is called in Slack)',
    key: 'channels[0].name',
    fallback: (answers) => channelName(answers),
  },
  {
    id: 'timeZone',
    argument: '<ZONE>',
    summary: 'of the times in messages (else that of this machine)',
    key: 'channels[0].timeZone',
    fallback: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
  {
    id: 'language',
    argument: '<LANGUAGE>',
    summary: 'of the alerts: en, de, fr, es or pt (else English)',
    key: 'channels[0].language',
    fallback: () => '',
  },
  {
    id: 'operators',
    ask: askOperators,
    hint: `${trouble} write a channel, an id or addresses as above.`,
    argument: '<PLACE>',
    summary: 'who is notified of trouble: a channel, its id, or addresses (else the channel itself)',
    key: 'channels[1]',
    applies: by('slack-bot', 'discord-bot', 'email'),
    fallback: () => '',
  },
  {
    id: 'operatorsWebhook',
    type: 'secret',
    ask: askOperators,
    hint: `${trouble} write the address of another webhook.`,
    argument: '<URL>',
    summary: 'where trouble is reported (else the channel itself)',
    variable: 'OPERATORS_WEBHOOK_URL',
    key: 'channels[1]',
    applies: by('slack-webhook', 'discord-webhook', 'webhook'),
    fallback: () => '',
  },
  {
    id: 'service',
    ask: 'Address of the monitoring service, ending in /v1 (empty: later):',
    argument: '<URL>',
    summary: 'the address of the monitoring service, ending in /v1',
    key: 'monitor.baseUrl',
    fallback: () => '',
  },
  {
    id: 'serviceKey',
    type: 'secret',
    ask: 'API key of the service:',
    hint: 'It is in the service’s dashboard, and needs the scope webhooks.write.',
    argument: '<KEY>',
    summary: 'the API key of the service',
    variable: 'MONITOR_API_KEY',
    key: 'monitor.apiKey',
    applies: withService,
  },
  {
    id: 'tier',
    type: 'choice',
    ask: 'Plan of the key:',
    choices: [
      { value: 'free', name: 'free (100 requests an hour)' },
      { value: 'researcher', name: 'researcher (1,000)' },
      { value: 'pro', name: 'pro (10,000)' },
    ],
    argument: '<PLAN>',
    summary: 'free, researcher, pro, or the requests per hour',
    key: 'monitor.tier',
    about: 'serviceKey',
    applies: withService,
    fallback: () => 'free',
  },
  {
    id: 'port',
    argument: '<N>',
    summary: 'where serve listens (else 8080)',
    key: 'server.port',
    fallback: () => '8080',
  },
  {
    id: 'publicUrl',
    ask: 'Address under which the service reaches this machine (empty: none, polling alone):',
    argument: '<URL>',
    summary: 'the address under which the service reaches us, such as https://alerts.desk.example',
    key: 'webhook.publicUrl',
    applies: withService,
    fallback: () => '',
  },
]

/** What is not answered yet, in the order in which it is asked. */
export function open(answers: Answers, among = questions): SetupQuestion[] {
  return among.filter((question) => answers[question.id] === undefined && isAsked(question, answers))
}

/** Whether the other answers leave the question open. */
export function isAsked({ applies }: SetupQuestion, answers: Answers): boolean {
  return applies?.(answers) ?? true
}

export function questionOf(id: AnswerId): SetupQuestion {
  const question = questions.find((one) => one.id === id)
  if (question === undefined) throw new Error(`there is no question ${id}`)
  return question
}

/** `--slack-token` */
export function flagOf(id: AnswerId): string {
  return `--${id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** The channel's name in Slack, if that can be a name here. */
export function channelName({ slackChannel = '' }: Answers, otherwise = 'ai-desk'): string {
  const [, name = otherwise] = /^#([a-z0-9][a-z0-9-]{0,62})$/.exec(slackChannel) ?? []
  return name
}
