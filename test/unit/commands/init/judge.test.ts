import { expect, test } from 'vitest'
import type { AnswerId, Answers } from '../../../../src/commands/init/answers.ts'
import { flawOf } from '../../../../src/commands/init/judge.ts'
import { withoutAsking } from '../../../../src/commands/init/offers.ts'
import { flagOf, open, questionOf, questions } from '../../../../src/commands/init/questions.ts'

const slackBot = { channel: 'slack-bot' }
const mail = { channel: 'email' }
const withService = { service: 'https://monitor.example/v1' }

test.each<[AnswerId, Answers, RegExp]>([
  ['slackWebhook', { channel: 'slack-webhook', slackWebhook: 'http://hooks.example/x' }, /in the clear/],
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
  ['mailTo', { ...mail, mailTo: 'one@desk.example, two' }, /is not an e-mail address/],
  ['mailFrom', { ...mail, smtpServer: 'mail.example', mailFrom: 'the desk' }, /is not an address/],
  ['slackChannel', { ...slackBot, slackChannel: '$DESK' }, /is no variable/],
  ['name', { ...slackBot, name: 'AI Desk' }, /must be lower-case/],
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
])('%s of %j is right, whatever is not answered yet', (id, answers) => {
  expect(flawOf(id, answers)).toBeUndefined()
})

test('of what is not known only that is asked which the answers so far call for', () => {
  const asked = (answers: Answers) =>
    open(answers)
      .filter(({ ask }) => ask !== undefined)
      .map(({ id }) => id)
  expect(asked({})).toEqual(['channel', 'service'])
  expect(asked({ channel: 'slack-webhook' })).toEqual(['slackWebhook', 'operatorsWebhook', 'service'])
  expect(asked({ channel: 'discord-bot', service: '' })).toEqual([
    'discordToken',
    'discordChannel',
    'operators',
  ])
  expect(asked({ channel: 'email', smtpUser: '', service: '' })).toEqual([
    'smtpServer',
    'mailFrom',
    'mailTo',
    'operators',
  ])
  expect(asked({ channel: 'slack-webhook', slackWebhook: 'x', ...withService })).toEqual([
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
