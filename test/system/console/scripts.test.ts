import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { nasty } from '../security/texts.ts'
import { noBrowser, openBrowser, openPage } from './browser.ts'
import { type Desk, openDesk } from './desk.ts'
import { harmful, markupThatRuns } from './markup.ts'

const ends: (() => Promise<void>)[] = []
let desk: Desk

beforeAll(async () => {
  desk = await openDesk(
    { channels: [{ name: 'desk', type: 'console', timeZone: 'UTC' }] },
    { closing: (end) => void ends.push(end) },
  )
  for (const [index, whole] of [harmful('all'), ...nasty].entries()) {
    // A delivery has a largest size.
    const text = whole.slice(0, 4_000)
    await desk.deliver(`evt_nasty${index}`, {
      type: text,
      model: text,
      methodology: text,
      data: { category: text, delta: text, detected_at: text, more: text },
    })
  }
  await desk.deliver(harmful('id'))
  await desk.deliver('evt_methodology', { methodology: "https://monitor.example/'onmouseover=ran(1)//<b>" })
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_methodology'))
  await visitor.submit('/silences', '/silences', { model: 'claude', until: '1h', why: harmful('why') })
  await visitor.submit('/alerts/evt_nasty0', '/alerts/evt_nasty0/acknowledge')
})
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const queries = [
  'words',
  'model',
  'category',
  'type',
  'channel',
  'outcome',
  'from',
  'to',
  'before',
  'done',
  'about',
  'until',
  'why',
  'whatever',
]

describe('what the service says is text and no markup', () => {
  test('on the page of each alert', async () => {
    const visitor = desk.visitor()
    for (let index = 0; index <= nasty.length; index++) {
      const { status, html, headers } = await visitor.see(`/alerts/evt_nasty${index}`)
      expect(status).toBe(200)
      expect(markupThatRuns(html)).toEqual([])
      expect(headers['content-security-policy']).toMatch(
        /default-src 'none';style-src 'self';script-src 'self'/,
      )
    }
    for (const id of [harmful('id'), 'evt_methodology']) {
      const { html } = await visitor.see(`/alerts/${encodeURIComponent(id)}`)
      expect(markupThatRuns(html)).toEqual([])
    }
  })

  test.each([
    '/',
    '/alerts',
    '/silences',
    '/failed',
    '/log',
    '/models',
    '/channels',
    '/configuration',
    '/tokens',
  ])('on %s', async (path) => {
    const { status, html } = await desk.visitor().see(path)
    expect(status).toBe(200)
    expect(markupThatRuns(html)).toEqual([])
  })
})

describe('what an address says is text and no markup', () => {
  test.each(queries)('in ?%s=', async (name) => {
    const visitor = desk.visitor()
    for (const path of ['/alerts', '/models', '/silences', '/sign-in']) {
      for (const text of [harmful(name), ...nasty.filter(({ length }) => length < 1_000)]) {
        const { status, html } = await visitor.see(
          `${path}?${name}=${encodeURIComponent(text.toWellFormed())}`,
        )
        expect(status).toBeLessThan(400)
        expect(markupThatRuns(html)).toEqual([])
      }
    }
  })

  test.each([
    '/alerts/%00',
    '/alerts/%E0%A4%A',
    '/alerts/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/alerts/__proto__',
    '/style.css',
    '/live-page.js',
    '//evil.example/',
  ])('nor in a path: %s', async (path) => {
    const { status, html } = await desk.visitor().see(path)
    expect([400, 404]).toContain(status)
    expect(markupThatRuns(html)).toEqual([])
    expect(html).not.toContain('root:')
  })
})

test('every answer forbids scripts of others, frames and guesses at its type', async () => {
  for (const path of [
    '/',
    '/alerts/evt_nasty0',
    '/nowhere',
    '/sign-in',
    '/alerts/evt_nasty0/chart-light.svg',
  ]) {
    const { headers } = await desk.visitor().see(path)
    expect(headers).toMatchObject({
      'content-security-policy': expect.stringMatching(/base-uri 'none';frame-ancestors 'none'$/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'same-origin',
    })
    expect(headers['x-powered-by']).toBeUndefined()
  }
})

test.skipIf(noBrowser !== undefined)(
  `in a browser none of it runs${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  { timeout: 60_000 },
  async () => {
    const browser = await openBrowser()
    try {
      const { page, complaints } = await openPage(browser)
      const ran: string[] = []
      await page.exposeFunction('ran', (where: string) => void ran.push(where))
      const query = encodeURIComponent(harmful('query'))
      const paths = [
        '',
        'alerts',
        'alerts/evt_nasty0',
        `alerts?words=${query}&model=${query}&done=${query}`,
        `silences?why=${query}&until=${query}&model=${query}&category=${query}`,
        'log',
        'alerts/evt_nasty0/chart',
        'alerts/evt_nasty0/chart-light.svg',
      ]
      for (const path of paths) {
        await page.goto(`${desk.url}${path}`)
        for (const details of await page.locator('details').all())
          await details.evaluate((one) => one.setAttribute('open', ''))
      }
      expect(ran).toEqual([])
      // Nothing even tried to.
      expect(complaints.filter((one) => one.includes('Content Security Policy'))).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
