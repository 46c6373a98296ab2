import { expect, onTestFinished, test } from 'vitest'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { firstAdmin, openUnset, password } from './setup-desk.ts'
import type { Visitor } from './visitor.ts'

async function deskWithSlack() {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const desk = await openUnset()
  const ana = await firstAdmin(desk)
  await ana.submit('/setup/channel?kind=slack-webhook', '/setup/channel', { slackWebhook: slack.webhookUrl })
  return { slack, desk, ana }
}

const errorAt = (html: string, field: string) =>
  new RegExp(`id="${field.replace('.', '\\.')}-error">([^<]*)<`).exec(html)?.[1]

test('a channel that was made here is changed, tested, paused and removed here', async () => {
  const { slack, desk, ana } = await deskWithSlack()
  const wrong = await ana.submit('/settings/channels/slack', '/settings/channels/slack', {
    'in.timeZone': 'Berlin',
    'in.language': 'de',
  })
  expect([wrong.status, errorAt(wrong.html, 'in.timeZone')]).toEqual([
    422,
    'Time zone is not a time zone; write one such as Europe/Berlin or UTC.',
  ])
  expect(wrong.html).toMatch(/<option value="de" selected>/)
  const saved = await ana.submit('/settings/channels/slack', '/settings/channels/slack', {
    'in.timeZone': 'Europe/Berlin',
    'in.language': 'de',
    'in.mentions': '- who: here\n  when: { minDelta: 15 }',
  })
  expect(saved.html).toContain('It is saved')
  const shown = (await ana.see('/settings/channels/slack')).html
  expect(shown).toContain('Europe/Berlin')
  expect(shown).toContain('minDelta: 15')
  expect(shown + wrong.html + saved.html + (await ana.see('/log')).html).not.toContain(slack.webhookUrl)

  // The address of the webhook stayed as it was.
  await ana.submit('/settings/channels/slack', '/channels/slack/test')
  await expect.poll(() => slack.requests.length).toBe(2)

  const yaml = await ana.submit('/settings/channels/slack', '/settings/channels/slack', {
    'in.mentions': '- who: [',
  })
  expect(errorAt(yaml.html, 'in.mentions')).toContain('is not YAML')

  expect((await ana.submit('/settings/channels/slack', '/settings/channels/slack/pause')).html).toContain(
    'It is paused until',
  )
  expect(
    (await ana.submit('/settings/channels/slack', '/settings/channels/slack/resume')).html,
  ).not.toContain('It is paused until')
  const gone = await ana.submit('/settings/channels/slack/remove', '/settings/channels/slack/remove')
  expect(gone.html).toContain('The channel is removed')
  expect((await ana.see('/settings/channels/slack')).status).toBe(404)
  expect(desk.log.join('')).not.toContain(slack.webhookUrl)
})

test('who was quicker is not overwritten', async () => {
  const { ana } = await deskWithSlack()
  const { html } = await ana.see('/settings/channels/slack')
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const revision = /name="revision" value="(\d+)"/.exec(html)?.[1] ?? ''
  await ana.submit('/settings/channels/slack', '/settings/channels/slack', { 'in.language': 'de' })
  const late = await ana.post('/settings/channels/slack', {
    token,
    revision,
    key: 'late',
    'in.language': 'fr',
  })
  expect([late.status, late.html.includes('Somebody else changed this')]).toEqual([409, true])
})

test('a changed address asks for its secret again, and the secret before goes nowhere', async () => {
  const [discord, other] = await Promise.all([
    startFakeDiscord({ now: () => Date.now() }),
    startFakeDiscord({ now: () => Date.now() }),
  ])
  onTestFinished(async () => void (await Promise.all([discord.close(), other.close()])))
  const desk = await openUnset()
  const ana = await firstAdmin(desk)
  const bot = { discordChannel: discord.channelId }
  await ana.submit('/setup/channel?kind=discord-bot', '/setup/channel', {
    ...bot,
    discordApi: discord.url,
    discordToken: discord.token,
  })
  const moved = await ana.submit('/settings/discord', '/settings/discord', { 'in.apiUrl': other.url })
  expect(moved.status).toBe(422)
  expect(errorAt(moved.html, 'in.token')).toContain('is needed again')
  const second = await ana.submit('/setup/channel?kind=discord-bot', '/setup/channel', {
    ...bot,
    discordApi: other.url,
  })
  expect(errorAt(second.html, 'discordToken')).toContain('asks for its secret again')
  expect(other.requests).toEqual([])
  const same = await ana.submit('/settings/discord', '/settings/discord', {
    'in.apiUrl': discord.url,
    'in.gateway': 'no',
  })
  expect(same.html).toContain('It is saved')
  expect((await ana.see('/settings/discord')).html).not.toContain(discord.token)
})

