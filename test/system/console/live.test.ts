import { type OutgoingHttpHeaders, request } from 'node:http'
import { expect, test, vi } from 'vitest'
import { noBrowser, openBrowser, openPage } from './browser.ts'
import { type Desk, openDesk } from './desk.ts'

/** What comes of live updates, as text that grows, until the answer ends. */
async function listen(
  desk: Desk,
  since = '',
  headers: OutgoingHttpHeaders = {},
): Promise<{ heard(): string; ended: Promise<void> }> {
  let heard = ''
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  await new Promise<void>((begun, reject) => {
    const asked = request(`${desk.url}live${since}`, { headers }, (answer) => {
      answer.setEncoding('utf8')
      answer.on('data', (text: string) => {
        heard += text
      })
      answer.on('close', resolve)
      begun()
    })
    asked.on('error', reject)
    asked.end()
  })
  return { heard: () => heard, ended }
}

test('whoever has a page open is told when an alert comes, and what becomes of it', async () => {
  const desk = await openDesk()
  const { heard } = await listen(desk)
  await desk.deliver('evt_1')
  await vi.waitUntil(() => heard().includes('event: changed'))
  expect((await desk.visitor().see('/')).html).toContain('evt_1')
})

test('a page that lacks what came before it was connected is told at once, and one that lacks nothing is not', async () => {
  const desk = await openDesk()
  const linkOf = (html: string) => /data-live="[^"]*\/live([^"]+)"/.exec(html)?.[1] ?? ''
  const made = linkOf((await desk.visitor().see('/')).html)
  expect(made).not.toBe('')
  await desk.deliver('evt_1')
  const late = await listen(desk, made)
  await vi.waitUntil(() => late.heard().includes('event: changed'))
  const stranger = await listen(desk, made, { 'Last-Event-ID': 'of-a-process-before.3' })
  await vi.waitUntil(() => stranger.heard().includes('event: changed'))
  await vi.waitUntil(() => desk.shown('desk').length === 1)
  // As soon as what became of the alert is stored, too.
  await vi.waitFor(async () => {
    const upToDate = linkOf((await desk.visitor().see('/')).html)
    const told = { 'Last-Event-ID': upToDate.replace('?since=', '') }
    for (const one of [await listen(desk, upToDate), await listen(desk, made, told)]) {
      await vi.waitUntil(() => one.heard() !== '')
      expect(one.heard()).toBe('retry: 5000\n\n')
    }
  })
})

test('open pages do not hold up a stop', async () => {
  const desk = await openDesk({}, { closing: () => {} })
  const pages = await Promise.all(Array.from({ length: 20 }, () => listen(desk)))
  const began = performance.now()
  await desk.app.stop()
  await Promise.all(pages.map(({ ended }) => ended))
  expect(performance.now() - began).toBeLessThan(1_500)
})

test('more than a hundred open pages are told to come later, and a page that is closed makes room', async () => {
  const desk = await openDesk()
  await Promise.all(Array.from({ length: 100 }, () => listen(desk)))
  const { status, headers } = await desk.visitor().see('/live')
  expect([status, headers['retry-after']]).toEqual([503, '60'])
})

test.skipIf(noBrowser !== undefined)(
  `a page in a browser shows what has come by itself, but not while somebody writes${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  { timeout: 60_000 },
  async () => {
    const desk = await openDesk()
    const browser = await openBrowser()
    try {
      const { page, complaints } = await openPage(browser)
      await page.goto(`${desk.url}alerts`)
      await desk.deliver('evt_1')
      await page.getByText('evt_1').waitFor()
      await page.getByLabel('Search').fill('half a wo')
      await desk.deliver('evt_2', { model: 'gemini' })
      await vi.waitUntil(async () => (await desk.visitor().see('/alerts')).html.includes('evt_2'))
      await page.waitForTimeout(1_500)
      expect(await page.getByText('evt_2').count()).toBe(0)
      expect(await page.getByLabel('Search').inputValue()).toBe('half a wo')
      await page.getByLabel('Search').fill('')
      await page.getByLabel('Search').blur()
      await page.getByText('evt_2').waitFor()
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  },
)
