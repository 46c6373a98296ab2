import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { firstAdmin, openUnset } from '../../system/console/setup-desk.ts'

async function desk() {
  const opened = await openUnset()
  const ana = await firstAdmin(opened)
  return {
    ...opened,
    ana,
    /** Fills in the form of a page of the settings. */
    set: (page: string, fields: Record<string, string>) =>
      ana.submit(`/settings/${page}`, `/settings/${page}`, fields),
    stored: () => readFileSync(join(opened.folder, 'data', 'settings.json'), 'utf8'),
  }
}

async function slackFake() {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  return slack
}

async function discordFake() {
  const discord = await startFakeDiscord({ now: () => Date.now() })
  onTestFinished(() => discord.close())
  return discord
}

async function mailFake() {
  const smtp = await startFakeSmtp({ users: { desk: 'pass word' } })
  onTestFinished(() => smtp.close())
  return smtp
}

const errorAt = (html: string, field: string) =>
  new RegExp(`id="${field.replaceAll('.', '\\.')}-error">([^<]*)<`).exec(html)?.[1]

test('a token of Slack is tried before it is saved, and saved all the same without typing it again', async () => {
  const [slack, { set, stored }] = [await slackFake(), await desk()]
  const api = { 'in.apiUrl': slack.apiUrl }
  const wrong = await set('slack', { ...api, 'in.token': 'xoxb-1234-revoked' })
  expect([wrong.status, errorAt(wrong.html, 'in.token')]).toEqual([422, expect.stringContaining('token')])
  expect(wrong.html).toContain('Save all the same')
  expect(wrong.html).not.toContain('xoxb-1234-revoked')
  expect(stored()).not.toContain('xoxb-')
  expect((await set('slack', { ...api, do: 'untried' })).html).toContain('It is saved')
  expect(stored()).toContain('xoxb-1234-revoked')
  const right = await set('slack', { ...api, 'in.token': slack.token })
  expect(right.html).toContain('It is saved')
  // What was refused before is not used in its place.
  expect((await set('slack', { ...api, 'in.intervalMs': '2000' })).html).toContain('It is saved')
  expect(stored()).toContain(slack.token)
})

test('a mail server is set in the settings, and a channel that sends through it in the set-up', async () => {
  const [smtp, { ana, set, stored }] = [await mailFake(), await desk()]
  const server = { smtpServer: `127.0.0.1:${smtp.port}`, smtpUser: 'desk', 'in.from': 'desk@desk.example' }
  const wrong = await set('email', { ...server, smtpPassword: 'wrong' })
  expect([wrong.status, errorAt(wrong.html, 'smtpUser')]).toEqual([
    422,
    expect.stringMatching(/password|desk/),
  ])
  const away = await set('email', { ...server, smtpServer: '127.0.0.1:9', smtpPassword: 'pass word' })
  expect(errorAt(away.html, 'smtpServer')).toContain('127.0.0.1')
  expect((await set('email', { ...server, smtpPassword: 'pass word' })).html).toContain('It is saved')
  expect(stored()).toContain('pass%20word')
  expect(smtp.messages()).toEqual([])

  const added = await ana.submit('/setup/channel?kind=email', '/setup/channel', {
    ...server,
    mailFrom: 'desk@desk.example',
    mailTo: 'reader@desk.example, ombud@desk.example',
  })
  expect(added.html).toContain('The channel is saved')
  expect(added.html).toContain('sent to mail')
  expect(smtp.messages().map(({ to, user }) => [to, user])).toEqual([
    [['reader@desk.example'], 'desk'],
    [['ombud@desk.example'], 'desk'],
  ])
  const channel = await set('channels/mail', { 'in.to': 'reader@desk.example', 'in.language': 'de' })
  expect(channel.html).toContain('It is saved')
  // A change of the channel mails nobody.
  expect(smtp.messages()).toHaveLength(2)
  expect((await ana.submit('/settings/channels/mail', '/channels/mail/test')).html).toContain(
    'It accepted the test',
  )
  expect(smtp.messages()).toHaveLength(3)
})

