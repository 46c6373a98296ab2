import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from '../../../src/service/sandbox/sandbox.ts'
import { startSlack } from '../../support/fakes/slack-proxy.ts'
import { findingsOf, noBrowser, openBrowser, openPage, sizes } from '../../system/console/browser.ts'
import { excessWidthOf } from '../../system/console/newsroom-in-browser.ts'
import { openUnset, password, type UnsetDesk } from '../../system/console/setup-desk.ts'

const pages = [
  '/setup/steps',
  '/setup/channel',
  ...['slack-webhook', 'slack-bot', 'discord-webhook', 'discord-bot', 'email', 'webhook'].map(
    (kind) => `/setup/channel?kind=${kind}`,
  ),
  '/setup/service',
  '/setup/address',
  '/settings',
  '/settings/channels',
  '/settings/channels/slack',
  '/settings/channels/slack/remove',
  '/settings/people',
  '/settings/password',
  ...['service', 'address', 'slack', 'discord', 'email', 'operators', 'retention'].map(
    (name) => `/settings/${name}`,
  ),
  '/reset',
]

describe.skipIf(noBrowser !== undefined)('in a browser', () => {
  const ends: (() => Promise<void>)[] = []
  let browser: Browser
  let desk: UnsetDesk
  const at = (path: string) => `${desk.url.replace(/\/$/, '')}${path}`
  let page: Page

  beforeAll(async () => {
    browser = await openBrowser()
    ends.push(() => browser.close())
    desk = await openUnset({}, { closing: (end) => void ends.push(end) })
    ;({ page } = await openPage(browser, { size: 'phone' }))
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })

  /** Types into the field that has this label, by keys alone. */
  async function type(label: string, text: string): Promise<void> {
    const id = await page.getByLabel(label, { exact: true }).getAttribute('id')
    for (let presses = 0; presses < 60; presses += 1) {
      if ((await page.evaluate('document.activeElement.id')) === id) break
      await page.keyboard.press('Tab')
    }
    await page.keyboard.type(text)
  }

  async function isRight(): Promise<void> {
    expect([page.url(), await findingsOf(page)]).toEqual([page.url(), []])
    expect([page.url(), await excessWidthOf(page)]).toEqual([page.url(), 0])
  }

  test('the whole way goes with the keyboard alone, on a phone, and axe finds nothing on it', {
    timeout: 90_000,
  }, async () => {
    const [slack, service] = [await startSlack(), await startSandbox({ port: 0, seed: 7 })]
    ends.push(
      () => slack.close(),
      () => service.close(),
    )
    await page.goto(at('/setup'))
    await isRight()
    // The key in the address goes into the form by itself, and out of the address.
    await page.goto('about:blank')
    await page.goto(at(`/setup#${desk.key}`))
    await page.getByLabel('New password').waitFor()
    expect(page.url()).toBe(at('/setup'))
    await isRight()
    await type('Name', 'ana')
    await type('New password', password)
    await type('The same again', password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/setup\/channel/)
    await isRight()
    await page.goto(at('/setup/channel?kind=slack-webhook'))
    await type('Address of the webhook', 'https://hooks.slack.com/nothing here')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#slackWebhook-error')
    await isRight()
    await type('Address of the webhook', slack.webhookUrl)
    await page.keyboard.press('Enter')
    await page.getByText('The channel is saved').waitFor()
    await isRight()
    await page.goto(at('/setup/service'))
    await type('Address of the monitoring service, ending in /v1', service.url)
    await type('API key of the service', 'sandbox-free')
    await page.keyboard.press('Enter')
    await page.getByText('plan free').waitFor()
    await isRight()
    await page.goto(at('/setup/address'))
    await type(
      'Address under which the service reaches this machine (optional)',
      `http://127.0.0.1:${desk.app.port}`,
    )
    await page.keyboard.press('Enter')
    await page.getByText('leads to this machine').waitFor()
    await isRight()
  })

  test('axe finds nothing on each page, and it fits, on a phone and at a desk', {
    timeout: 120_000,
  }, async () => {
    const both = ['phone', 'desk'] as const
    for (const path of pages) {
      await page.goto(at(path))
      expect(page.url()).toBe(at(path))
      for (const size of both) {
        await page.setViewportSize(sizes[size])
        expect([path, size, await findingsOf(page)]).toEqual([path, size, []])
      }
      // It widens the font: what axe looks at comes first.
      for (const size of both) {
        await page.setViewportSize(sizes[size])
        expect([path, size, await excessWidthOf(page)]).toEqual([path, size, 0])
      }
    }
  })
})
