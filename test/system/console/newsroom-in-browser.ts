import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { noBrowser, openBrowser } from './browser.ts'
import { actAt, openNewsroom } from './newsroom.ts'

export const paths = {
  overview: '/',
  alerts: '/alerts?model=claude',
  alert: '/alerts/evt_week7',
  'alert that failed': '/alerts/evt_week2',
  chart: '/alerts/evt_week7/chart',
  models: '/models?category=political',
  channels: '/channels',
  filters: '/channels/politics/filters',
  silences: '/silences',
  failed: '/failed',
  configuration: '/configuration',
  tokens: '/tokens',
  feeds: '/feeds',
  dictionary: '/dictionary',
  data: '/figures',
  log: '/log',
  nowhere: '/nowhere',
}

/** A browser and a newsroom in the middle of its work, for all tests of a file. */
export function newsroomInBrowser() {
  const ends: (() => Promise<void>)[] = []
  let opened: { browser: Browser; url: string } | undefined
  beforeAll(async () => {
    if (noBrowser !== undefined) return
    const newsroom = await openNewsroom((end) => void ends.push(end))
    await actAt(newsroom.visitor())
    newsroom.app.reloadFailed(new Error('b.yaml:3:1: chanels: there is no such key'))
    const browser = await openBrowser()
    ends.push(() => browser.close())
    opened = { browser, url: newsroom.url.replace(/\/$/, '') }
  })
  afterAll(async () => {
    for (const end of ends.toReversed()) await end()
  })
  function here() {
    if (opened === undefined) throw new Error('there is no browser before the first test')
    return opened
  }
  return {
    browser: () => here().browser,
    at: (path: string) => `${here().url}${path}`,
    closing: (end: () => Promise<void>) => void ends.push(end),
  }
}

/** How much wider than the window the page is, in pixels, in a wide font as many machines have it. */
export async function excessWidthOf(page: Page): Promise<unknown> {
  await page.evaluate("document.documentElement.style.letterSpacing = '0.06em'")
  return await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Presses Tab until what has this text or name is reached. */
export async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab')
    const reached = await page.evaluate('document.activeElement.textContent')
    if (reached === text) return
  }
  throw new Error(`Tab does not reach ${text}`)
}
