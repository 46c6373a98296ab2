import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { dayMs } from '../../../src/durations.ts'
import { noBrowser, openBrowser, openPage } from './browser.ts'
import { openDesk } from './desk.ts'

const ends: (() => Promise<void>)[] = []
const closing = (end: () => Promise<void>) => void ends.push(end)
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

const days = 90

function dataOf(category: string, delta: string, at = Date.now()) {
  return { data: { category, delta, detected_at: new Date(at).toISOString() } }
}
let asked: string[] = []
let answers: 'at once' | 'never' | 'with an error' = 'at once'

/** A service whose figures are the same each day but for the last week. */
async function openService(): Promise<string> {
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answers === 'never') return
    if (answers === 'with an error') {
      response.writeHead(500).end('{"error":{"code":"INTERNAL","message":"no"}}')
      return
    }
    const [, model = ''] = /monitoring\/(\w+)\/history/.exec(request.url ?? '') ?? []
    const first = Date.now() - (days - 1) * dayMs
    const points = Array.from({ length: days }, (_, day) => ({
      date: new Date(first + day * dayMs).toISOString(),
      refusal_rate: (day > days - 8 ? 30 : 18) + (model === 'claude' ? 1.5 : 0),
      sample_size: 500,
    }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ model, points }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

async function deskWith(monitor: object | undefined) {
  asked = []
  const more = monitor === undefined ? {} : { monitor: { apiKey: 'mk_1', tier: 'researcher', ...monitor } }
  return openDesk({ polling: { mode: 'off' }, ...more }, { closing })
}

/** What a reader sees of a page, in one line. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
}

test('each model has its chart with the changes marked, in words and figures beside it, and all are compared', async () => {
  answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_old', dataOf('political', '-3pp', Date.now() - 40 * dayMs))
  await desk.deliver('evt_new', dataOf('political', '+12pp', Date.now() - 7 * dayMs))
  await desk.deliver('evt_other', { model: 'gemini', ...dataOf('safety', '+4pp') })
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_other'))
  // A page waits for figures some seconds at most.
  const political = '/models?category=political'
  await vi.waitUntil(async () => !(await visitor.see(political)).html.includes('it is being read'))
  const { html, status } = await visitor.see(political)
  expect(status).toBe(200)
  const text = textOf(html)
  expect(text).toMatch(/Claude 31\.5 % 27\.6 % to 35\.7 % 20\.4 % 19\.5 % to 31\.5 % 2 /)
  expect(text).toMatch(/Gemini 30\.0 % .* 0 /)
  expect(html).toMatch(
    /<img src="\/console\/models\/claude\/chart-light\.svg\?category=political" alt="Claude: political prompts refused, percent per day, [^"]* 2 changes marked, as listed below\."/,
  )
  expect(html).toContain(
    'alt="Refused on the last day, by model: ChatGPT 30.0 % (mean 18.9 %), Claude 31.5 % (mean 20.4 %)',
  )
  const [claude = ''] = /Changes of Claude .*? Every alert about Claude/.exec(text) ?? []
  expect(claude).toMatch(/What 2 .* Claude refuses 12 percentage points more political prompts\./)
  expect(claude).toMatch(/ 1 .* Claude refuses 3 percentage points fewer political prompts\./)
  const svg = (await visitor.see('/models/claude/chart-dark.svg?category=political')).html
  expect(svg.match(/font-weight="600">[12]</g)).toEqual(['font-weight="600">1<', 'font-weight="600">2<'])
  const compared = (await visitor.see('/models/comparison-light.svg?category=political')).html
  expect(compared).toContain('>Mistral</text>')
  expect((await visitor.see('/models/other/chart-dark.svg')).status).toBe(404)
})

test('however many people look, each history is asked for once', async () => {
  answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  const visitor = desk.visitor()
  await Promise.all(Array.from({ length: 8 }, () => visitor.see('/models')))
  await visitor.see('/models?category=nonsense')
  await visitor.see('/models/qwen/chart-light.svg')
  expect(asked.toSorted()).toEqual(
    ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'].map(
      (model) => `/v1/monitoring/${model}/history?period=90d&category=all`,
    ),
  )
})

test('requests that polling needs are not spent on a page, which says so', async () => {
  answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService(), tier: 20 })
  const { html } = await desk.visitor().see('/models')
  expect(textOf(html)).toContain('There is no chart: the requests that are left are kept for polling:')
  expect(asked.length).toBeLessThan(3)
})

test('a correction of a change stands in its place, and two reports of one are one', async () => {
  answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_1', dataOf('political', '+12pp'))
  await desk.deliver('evt_1', dataOf('political', '+7pp'))
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1~2'))
  const { html } = await visitor.see('/models?category=political')
  expect(html).toContain(' 1 change marked, as listed below.')
  expect(textOf(html)).not.toContain('Claude refuses 12 percentage points more political prompts.')
})

test('without a service nothing is charted, and the page says why and shows what was reported', async () => {
  const desk = await deskWith(undefined)
  await desk.deliver('evt_1')
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1'))
  const text = textOf((await visitor.see('/models')).html)
  expect(text).toContain('No monitoring service is configured')
  expect(text).toContain('not marked')
  expect(text).toContain('Claude refuses 12 percentage points more political prompts.')
  expect(text).not.toContain('There is no chart')
})

test('a service that does not answer holds up no page', { timeout: 30_000 }, async () => {
  answers = 'never'
  const desk = await deskWith({ baseUrl: await openService() })
  const began = performance.now()
  const { html } = await desk.visitor().see('/models')
  expect(performance.now() - began).toBeLessThan(8_000)
  expect(textOf(html)).toContain('There is no chart: it is being read; load the page again in some seconds.')
})

test('a service that fails is not asked again by who looks again', async () => {
  answers = 'with an error'
  const desk = await deskWith({ baseUrl: await openService() })
  const visitor = desk.visitor()
  const { html } = await visitor.see('/models')
  expect(textOf(html)).toContain('There is no chart: ')
  await visitor.see('/models')
  expect(asked).toHaveLength(5)
})

describe.skipIf(noBrowser !== undefined)(
  `in a browser${noBrowser === undefined ? '' : `: ${noBrowser}`}`,
  () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
      closing(() => browser.close())
    })

    test('somebody chooses a category without a script, sees every chart drawn, and follows a change to its page', {
      timeout: 60_000,
    }, async () => {
      answers = 'at once'
      const desk = await deskWith({ baseUrl: await openService() })
      await desk.deliver('evt_1')
      const visitor = desk.visitor()
      await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1'))
      // All are read by then: a page waits for figures some seconds at most.
      await vi.waitUntil(async () => !(await visitor.see('/models')).html.includes('it is being read'))
      const political = '/models?category=political'
      await vi.waitUntil(async () => !(await visitor.see(political)).html.includes('it is being read'))
      const { page, complaints } = await openPage(browser)
      await page.goto(desk.url)
      await page.getByRole('link', { name: 'Models' }).click()
      await page.getByLabel('Prompts').selectOption('political')
      await page.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL(/category=political/)
      for (const image of await page.getByRole('img').all()) await image.scrollIntoViewIfNeeded()
      await vi.waitUntil(async () =>
        page.evaluate('[...document.images].every((one) => one.complete && one.naturalWidth > 0)'),
      )
      expect(await page.getByRole('img').count()).toBe(6)
      await page.getByRole('link', { name: 'Claude refuses 12 percentage points more' }).click()
      await page.waitForURL(/alerts\/evt_1/)
      expect(complaints).toEqual([])
      await page.context().close()
    })
  },
)
