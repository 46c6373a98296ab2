import { describe, expect, test } from 'vitest'
import { withoutAsking } from '../../../../src/commands/init/interview.ts'
import { parseConfigFile } from '../../../../src/config/load.ts'
import type { AnswerId, Answers } from '../../../../src/config/setup/answers.ts'
import { compose, flawOf } from '../../../../src/config/setup/config-from-answers.ts'
import { flagOf, open, questionOf, questions } from '../../../../src/config/setup/questions.ts'

const byWebhook = { channel: 'slack-webhook', slackWebhook: 'https://hooks.slack.com/services/T/B/secret' }

function configOf(answers: Parameters<typeof compose>[0]) {
  const { yaml, variables } = compose(answers)
  return parseConfigFile(yaml, 'written.yaml', variables).compose({})
}

test('the configuration names secrets, and says what each part is for', () => {
  const { yaml, variables } = compose({
    ...byWebhook,
    name: 'night-desk',
    timeZone: 'Europe/Berlin',
    service: 'https://monitor.example/v1',
    serviceKey: 'key-of-the-desk',
    tier: 'pro',
    port: '8081',
    publicUrl: 'https://alerts.desk.example',
  })
  expect(variables).toEqual({
    MONITOR_API_KEY: 'key-of-the-desk',
    SLACK_WEBHOOK_URL: 'https://hooks.slack.com/services/T/B/secret',
  })
  expect(yaml.split('\n')).toEqual([
    '# Written by bluepencil init. All keys are in bluepencil.schema.json of the package, an example in bluepencil.example.yaml.',
    `# The secrets are in .env: \${NAME} is a variable from there or from the environment.`,
    '',
    '# The monitoring service. A quarter of the plan’s requests is kept for people’s questions.',
    'monitor:',
    '  baseUrl: https://monitor.example/v1',
    `  apiKey: \${MONITOR_API_KEY}`,
    '  tier: pro',
    '',
    '# Under this address the service reaches serve. Bluepencil makes its own subscription and keeps it.',
    'webhook:',
    '  publicUrl: https://alerts.desk.example',
    '',
    'server:',
    '  port: 8081',
    '',
    '# Who is notified of trouble: a channel that accepts nothing, a lost subscription, a full disk.',
    'operators:',
    '  - night-desk',
    '',
    '# Each channel gets every alert, or only what its filters accept. They look like this:',
    '#   models: [claude, gemini]',
    '#   categories: [political]',
    '#   events: [policy_change, censorship_spike]',
    '#   minDelta: 5          # percentage points, rises and falls alike',
    '#   direction: rise      # rise | fall | both',
    'channels:',
    '  - name: night-desk',
    '    type: slack',
    `    webhookUrl: \${SLACK_WEBHOOK_URL}`,
    '    timeZone: Europe/Berlin',
    '',
  ])
})

test('without the service it says where that belongs, and what it says there can be used', () => {
  const { yaml, variables } = compose({ ...byWebhook, service: '' })
  expect(yaml).toContain('# Nothing is reported until the monitoring service is named')
  const [, lines = ''] = yaml.split('to .env.\n')
  const named = `${yaml}\n${lines.replaceAll('# ', '')}`
  const config = parseConfigFile(named, 'b.yaml', {
    ...variables,
    MONITOR_API_KEY: 'key-of-the-desk',
  }).compose({})
  expect(config.monitor?.baseUrl).toBe('https://monitor.example/v1')
  expect(config.webhook.publicUrl).toBe('https://alerts.desk.example')
})

describe('a mail server', () => {
  const mail = { channel: 'email', mailFrom: 'desk@desk.example', mailTo: 'a@desk.example,b@desk.example' }

  test.each([
    ['mail.desk.example', { host: 'mail.desk.example', port: 587, secure: false }],
    ['mail.desk.example:465', { host: 'mail.desk.example', port: 465, secure: true }],
    ['mail.desk.example:2525', { host: 'mail.desk.example', port: 2525, secure: false }],
  ])('%s', (smtpServer, expected) => {
    const { email, channels } = configOf({ ...mail, smtpServer, smtpUser: '' })
    expect(email?.smtp).toEqual(expected)
    expect(channels[0]).toMatchObject({ to: ['a@desk.example', 'b@desk.example'] })
  })

  test('user and password arrive as they were typed', () => {
    const auth = { user: 'desk@desk.example', pass: `a:b/c@d'e"f%20\${HOME} (*)` }
    const smtpServer = 'mail.desk.example'
    const { email } = configOf({ ...mail, smtpServer, smtpUser: auth.user, smtpPassword: auth.pass })
    expect(email?.smtp.auth).toEqual(auth)
  })
})

test('what was typed is not taken for a variable', () => {
  const { email } = configOf({
    channel: 'email',
    smtpServer: 'mail.desk.example',
    mailFrom: `"\${HOME} desk" <desk@desk.example>`,
    mailTo: 'desk@desk.example',
  })
  expect(email?.from.name).toBe(`\${HOME} desk`)
})

const slackBot = { channel: 'slack-bot' }
const mail = { channel: 'email' }
const withService = { service: 'https://monitor.example/v1' }

