import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startFakeDiscord } from '../../support/fakes/discord.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { startFakeSmtp } from '../../support/fakes/smtp.ts'
import { firstAdmin, openUnset, password } from './setup-desk.ts'

async function openSlackFake() {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  return slack
}

async function openService() {
  const service = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => service.close())
  return service
}

test('from nothing to a real alert in Slack, by what a person does in a browser without scripts', async () => {
  const [slack, service] = [await openSlackFake(), await openService()]
  const desk = await openUnset()
  const ana = await firstAdmin(desk)

  const channel = await ana.submit('/setup/channel?kind=slack-webhook', '/setup/channel', {
    slackWebhook: slack.webhookUrl,
  })
  expect(channel.html).toContain('The channel is saved')
  expect(channel.html).toContain('sent to slack')
  expect(slack.requests).toHaveLength(1)
  expect(slack.requests[0]?.raw).toContain('ana')

  const named = await ana.submit('/setup/service', '/setup/service', {
    service: service.url,
    serviceKey: 'sandbox-pro',
    tier: 'pro',
  })
  expect(named.html).toMatch(/found \d+ models; plan pro, as you chose it/)

  // With this plan, each minute.
  expect((await ana.see('/setup/address')).html).toContain('we read the published figures every minute.')
  const publicUrl = `http://127.0.0.1:${desk.app.port}`
  const address = await ana.submit('/setup/address', '/setup/address', { publicUrl })
  expect(address.html).toContain('leads to this machine')
  expect((await ana.see('/')).html).not.toContain('publicUrl is not set')

  await expect
    .poll(async () => (await ana.see('/')).html, { timeout: 10_000 })
    .toMatch(/Subscription.*active/s)
  service.fire({ type: 'policy_change', model: 'claude', category: 'political', delta: 12 })
  await expect.poll(() => slack.requests.length, { timeout: 10_000 }).toBe(2)
  expect(slack.requests[1]?.raw).toContain('Claude')
  const overview = (await ana.see('/')).html
  expect(overview).toContain('Claude')
  expect(overview).toContain('Add a channel')
  expect(overview).not.toContain('Still open')

  const all =
    [channel, named, address].map(({ html }) => html).join('') + overview + (await ana.see('/log')).html
  for (const secret of [slack.webhookUrl, 'sandbox-pro', password, desk.key]) {
    expect(all).not.toContain(secret)
    expect(desk.log.join('')).not.toContain(secret)
  }
}, 40_000)

test('Discord is added in the same way, and its tests arrive; a refused login is answered at its field', async () => {
  const [smtp, discord] = await Promise.all([
    startFakeSmtp({ users: { desk: 'pass word' } }),
    startFakeDiscord({ now: () => Date.now() }),
  ])
  onTestFinished(async () => void (await Promise.all([smtp.close(), discord.close()])))
  const desk = await openUnset({ email: undefined })
  const ana = await firstAdmin(desk)
  const hook = await ana.submit('/setup/channel?kind=discord-webhook', '/setup/channel', {
    discordWebhook: discord.webhookUrl,
  })
  expect(hook.html).toContain('The channel is saved')
  expect(discord.posted(discord.channelId)).toHaveLength(1)

  const bot = await ana.submit('/setup/channel?kind=discord-bot', '/setup/channel', {
    discordApi: discord.url,
    discordToken: discord.token,
    discordChannel: discord.channelId,
  })
  expect(bot.html).toContain('sent to discord-2')

  const mail = await ana.submit('/setup/channel?kind=email', '/setup/channel', {
    smtpServer: `127.0.0.1:${smtp.port}`,
    smtpUser: 'desk',
    smtpPassword: 'wrong',
    mailFrom: 'desk@desk.example',
    mailTo: 'reader@desk.example',
  })
  expect(mail.status).toBe(422)
  expect(mail.html).toMatch(/id="smtpUser-error"/)
  expect(mail.html).toContain('reader@desk.example')
})

test('the key opens the set-up once, and nothing opens it after the first account', async () => {
  const desk = await openUnset()
  const [ana, eve] = [desk.visitor(), desk.visitor()]
  const posts = await Promise.all(
    [ana, eve].map((visitor) => visitor.submit('/setup', '/setup/key', { key: desk.key })),
  )
  const winners = posts.filter(({ html }) => html.includes('Make the account'))
  expect(winners).toHaveLength(1)
  expect(
    posts.filter(({ status, html }) => status === 401 && html.includes('This key does not work')),
  ).toHaveLength(1)
  const [winner, loser] = posts[0] === winners[0] ? [ana, eve] : [eve, ana]
  expect((await loser.see('/')).headers.location).toBe('/console/setup')
  const made = await winner.submit('/setup', '/setup/account', { name: ' ana ', password, again: password })
  expect(made.html).toContain('Where alerts go')
  const token = /name="token" value="([^"]+)"/.exec((await loser.see('/sign-in')).html)?.[1] ?? ''
  const late = await loser.post('/setup/key', { token, key: desk.key })
  expect([late.status, late.html.includes('set up already')]).toEqual([409, true])
  const second = await loser.post('/setup/account', { token, name: 'eve', password, again: password })
  expect([second.status, second.html.includes('set up already')]).toEqual([409, true])
  expect((await loser.see('/setup')).headers.location).toBe('/console/setup/steps')
  expect((await loser.signIn('ana', password)).html).toContain('Still open')
})

test('the key of an earlier start is refused in a sentence, and the next one works', async () => {
  const first = await openUnset()
  await first.app.stop()
  const second = await openUnset({}, { folder: first.folder })
  const visitor = second.visitor()
  expect(second.key).not.toBe(first.key)
  const old = await visitor.submit('/setup', '/setup/key', { key: first.key })
  expect([old.status, old.html.includes('Use the newest')]).toEqual([401, true])
  await firstAdmin(second)
  await second.app.stop()
  const third = await openUnset({}, { folder: first.folder })
  expect(third.printed.join('')).not.toContain('not set up')
  expect((await third.visitor().see('/setup')).headers.location).toBe('/console/setup/steps')
})

test('without the key nothing is shown and nothing can be made', async () => {
  const desk = await openUnset()
  const eve = desk.visitor()
  for (const path of ['/', '/settings', '/setup/channel', '/configuration', '/sign-in']) {
    expect([path, (await eve.see(path)).headers.location]).toEqual([path, '/console/setup'])
  }
  const { html } = await eve.see('/setup')
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1] ?? ''
  const made = await eve.post('/setup/account', { token, name: 'eve', password, again: password })
  expect([made.status, made.headers.location]).toEqual([303, '/console/setup'])
  expect((await eve.see('/')).headers.location).toBe('/console/setup')
  const forged = await eve.post('/setup/key', { key: desk.key })
  expect(forged.status).toBe(403)
  const elsewhere = await eve.post('/setup/key', { token, key: desk.key }, { origin: 'https://evil.example' })
  expect(elsewhere.status).toBe(403)
})

test('a stranger who tries keys has to wait, as at the sign-in', async () => {
  const desk = await openUnset()
  const eve = desk.visitor()
  const token = /name="token" value="([^"]+)"/.exec((await eve.see('/setup')).html)?.[1] ?? ''
  for (let tries = 0; tries < 50; tries += 1) await eve.post('/setup/key', { token, key: `guess ${tries}` })
  const last = await eve.post('/setup/key', { token, key: 'guess' })
  expect([last.status, last.headers['retry-after'] !== undefined]).toEqual([429, true])
})