test('people get a link to choose a password, once, and each changes their own', async () => {
  const desk = await openUnset()
  const ana = await firstAdmin(desk)
  const link = async (page: string, action: string, fields = {}) => {
    const { html } = await ana.submit(page, action, fields)
    return /reset#([\w-]{43})/.exec(html)?.[1] ?? ''
  }
  const first = await link('/settings/people', '/settings/people', { name: 'ben', role: 'editor' })
  const key = await link('/settings/people', '/settings/people/ben/reset')
  const ben = desk.visitor()
  const choose = (visitor: Visitor, given: string, chosen = 'five words of ben here') =>
    visitor.submit('/reset', '/reset', { key: given, password: chosen, again: chosen })
  expect((await choose(ben, first)).status).toBe(401)
  expect(errorAt((await choose(ben, key, 'short')).html, 'password')).toBe(
    'A password has at least 12 characters.',
  )
  expect((await choose(ben, key)).html).toContain('ben, editor')
  expect((await choose(desk.visitor(), key)).html).toContain('This link does not work')

  expect((await ben.see('/settings')).html).not.toContain('/settings/people')
  expect((await ben.see('/settings/people')).status).toBe(403)
  const wrong = await ben.submit('/settings/password', '/settings/password', {
    now: 'not this one',
    password: 'another one of ben',
    again: 'another one of ben',
  })
  expect(errorAt(wrong.html, 'now')).toBe('This is not your password.')
  const changed = await ben.submit('/settings/password', '/settings/password', {
    now: 'five words of ben here',
    password: 'another one of ben',
    again: 'another one of ben',
  })
  expect(changed.html).toContain('Your password is changed')
  expect((await ben.see('/')).status).toBe(303)
  expect((await ben.signIn('ben', 'another one of ben')).html).toContain('ben, editor')

  const alone = await ana.submit('/settings/people', '/settings/people/ana/role', { role: 'reader' })
  expect([alone.status, alone.html.includes('The accounts need an admin')]).toEqual([422, true])
  const unused = await link('/settings/people', '/settings/people/ben/reset')
  await ana.submit('/settings/people', '/settings/people/ben/remove')
  expect((await ben.see('/')).status).toBe(303)
  expect((await choose(desk.visitor(), unused)).html).toContain('This link does not work')
  const log = (await ana.see('/log')).html
  expect(log).toContain('ben signed in to the console')
  expect(log).toContain('From what to what')
  expect(log).not.toMatch(/scrypt|another one of ben/)
  expect(desk.log.join('')).not.toContain('another one of ben')
  expect(desk.log.join('')).not.toContain(password)
})