test.each<[AnswerId, Answers, RegExp]>([
  ['slackWebhook', { channel: 'slack-webhook', slackWebhook: 'http://hooks.example/x' }, /unencrypted/],
  ['slackToken', { ...slackBot, slackToken: 'xapp-1-secret' }, /is an app-level token/],
  ['slackToken', { ...slackBot, slackToken: 'xoxb-your-token' }, /is a placeholder/],
  ['slackChannel', { ...slackBot, slackChannel: 'ai-desk' }, /is not a Slack channel/],
  ['slackChannel', { ...slackBot, slackChannel: '' }, /^is empty$/],
  [
    'discordWebhook',
    { channel: 'discord-webhook', discordWebhook: 'https://discord.com/x' },
    /as Discord shows it/,
  ],
  ['discordChannel', { channel: 'discord-bot', discordChannel: '#desk' }, /is not a channel id/],
  ['webhookAddress', { channel: 'webhook', webhookAddress: 'http://n8n:5678/x' }, /allowPrivate: true/],
  ['webhookSecret', { channel: 'webhook', webhookSecret: 'whsec_short' }, /openssl rand/],
  ['smtpServer', { ...mail, smtpServer: 'smtp://mail.example' }, /is not a mail server/],
  ['smtpServer', { ...mail, smtpServer: 'mail.example:99999' }, /is not a mail server/],
  ['mailTo', { ...mail, mailTo: 'desk' }, /is not an e-mail address/],
  [
    'mailTo',
    { ...mail, mailTo: 'one@desk.example, two' },
    /^has “two” in it, which is not an e-mail address/,
  ],
  ['mailTo', { ...mail, mailTo: 'one@desk.example,' }, /^has an empty entry in it, which is not an e-mail/],
  ['mailFrom', { ...mail, smtpServer: 'mail.example', mailFrom: 'the desk' }, /is not an address/],
  ['slackChannel', { ...slackBot, slackChannel: '$DESK' }, /is no variable/],
  ['name', { ...slackBot, name: 'AI Desk' }, /must be lower-case/],
  ['name', { ...slackBot, name: 'a'.repeat(64) }, /^is too long; write 63 characters at most$/],
  ['timeZone', { ...slackBot, timeZone: 'Berlin' }, /is not a time zone/],
  ['service', { service: 'monitor.example' }, /is not an address/],
  ['serviceKey', { ...withService, serviceKey: 'changeme' }, /is a placeholder/],
  ['tier', { ...withService, tier: 'gold' }, /write free, researcher or pro/],
  ['port', { port: '80800' }, /must be a whole number/],
  ['publicUrl', { ...withService, publicUrl: 'desk.example' }, /is not an address/],
  ['slackToken', { ...slackBot, slackToken: 'xoxb-\u001b[2J' }, /control character/],
])('%s of %j is refused, and a secret is not repeated', (id, answers, words) => {
  const flaw = flawOf(id, answers)
  expect(flaw).toMatch(words)
  expect(questionOf(id).type === 'secret' && flaw?.includes(answers[id] ?? '')).toBe(false)
})

test.each<[AnswerId, Answers]>([
  ['slackToken', { ...slackBot, slackToken: 'xoxb-0123-abc' }],
  ['slackChannel', { ...slackBot, slackToken: 'xoxb-0123-abc', slackChannel: '#ai-desk' }],
  ['smtpServer', { ...mail, smtpServer: '[::1]:2525' }],
  ['mailFrom', { ...mail, smtpServer: 'mail.example', mailFrom: 'Desk <desk@desk.example>' }],
  ['tier', { ...withService, serviceKey: 'abc', tier: '25000' }],
  ['service', { service: '' }],
  ['publicUrl', { ...withService, publicUrl: '' }],
])('%s of %j is valid, even while other answers are missing', (id, answers) => {
  expect(flawOf(id, answers)).toBeUndefined()
})

test('only questions that the answers so far call for are asked', () => {
  const questions = (answers: Answers) =>
    open(answers)
      .filter(({ ask }) => ask !== undefined)
      .map(({ id }) => id)
  expect(questions({})).toEqual(['channel', 'service'])
  expect(questions({ channel: 'slack-webhook' })).toEqual(['slackWebhook', 'operatorsWebhook', 'service'])
  expect(questions({ channel: 'discord-bot', service: '' })).toEqual([
    'discordToken',
    'discordChannel',
    'operators',
  ])
  expect(questions({ channel: 'email', smtpUser: '', service: '' })).toEqual([
    'smtpServer',
    'mailFrom',
    'mailTo',
    'operators',
  ])
  expect(questions({ channel: 'slack-webhook', slackWebhook: 'x', ...withService })).toEqual([
    'operatorsWebhook',
    'serviceKey',
    'tier',
    'publicUrl',
  ])
})

test('each answer has an option of its own', () => {
  const flags = questions.map(({ id }) => flagOf(id))
  expect(new Set(flags).size).toBe(flags.length)
  expect(flagOf('slackWebhook')).toBe('--slack-webhook')
})

test('without a person, what is suggested fills in; the channel is called as in Slack', () => {
  const offers = { channel: 'slack-bot', slackToken: 'xoxb-0123-abc', slackChannel: '#night' }
  expect(withoutAsking(offers, {})).toMatchObject({ ...offers, name: 'night', service: '', port: '8080' })
})

test('without a person a variable of the environment counts where its option is not given', () => {
  const environment = { SLACK_BOT_TOKEN: 'xoxb-0123-abc', MONITOR_API_KEY: 'unused' }
  const options = { channel: 'slack-bot', slackChannel: '#night' }
  expect(withoutAsking(options, environment)).toMatchObject({ slackToken: 'xoxb-0123-abc' })
  expect(withoutAsking({ ...options, slackToken: 'xoxb-of-option' }, environment)).toMatchObject({
    slackToken: 'xoxb-of-option',
  })
})
