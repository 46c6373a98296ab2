import { expect, onTestFinished, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { firstAdmin, openUnset } from '../../system/console/setup-desk.ts'

const isSet = 'It is set. Leave it empty to keep it.'
const bot = '/setup/channel?kind=slack-bot'

function helpAt(html: string, field: string): string {
  return new RegExp(`id="${field}-help">([^<]*)<`).exec(html)?.[1] ?? ''
}

test('a secret that was refused is not shown as set and not used; what else was typed is shown again', async () => {
  const slack = await startSlack()
  onTestFinished(() => slack.close())
  const ana = await firstAdmin(await openUnset())
  const typed = { slackApi: slack.apiUrl, slackChannel: '#nowhere', name: 'desk' }
  for (const slackToken of ['xapp-of-the-app', 'xoxb-1234-revoked']) {
    expect((await ana.submit(bot, '/setup/channel', { ...typed, slackToken })).status).toBe(422)
    const again = (await ana.see(bot)).html
    expect(helpAt(again, 'slackToken')).not.toContain(isSet)
    expect(again).toContain('value="#nowhere"')
    expect(again).toContain('value="desk"')
    expect(again).not.toContain(slackToken)
  }
  const { html } = await ana.submit(bot, '/setup/channel', typed)
  expect(html).toMatch(/id="slackToken-error">That is empty/)

  // A good one stays while another answer is refused.
  const nowhere = await ana.submit(bot, '/setup/channel', { ...typed, slackToken: slack.token })
  expect(nowhere.html).toContain('id="slackChannel-error"')
  expect(helpAt((await ana.see(bot)).html, 'slackToken')).toBe(isSet)
  const right = await ana.submit(bot, '/setup/channel', { ...typed, slackChannel: '#ai-desk' })
  expect(right.html).toContain('The channel is saved')
})

test('a key that was refused is saved all the same without typing it again', async () => {
  const service = await startSandbox({ port: 0, seed: 7 })
  onTestFinished(() => service.close())
  const ana = await firstAdmin(await openUnset())
  const named = { service: service.url, tier: 'pro' }
  const refused = await ana.submit('/setup/service', '/setup/service', {
    ...named,
    serviceKey: 'sandbox-readonly',
  })
  expect(refused.html).toContain('Save all the same')
  expect(helpAt(refused.html, 'serviceKey')).not.toContain(isSet)
  const saved = await ana.submit('/setup/service', '/setup/service', { ...named, do: 'save' })
  expect(saved.html).toContain('The service is saved')
})

test('what may stay empty is said once, and a private network is a box to tick', async () => {
  const ana = await firstAdmin(await openUnset())
  const page = '/setup/channel?kind=webhook'
  const typed = { webhookAddress: 'http://127.0.0.1:9/alerts', timeZone: 'Berlin' }
  const refused = await ana.submit(page, '/setup/channel', { ...typed, webhookPrivate: 'yes' })
  expect(refused.html).toMatch(
    /id="webhookPrivate"[^>]*type="checkbox" value="yes" checked[^>]*> Private network</,
  )
  expect(refused.html).not.toContain('May stay empty')
  expect(refused.html).toContain('>Name of the channel (optional)</label>')
  expect(refused.html).not.toContain('id="webhookAddress-error"')
  expect((await ana.see(page)).html).toMatch(/id="webhookPrivate"[^>]* checked/)
  const unticked = await ana.submit(page, '/setup/channel', typed)
  expect(unticked.html).toContain('id="webhookAddress-error"')
  expect((await ana.see(page)).html).not.toMatch(/id="webhookPrivate"[^>]* checked/)
})
