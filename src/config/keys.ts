import { keysOfKinds } from '../channels/registry.ts'
import type { KeyText } from '../channels/settings.ts'
import { consoleKeys, variable } from './console-keys.ts'

/**
 * Every key of the configuration, by its path; those of a channel by its type, or by `*` where all types have it. What only one
 * type has stands with that type.
 */
export const keys: Readonly<Record<string, KeyText>> = {
  monitor: {
    is: 'The monitoring service',
    example: { baseUrl: 'https://monitor.example/v1', apiKey: 'mk_1f9d' },
  },
  'monitor.baseUrl': { is: 'Its base address, ending in /v1', example: 'https://monitor.example/v1' },
  'monitor.apiKey': { is: 'Its bearer key; this or oauth', example: variable('MONITOR_API_KEY') },
  'monitor.oauth': {
    is: 'OAuth 2.0 client credentials, instead of apiKey',
    example: {
      tokenUrl: 'https://monitor.example/oauth/token',
      clientId: 'desk',
      clientSecret: variable('OAUTH_SECRET'),
    },
  },
  'monitor.oauth.tokenUrl': {
    is: 'Where tokens are had (RFC 6749)',
    example: 'https://monitor.example/oauth/token',
  },
  'monitor.oauth.clientId': { is: 'The name of the client, as the service gave it', example: 'desk' },
  'monitor.oauth.clientSecret': { is: 'The password of the client', example: variable('OAUTH_SECRET') },
  'monitor.oauth.scopes': {
    is: 'What is asked for; webhooks.write where nothing is said',
    example: ['webhooks.write'],
  },
  'monitor.oauth.refreshToken': {
    is: 'Acts for the user who gave it, instead of in the client’s own name',
    example: variable('OAUTH_REFRESH_TOKEN'),
  },
  'monitor.tier': {
    is: 'The plan of the key, or its requests per hour; a quarter is kept for people’s questions',
    example: 'researcher',
  },
  'monitor.rates': {
    is: 'How the service writes refusal rates; auto finds out from the readings',
    example: 'auto',
  },
  'monitor.name': {
    is: 'What the service is called in the messages',
    example: 'Censorship Monitoring Service',
  },
  webhook: { is: 'The way in for deliveries', example: { publicUrl: 'https://desk.example' } },
  'webhook.path': { is: 'Where deliveries are received', example: '/webhook' },
  'webhook.publicUrl': {
    is: 'Address under which the service reaches us; with a path of its own it is used as it is',
    example: 'https://alerts.desk.example',
  },
  'webhook.secrets': {
    is: 'Signing secrets of subscriptions that were made by hand',
    example: ['whsec_3f9d1c7ab2e84d5f9a6c0b1e2d3f4a5b'],
  },
  'webhook.signature': {
    is: 'auto tries every plausible form; hash, encoding and key pin it',
    example: 'auto',
  },
  'webhook.signature.hash': { is: 'The hash function of the signature', example: 'sha256' },
  'webhook.signature.encoding': { is: 'How the signature is written', example: 'hex' },
  'webhook.signature.key': { is: 'What of the whsec_… secret is the key', example: 'whole' },
  polling: { is: 'How the published figures are read', example: { mode: 'auto' } },
  'polling.mode': {
    is: 'auto: a cross-check while webhooks are healthy, at full rate while they are not',
    example: 'auto',
  },
  'polling.interval': {
    is: 'The published figures are read no faster than this; else as fast as the plan for the tier allows',
    example: '5m',
  },
  'polling.alertsPath': {
    is: 'Where the service lists its alerts; without it a few plausible paths are tried, once',
    example: '/monitoring/alerts',
  },
  server: { is: 'Where this program listens', example: { host: '127.0.0.1', port: 8080 } },
  'server.host': {
    is: 'The address of this machine; 127.0.0.1 behind a proxy on the same one',
    example: '127.0.0.1',
  },
  'server.port': { is: 'The TCP port; 0 is any that is free', example: 8080 },
  'server.basePath': { is: 'Prefix of every path, behind a proxy that keeps it', example: '/bluepencil' },
  'server.trustProxy': {
    is: 'The networks of the proxies in front; what they say of who asks counts, and they alone lead to a console with listen.port: server',
    example: ['10.0.0.0/8'],
  },
  'server.publicUrl': {
    is: 'Address under which people reach us, for links in mails; webhook.publicUrl where nothing is said',
    example: 'https://alerts.desk.example',
  },
  store: {
    is: 'Where events are kept: a folder, relative to the working directory, or for several processes a database of Postgres, as postgres://user:password@host/name',
    example: 'file:./data',
  },
  retention: {
    is: 'How long events and their ids are kept; must outlast the retries of the service',
    example: '90d',
  },
  figures: { is: 'The published figures that were read', example: { retention: '1826d' } },
  'figures.retention': {
    is: 'How long published figures are kept, five years if you set nothing',
    example: '1826d',
  },
  copies: {
    is: 'How many hourly copies of the store in a folder are kept beside it, for the case that a file is damaged; 0 makes none, and none is a backup',
    example: 2,
  },
  log: { is: 'What of the log is written, and all that is worse', example: 'info' },
  slack: { is: 'The Slack app, for channels with `to`', example: { token: variable('SLACK_BOT_TOKEN') } },
  'slack.token': {
    is: 'Bot token, xoxb-…; incoming webhooks need none',
    example: variable('SLACK_BOT_TOKEN'),
  },
  'slack.signingSecret': {
    is: 'Verifies what Slack posts to /slack when people act at messages; not needed with appToken',
    example: variable('SLACK_SIGNING_SECRET'),
  },
  'slack.appToken': {
    is: 'App-level token, xapp-…: people can act at messages, without a public address (Socket Mode)',
    example: variable('SLACK_APP_TOKEN'),
  },
  'slack.apiUrl': {
    is: 'Where Slack’s interface is; another for a proxy',
    example: 'https://slack.com/api/',
  },
  'slack.intervalMs': { is: 'Milliseconds between two messages of one channel', example: 1000 },
  discord: {
    is: 'The Discord bot, for channels with `to`',
    example: { token: variable('DISCORD_BOT_TOKEN') },
  },
  'discord.token': {
    is: 'The bot’s token, without "Bot " before it',
    example: variable('DISCORD_BOT_TOKEN'),
  },
  'discord.applicationId': { is: 'For the link that invites the bot', example: '1180000000000000001' },
  'discord.publicKey': {
    is: 'Verifies what Discord posts to /discord when people act at messages; not needed with gateway',
    example: 'c0'.repeat(32),
  },
  'discord.gateway': {
    is: 'Whether people can act at messages without a public address, through a connection to Discord',
    example: true,
  },
  'discord.apiUrl': {
    is: 'Where Discord’s interface is; another for a proxy',
    example: 'https://discord.com/api',
  },
  email: {
    is: 'The mail server that all e-mail channels send through',
    example: { smtp: 'smtp://desk:secret@mail.example:587', from: 'Bluepencil <bluepencil@desk.example>' },
  },
  'email.smtp': {
    is: 'smtp(s)://user:password@host:port, user and password percent-encoded',
    example: 'smtp://desk:secret@mail.example:587',
  },
  'email.ca': {
    is: 'File with the certificate (PEM) of the authority that signed the server’s, in place of the public ones',
    example: '/etc/ssl/desk-ca.pem',
  },
  'email.from': { is: 'The sender', example: 'Bluepencil <bluepencil@desk.example>' },
  'email.replyTo': { is: 'Where answers go', example: 'Desk <desk@desk.example>' },
  'email.requireTls': {
    is: 'Whether mail and password may travel only encrypted; true but on this machine',
    example: true,
  },
  chat: {
    is: 'Who may act at the messages, where somebody listens (slack.appToken, slack.signingSecret, discord.publicKey, discord.gateway)',
    example: { acknowledge: 'anyone', silence: ['U012AB3CD'] },
  },
  'chat.acknowledge': {
    is: 'Who may acknowledge alerts: anyone, or a list of ids of people',
    example: 'anyone',
  },
  'chat.silence': {
    is: 'Who may silence alerts: anyone, or a list of ids of people',
    example: ['U012AB3CD', '1180000000000000001'],
  },
  ...consoleKeys,
  operators: {
    is: 'Names of the channels that are notified of trouble',
    example: ['ai-desk', 'policy-mail'],
  },
  heartbeat: {
    is: 'A sign of life for a dead man’s switch',
    example: { url: 'https://hc-ping.com/ID', every: '5m' },
  },
  'heartbeat.url': {
    is: 'Its address; it is asked with GET while all is well',
    example: 'https://hc-ping.com/ID',
  },
  'heartbeat.every': { is: 'How often', example: '5m' },
  channels: { is: 'Where alerts go', example: [{ name: 'ai-desk', type: 'slack', to: '#ai-desk' }] },
  'channels.*.name': { is: 'Its name in the log, in operators and in commands', example: 'ai-desk' },
  'channels.*.type': { is: 'What kind of channel it is', example: 'slack' },
  'channels.*.models': { is: 'Only alerts about these models', example: ['claude', 'gemini'] },
  'channels.*.events': {
    is: 'Only alerts of these types; an empty list makes it a channel for trouble alone, named under operators',
    example: ['policy_change'],
  },
  'channels.*.categories': { is: 'Only alerts about these categories of prompts', example: ['political'] },
  'channels.*.minDelta': { is: 'Only changes of at least so many percentage points, up or down', example: 5 },
  'channels.*.direction': { is: 'Only more refusals (rise), only fewer (fall), or both', example: 'rise' },
  'channels.*.fixed': {
    is: 'Its filters, hours and digest are changed in this file alone, not in the console',
    example: true,
  },
  'channels.*.timeZone': { is: 'In which its messages write times', example: 'Europe/Berlin' },
  'channels.*.quiet': {
    is: 'Hours in which alerts are held, in timeZone; then one message says what came',
    example: { from: '22:00', to: '07:00', unless: { minDelta: 20 } },
  },
  'channels.*.quiet.from': { is: 'When they begin', example: '22:00' },
  'channels.*.quiet.to': { is: 'When they end; the next day, where that is not later', example: '07:00' },
  'channels.*.quiet.days': { is: 'The days on which they begin; else every day', example: ['mon', 'tue'] },
  'channels.*.quiet.unless': { is: 'What goes out at once all the same', example: { minDelta: 20 } },
  'channels.*.quiet.unless.minDelta': {
    is: 'Changes of at least so many percentage points, up or down',
    example: 20,
  },
  'channels.*.digest': {
    is: 'Alerts go out together: every hour, day or week, in timeZone',
    example: { every: 'day', at: '08:00', unless: { minDelta: 20 } },
  },
  'channels.*.digest.every': { is: 'How often', example: 'day' },
  'channels.*.digest.at': { is: 'At which hour, of a daily or weekly one', example: '08:00' },
  'channels.*.digest.on': { is: 'On which day, of a weekly one', example: 'mon' },
  'channels.*.digest.unless': { is: 'What goes out at once all the same', example: { minDelta: 20 } },
  'channels.*.digest.unless.minDelta': {
    is: 'Changes of at least so many percentage points, up or down',
    example: 20,
  },
  'channels.*.stories': {
    is: 'Alerts of one model, category and direction become one message that is edited, if it can be; off if nothing is said',
    example: { within: '2h', worse: 5 },
  },
  'channels.*.stories.within': {
    is: 'How long after the first alert of a story others join it',
    example: '2h',
  },
  'channels.*.stories.worse': {
    is: 'A change that is larger than all before it by so many percentage points also comes by itself; 5 if nothing is said',
    example: 10,
  },
  'channels.*.language': {
    is: 'In which its alerts are written: en, de, fr, es or pt; notices to operators are in English',
    example: 'de',
  },
  'channels.*.statusReport': {
    is: 'weekly: each Monday at 09:00 in timeZone, how many alerts came and that Bluepencil is at work',
    example: 'weekly',
  },
  ...keysOfKinds,
}
