import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { alert, levels, noFigures } from '../../support/fakes/events.ts'
import { openDesk } from './desk.ts'
import { dataOf, modelsDesk } from './models-desk.ts'

const { service, closing, openService, deskWith } = modelsDesk()

/** What a reader sees of a page, in one line. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
}

test('each model has its chart with the changes marked, in words and figures beside it, and all are compared', async () => {
  service.answers = 'at once'
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
  expect(text).toMatch(/Claude 31\.5% 27\.6% to 35\.7% 20\.4% 19\.5% to 31\.5% 2 /)
  expect(text).toMatch(/Gemini 30\.0% .* 0 /)
  expect(html).toMatch(
    /<img src="\/console\/models\/claude\/chart-light\.svg\?category=political" alt="Claude: political prompts refused, percent per day, [^"]* 2 changes marked, as listed below\."/,
  )
  expect(html).toContain(
    'alt="Refused on the last day, by model: ChatGPT 30.0% (mean 18.9%), Claude 31.5% (mean 20.4%)',
  )
  const [claude = ''] = /Changes of Claude .*? Every alert about Claude/.exec(text) ?? []
  expect(claude).toMatch(/What 1 .* Claude’s refusal rate on political prompts rose 12 points\./)
  expect(claude).toMatch(/ 2 .* Claude’s refusal rate on political prompts fell 3 points\./)
  // Nobody reported the step of Gemini; that of Claude was reported.
  const [gemini = ''] = /Gemini Read.*?Every alert about Gemini/.exec(text) ?? []
  expect(gemini).toMatch(
    /Seen in the figures, and not reported \(• on the chart\): up 1\d\.\d percentage points/,
  )
  expect(claude).not.toContain('not reported')
  const svg = (await visitor.see('/models/claude/chart-dark.svg?category=political')).html
  expect(svg.match(/font-weight="600">[12]</g)).toEqual(['font-weight="600">2<', 'font-weight="600">1<'])
  const compared = (await visitor.see('/models/comparison-light.svg?category=political')).html
  expect(compared).toContain('>Mistral</text>')
  expect((await visitor.see('/models/other/chart-dark.svg')).status).toBe(404)
})

test('however many people look, each history is asked for once', async () => {
  service.answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  const visitor = desk.visitor()
  await Promise.all(Array.from({ length: 8 }, () => visitor.see('/models')))
  await visitor.see('/models?category=nonsense')
  await visitor.see('/models/qwen/chart-light.svg')
  expect(service.asked.toSorted()).toEqual(
    ['chatgpt', 'claude', 'gemini', 'mistral', 'qwen'].map(
      (model) => `/v1/monitoring/${model}/history?period=90d&category=all`,
    ),
  )
})

test('the overview and the list of alerts draw their lines from stored figures, and ask for nothing', async () => {
  service.answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_1')
  const visitor = desk.visitor()
  const linesOn = async (path: string) =>
    (await visitor.see(path)).html.match(/<svg class="spark"/g)?.length ?? 0
  expect([await linesOn('/'), await linesOn('/alerts')]).toEqual([0, 0])
  expect((await visitor.see('/')).html).toContain('No figures are stored yet')
  expect(service.asked).toEqual([])
  for (const page of ['/models', '/models?category=political'])
    await vi.waitUntil(async () => !(await visitor.see(page)).html.includes('it is being read'))
  const { length } = service.asked
  expect([await linesOn('/'), await linesOn('/alerts')]).toEqual([5, 1])
  expect(service.asked).toHaveLength(length)
})

test('requests that polling needs are not spent on a page, which says so', async () => {
  service.answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService(), tier: 20 })
  const { html } = await desk.visitor().see('/models')
  expect(textOf(html)).toContain('There is no chart: the remaining requests are reserved for polling;')
  expect(service.asked.length).toBeLessThan(3)
})

test('a correction of a change stands in its place, and two reports of one are one', async () => {
  service.answers = 'at once'
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_1', dataOf('political', '+12pp'))
  await desk.deliver('evt_1', dataOf('political', '+7pp'))
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1~2'))
  const { html } = await visitor.see('/models?category=political')
  expect(html).toContain(' 1 change marked, as listed below.')
  expect(textOf(html)).not.toContain('Claude’s refusal rate on political prompts rose 12 points.')
})

test('a report stands at its own time, also if its step was read at another', async () => {
  const at = (daysAgo: number) =>
    `${new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)}T17:14:00.000Z`
  const figures = { ...noFigures, state: 'visible' as const, levels: levels({ since: at(2) }) }
  const entry = alert({ detectedAt: at(3), receivedAt: at(3), figures })
  const openStore: typeof realEnvironment.openStore = async (place, options) => {
    const store = await realEnvironment.openStore(place, options)
    await store.accept([{ entry, outcomes: {} }])
    return store
  }
  const desk = await openDesk({ polling: { mode: 'off' } }, { closing, openStore })
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1'))
  const { html } = await visitor.see('/models?category=political')
  const [row = ''] = /<tr><td data-label="On the chart">.*?<\/tr>/.exec(html) ?? []
  expect(row).toContain(at(3).slice(0, 16))
})

test('without a service nothing is charted, and the page says why and shows what was reported', async () => {
  const desk = await deskWith(undefined)
  await desk.deliver('evt_1')
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_1'))
  const text = textOf((await visitor.see('/models')).html)
  expect(text).toContain('No monitoring service is configured')
  expect(text).toContain('not marked')
  expect(text).toContain('Claude’s refusal rate on political prompts rose 12 points.')
  expect(text).not.toContain('There is no chart')
})

test('a service that does not answer holds up no page', { timeout: 30_000 }, async () => {
  service.answers = 'never'
  const desk = await deskWith({ baseUrl: await openService() })
  const began = performance.now()
  const { html } = await desk.visitor().see('/models')
  expect(performance.now() - began).toBeLessThan(8_000)
  expect(textOf(html)).toContain('There is no chart: it is being read; load the page again in some seconds.')
})

test('a service that fails is not asked again by who looks again', async () => {
  service.answers = 'with an error'
  const desk = await deskWith({ baseUrl: await openService() })
  const visitor = desk.visitor()
  const { html } = await visitor.see('/models')
  expect(textOf(html)).toContain('There is no chart: ')
  await visitor.see('/models')
  expect(service.asked).toHaveLength(5)
})

test('charts are there after a restart, without a request', async () => {
  service.answers = 'at once'
  const folder = mkdtempSync(join(tmpdir(), 'models-'))
  const monitor = { baseUrl: await openService(), apiKey: 'mk_1', tier: 'researcher' }
  const config = { polling: { mode: 'off' }, monitor }
  const political = '/models?category=political'
  const desk = await openDesk(config, { closing, folder })
  await vi.waitUntil(async () => !(await desk.visitor().see(political)).html.includes('it is being read'))
  const { html } = await desk.visitor().see(political)
  await desk.app.stop()
  service.answers = 'not'
  service.asked = []
  const later = await openDesk(config, { closing, folder })
  expect((await later.visitor().see(political)).html).toBe(html)
  expect(service.asked).toEqual([])
})

test('a reader learns that the service is away, and as of when figures are, not what the network said', async () => {
  service.answers = 'at once'
  let laterMs = 0
  const clock = { ...systemClock, now: () => Date.now() + laterMs }
  const monitor = { baseUrl: await openService(), apiKey: 'mk_1', tier: 'researcher' }
  const desk = await openDesk({ polling: { mode: 'off' }, monitor }, { closing, clock })
  await desk.deliver('evt_1')
  const visitor = desk.visitor()
  const political = '/models?category=political'
  await vi.waitUntil(async () => !(await visitor.see(political)).html.includes('it is being read'))
  const readAt = /Read from the service ([^.]+?) ?\./.exec(textOf((await visitor.see(political)).html))?.[1]
  service.answers = 'not'
  laterMs = 6 * hourMs
  const pages = [
    '/models',
    political,
    '/alerts/evt_1/chart',
    '/alerts/evt_1/chart-light.svg',
    '/models/qwen/chart-light.svg',
  ]
  const seen = await Promise.all(pages.map(async (path) => textOf((await visitor.see(path)).html)))
  for (const text of seen) expect(text).not.toMatch(/GET|http:|ECONN|fetch|\.\./)
  expect(seen[0]).toContain('There is no chart: the service cannot be reached.')
  expect(seen[1]).toContain(`The service cannot be reached; figures as of ${readAt}`)
  expect(seen[2]).toContain(`The service cannot be reached; figures as of ${readAt}`)
  expect(seen[3]?.replace(/ +/g, ' ')).toContain(`The service cannot be reached; figures as of ${readAt}`)
  expect(seen[4]).toContain('There is no chart: the service cannot be reached.')
})