test('mail is set up at once in the set-up, with its server', async () => {
  const [smtp, { ana }] = [await mailFake(), await desk()]
  const added = await ana.submit('/setup/channel?kind=email', '/setup/channel', {
    smtpServer: `127.0.0.1:${smtp.port}`,
    smtpUser: 'desk',
    smtpPassword: 'pass word',
    mailFrom: 'Desk <desk@desk.example>',
    mailTo: 'reader@desk.example',
  })
  expect(added.html).toContain('sent to mail')
  expect(smtp.messages().map(({ from, to }) => [from, to])).toEqual([
    ['desk@desk.example', ['reader@desk.example']],
  ])
  expect(smtp.messages()[0]?.raw).toContain('TEST')
  expect((await ana.see('/')).html).toContain('<strong>mail</strong>')
})

test('a bot of Discord is set in the settings, and its channel in the set-up; another channel is tried', async () => {
  const [discord, { ana, set }] = [await discordFake(), await desk()]
  const wrong = await set('discord', { 'in.apiUrl': discord.url, 'in.token': 'no-token-of-discord' })
  expect([wrong.status, errorAt(wrong.html, 'in.token')]).toEqual([422, expect.stringContaining('token')])
  const right = await set('discord', { 'in.apiUrl': discord.url, 'in.token': discord.token })
  expect(right.html).toContain('It is saved')
  const added = await ana.submit('/setup/channel?kind=discord-bot', '/setup/channel', {
    discordApi: discord.url,
    discordChannel: discord.channelId,
  })
  expect(added.html).toContain('sent to discord')
  expect(discord.posted(discord.channelId)).toHaveLength(1)
  const moved = await set('channels/discord', { 'in.to': '100000000000000009' })
  expect([moved.status, errorAt(moved.html, 'in.to')]).toEqual([
    422,
    expect.stringMatching(/channel|does not/),
  ])
  expect((await set('channels/discord', { 'in.to': discord.channelId, 'in.language': 'de' })).html).toContain(
    'It is saved',
  )
})

test('another webhook of Slack gets a test before it is saved', async () => {
  const [slack, { ana, set, stored }] = [await slackFake(), await desk()]
  await ana.submit('/setup/channel?kind=slack-webhook', '/setup/channel', { slackWebhook: slack.webhookUrl })
  const gone = slack.webhookUrl.replace(/[^/]+$/, 'revoked')
  const wrong = await set('channels/slack', { 'in.webhookUrl': gone })
  expect([wrong.status, errorAt(wrong.html, 'in.webhookUrl')]).toEqual([
    422,
    expect.stringContaining('slack did not accept it'),
  ])
  expect(stored()).toContain(slack.webhookUrl)
  expect((await set('channels/slack', { do: 'untried' })).html).toContain('It is saved')
  expect(stored()).toContain(gone)
  const before = slack.requests.length
  expect((await set('channels/slack', { 'in.webhookUrl': slack.webhookUrl })).html).toContain('It is saved')
  expect(slack.requests.slice(before).map(({ raw }) => raw.includes('TEST'))).toEqual([true])
})

test('our own address is tried before it is saved', async () => {
  const service = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => service.close())
  const { app, set, stored } = await desk()
  await set('service', { 'in.baseUrl': service.url, 'in.apiKey': 'sandbox-pro' })
  const wrong = await set('address', { 'in.': 'http://127.0.0.1:9' })
  expect([wrong.status, errorAt(wrong.html, 'in.')]).toEqual([422, expect.stringContaining('127.0.0.1:9')])
  expect(wrong.html).toContain('value="http://127.0.0.1:9"')
  expect(stored()).not.toContain('127.0.0.1:9')
  expect((await set('address', { 'in.': 'http://127.0.0.1:9', do: 'untried' })).html).toContain('It is saved')
  expect((await set('address', { 'in.': `http://127.0.0.1:${app.port}` })).html).toContain('It is saved')
})