test('the service, our address, retention and who is notified are set, and refused at their fields', async () => {
  const { ana } = await deskWithSlack()
  const at = async (name: string, fields: Record<string, string>) =>
    ana.submit(`/settings/${name}`, `/settings/${name}`, fields)
  expect(
    errorAt(
      (await at('service', { 'in.baseUrl': 'monitor.example', 'in.apiKey': 'key-of-desk' })).html,
      'in.baseUrl',
    ),
  ).toContain('is not an address')
  const away = { 'in.baseUrl': 'http://127.0.0.1:9/v1', 'in.apiKey': 'key-of-desk' }
  expect(
    errorAt((await at('service', { ...away, 'in.apiKey': '“key-of-desk”' })).html, 'in.apiKey'),
  ).toContain('curly quote')
  const refused = await at('service', away)
  expect(errorAt(refused.html, 'in.baseUrl')).toContain('http://127.0.0.1:9/v1/webhooks')
  expect(refused.html).toContain('Save all the same')
  expect((await at('service', { ...away, do: 'untried' })).html).toContain('It is saved')
  expect((await at('address', { 'in.': 'https://alerts.desk.example', do: 'untried' })).html).toContain(
    'It is saved',
  )
  const gold = (await at('service', { ...away, 'in.tier': 'gold', do: 'untried' })).html
  expect(errorAt(gold, 'in.tier')).toContain('Plan is not a plan; write free, researcher or pro')
  expect(gold).not.toContain('webhook.publicUrl')
  const removed = await at('service', { do: 'remove' })
  expect(removed.html).toContain('<li>webhook.publicUrl: needs monitor.baseUrl and monitor.apiKey')
  expect(
    errorAt((await at('service', { 'in.baseUrl': 'http://127.0.0.1:8/v1' })).html, 'in.apiKey'),
  ).toContain('is needed again')
  expect(errorAt((await at('retention', { 'in.': '3d' })).html, 'in.')).toContain('must be from 14d to 3650d')
  expect((await at('retention', { 'in.': '120d' })).html).toContain('It is saved')
  expect(errorAt((await at('address', { 'in.': 'desk' })).html, 'in.')).toContain('is not an address')
  expect((await at('operators', { operators: '' })).html).toContain('It is saved')
  expect((await ana.see('/settings')).html).toContain('Nobody is notified of trouble')
})

test('what stands in the file is shown with its line, and cannot be changed here', async () => {
  const slackHook = 'https://hooks.slack.com/services/T0/B0/secretOfTheFile'
  const channels = [{ name: 'wire', type: 'slack', webhookUrl: slackHook }]
  const desk = await openUnset({ channels, retention: '100d', operators: ['wire'] })
  const here = desk.visitor()
  const shown = (await here.see('/settings/channels/wire')).html
  expect(shown).toContain('desk.yaml')
  expect(shown).not.toContain('secretOfTheFile')
  expect(shown).not.toContain('Save</button>')
  const token = /name="token" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  for (const path of [
    '/settings/channels/wire',
    '/settings/retention',
    '/settings/people',
    '/setup/channel',
  ]) {
    const answer = await here.post(path, {
      token,
      key: 'k',
      revision: '0',
      'in.': '20d',
      name: 'x',
      role: 'admin',
    })
    expect([path, answer.status]).toEqual([path, 409])
  }
})

test('an account of the file is asked for no address, and a second secret goes to no other one', async () => {
  const inFile = await openUnset({ slack: { token: 'xoxb-of-the-file' } })
  const first = await firstAdmin(inFile)
  const { html } = await first.see('/setup/channel?kind=slack-bot')
  expect(html).toContain('name="slackChannel"')
  expect(html).not.toMatch(/name="slack(Api|Token)"/)

  const ana = await firstAdmin(await openUnset())
  const account = { 'in.token': 'xoxb-1', 'in.appToken': 'xapp-1', 'in.apiUrl': 'http://127.0.0.1:8/api/' }
  const unreachable = await ana.submit('/settings/slack', '/settings/slack', account)
  expect(errorAt(unreachable.html, 'in.token')).toContain('cannot be reached')
  const saved = await ana.submit('/settings/slack', '/settings/slack', { ...account, do: 'untried' })
  expect(saved.html).toContain('It is saved')
  const moved = await ana.submit('/setup/channel?kind=slack-bot', '/setup/channel', {
    slackApi: 'http://127.0.0.1:9/api/',
    slackToken: 'xoxb-2',
    slackChannel: '#ai-desk',
    do: 'save',
  })
  expect([moved.status, moved.html.includes('is needed again')]).toEqual([422, true])
})

test('a channel that another escalates to stays whole if it is to be removed', async () => {
  const { slack, ana } = await deskWithSlack()
  await ana.submit('/setup/channel?kind=slack-webhook', '/setup/channel', {
    slackWebhook: slack.webhookUrl,
    name: 'second',
  })
  const escalating = await ana.submit('/settings/channels/second', '/settings/channels/second', {
    'in.escalate.after': '15m',
    'in.escalate.to': 'slack',
  })
  expect(escalating.html).toContain('It is saved')
  const kept = await ana.submit('/settings/channels/slack/remove', '/settings/channels/slack/remove')
  expect([kept.status, kept.html.includes('second')]).toEqual([409, true])
  expect((await ana.see('/settings/operators')).html).toMatch(/value="slack"[^>]*checked/)
})
