import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { firstAdmin, openUnset } from './setup-desk.ts'
import type { Visitor } from './visitor.ts'

const ends: (() => Promise<void>)[] = []
const there: Record<string, string> = {}
let ana: Visitor

beforeAll(async () => {
  const [slack, service, discord] = await Promise.all([
    startSlack(),
    startSandbox({ port: 0, seed: 7 }),
    startFakeDiscord({ now: () => Date.now() }),
  ])
  for (const fake of [slack, service, discord]) ends.push(() => fake.close())
  const desk = await openUnset({}, { closing: (end) => void ends.push(end) })
  ana = await firstAdmin(desk)
  await ana.submit('/setup/channel?kind=slack-webhook', '/setup/channel', {
    slackWebhook: slack.webhookUrl,
  })
  const named = { service: service.url, serviceKey: 'sandbox-pro', tier: 'pro' }
  await ana.submit('/setup/service', '/setup/service', named)
  Object.assign(there, {
    'SLACK/': slack.webhookUrl.replace(/services.*/, ''),
    'SLACK-API': slack.apiUrl,
    'SLACK-TOKEN': slack.token,
    SERVICE: service.url,
    'DISCORD-API': discord.url,
    'DISCORD-TOKEN': discord.token,
  })
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Fields as somebody fills them in; names in capitals stand for addresses of what is there. */
function filled(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, there[value] ?? value]))
}

const mail = { smtpServer: '127.0.0.1:9', mailFrom: 'desk@desk.example', mailTo: 'ana@desk.example' }
const bot = { slackApi: 'SLACK-API', slackToken: 'SLACK-TOKEN', slackChannel: '#ai-desk' }
const discord = { discordApi: 'DISCORD-API', discordToken: 'DISCORD-TOKEN' }
const named = { service: 'SERVICE', serviceKey: 'sandbox-pro', tier: 'pro' }
const slack = '/setup/channel?kind=slack-webhook'
const slackBot = '/setup/channel?kind=slack-bot'
const hook = '/setup/channel?kind=discord-webhook'
const discordBot = '/setup/channel?kind=discord-bot'
const email = '/setup/channel?kind=email'
const other = '/setup/channel?kind=webhook'
const service = '/setup/service'
const address = '/setup/address'

test.each<[page: string, fields: Record<string, string>, field: string, words: RegExp]>([
  [slack, { slackWebhook: '' }, 'slackWebhook', /is empty/],
  [slack, { slackWebhook: 'hooks.slack.com/services/T/B/x' }, 'slackWebhook', /is not a web address/],
  [slack, { slackWebhook: 'http://hooks.slack.com/services/T/B/x' }, 'slackWebhook', /unencrypted/],
  [slack, { slackWebhook: 'SLACK/' }, 'slackWebhook', /does not come from Slack/],
  [
    slack,
    { slackWebhook: 'https://hooks.slack.com/services/T/B/x', name: 'slack' },
    'name',
    /another channel/,
  ],
  [slack, { slackWebhook: 'https://hooks.slack.com/services/T/B/x', name: 'AI Desk' }, 'name', /lower-case/],
  [
    slack,
    { slackWebhook: 'https://hooks.slack.com/services/T/B/x', timeZone: 'Berlin' },
    'timeZone',
    /not a time zone/,
  ],
  [
    slack,
    { slackWebhook: 'https://hooks.slack.com/services/T/B/x', language: 'English' },
    'language',
    /must be one of/,
  ],
  [slackBot, { ...bot, slackToken: 'xapp-1-abc' }, 'slackToken', /app-level token/],
  [slackBot, { ...bot, slackToken: 'xoxb-your-token' }, 'slackToken', /placeholder/],
  [slackBot, { ...bot, slackToken: 'xoxb-1234-revoked' }, 'slackToken', /token/],
  [slackBot, { ...bot, slackChannel: 'ai-desk' }, 'slackChannel', /not a Slack channel/],
  [slackBot, { ...bot, slackChannel: '#nowhere' }, 'slackChannel', /nowhere/],
  [hook, { discordWebhook: 'https://discord.com/channels/1/2' }, 'discordWebhook', /as Discord shows it/],
  [discordBot, { ...discord, discordChannel: '#desk' }, 'discordChannel', /is not a channel id/],
  [discordBot, { ...discord, discordChannel: '100000000000000009' }, 'discordChannel', /channel|does not/],
  [
    discordBot,
    { ...discord, discordToken: 'wrong', discordChannel: '100000000000000009' },
    'discordToken',
    /token/,
  ],
  [email, { ...mail, smtpServer: '' }, 'smtpServer', /is empty/],
  [email, { ...mail, smtpServer: 'smtp://mail.example' }, 'smtpServer', /is not a mail server/],
  [email, { ...mail, smtpServer: 'mail.example:99999' }, 'smtpServer', /is not a mail server/],
  [email, mail, 'smtpServer', /127\.0\.0\.1/],
  [email, { ...mail, mailTo: 'ana' }, 'mailTo', /is not an e-mail address/],
  [email, { ...mail, mailTo: 'ana@desk.example, ben' }, 'mailTo', /is not an e-mail address/],
  [email, { ...mail, mailFrom: 'the desk' }, 'mailFrom', /is not an address/],
  [other, { webhookAddress: 'n8n.desk.example/x' }, 'webhookAddress', /web address/],
  [other, { webhookAddress: 'http://n8n:5678/x' }, 'webhookAddress', /allowPrivate|private/],
  [
    other,
    { webhookAddress: 'https://n8n.desk.example/x', webhookSecret: 'whsec_short' },
    'webhookSecret',
    /openssl/,
  ],
  [service, { ...named, service: 'monitor.example' }, 'service', /is not an address/],
  [service, { ...named, service: 'http://127.0.0.1:9/v1' }, 'service', /127\.0\.0\.1:9/],
  [service, { ...named, serviceKey: 'sandbox-wrong' }, 'serviceKey', /key|reject/i],
  [service, { ...named, serviceKey: 'sandbox-readonly' }, 'serviceKey', /scope/],
  [service, { ...named, serviceKey: 'changeme' }, 'serviceKey', /placeholder/],
  [address, { publicUrl: 'alerts.desk.example' }, 'publicUrl', /is not an address/],
  [address, { publicUrl: 'http://127.0.0.1:9' }, 'publicUrl', /does not answer/],
])('%s: %j is answered at %s', async (page, fields, field, words) => {
  const { status, html } = await ana.submit(page, page.replace(/\?.*/, ''), filled(fields))
  const error =
    new RegExp(`id="${field}-error">([^<]*)<`).exec(html)?.[1] ?? html.match(/-error">[^<]*/g)?.join() ?? ''
  expect([status, error]).toEqual([422, expect.stringMatching(words)])
  // A language is one of a list.
  expect(/ id="language"/.test(html)).toBe(/<select id="language"[^>]*><option value="en"/.test(html))
  // What was right stays in the form, and no secret is shown.
  const isSecret = (name: string) => /token|address$|secret|key|password|Webhook/i.test(name)
  const typed = Object.entries(filled(fields)).filter(([name, value]) => value !== '' && name !== 'tier')
  const shown = (of: [string, string][]) => of.filter(([, value]) => html.includes(`value="${value}"`))
  const [secrets, others] = [
    typed.filter(([name]) => isSecret(name)),
    typed.filter(([name]) => !isSecret(name) && name !== 'language'),
  ]
  expect([shown(secrets), shown(others)]).toEqual([[], others])
})
