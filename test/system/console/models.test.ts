import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { realEnvironment } from '../../../src/app/environment.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { alert, finding, levels, noFigures } from '../../support/fakes/events.ts'
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
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_old', dataOf('political', '-3pp', Date.now() - 40 * dayMs))
  await desk.deliver('evt_new', dataOf('political', '+12pp', Date.now() - 7 * dayMs))
  await desk.deliver('evt_other', { model: 'gemini', ...dataOf('safety', '+4pp') })
  const visitor = desk.visitor()
  await vi.waitUntil(async () => (await visitor.see('/alerts')).html.includes('evt_other'))
  const political = '/models?category=political'
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
  const [gemini = ''] = /Gemini Last read.*?Every alert about Gemini/.exec(text) ?? []
  expect(gemini).toMatch(
    /Seen in the figures, but not reported \(• on the chart\): up 1\d\.\d percentage points/,
  )
  expect(claude).not.toContain('not reported')
  expect(html).toContain(
    '<a href="/console/silences?model=claude&amp;category=political#add">Silence Claude …</a>',
  )
  const svg = (await visitor.see('/models/claude/chart-dark.svg?category=political')).html
  expect(svg.match(/font-weight="600">[12]</g)).toEqual(['font-weight="600">2<', 'font-weight="600">1<'])
  const compared = (await visitor.see('/models/comparison-light.svg?category=political')).html
  expect(compared).toContain('>Mistral</text>')
  expect((await visitor.see('/models/other/chart-dark.svg')).status).toBe(404)
})

test('the comparison counts changes that were reported or found, of its ninety days, and none that was withdrawn', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'))
  const store = await openSqliteStore(join(folder, 'data'), { now: Date.now, onTrouble: () => {} })
  const at = (daysAgo: number) => {
    const time = new Date(Date.now() - daysAgo * dayMs).toISOString()
    return { detectedAt: time, receivedAt: time }
  }
  const before = { ...finding({ id: 'poll_2' }), by: 'figures' as const }
  const entries = [
    finding(at(5)),
    finding({ id: 'poll_2', delta: -8, ...at(4) }),
    finding({ id: 'poll_3', delta: 0, revises: 'poll_2', before, ...at(3) }),
    alert({ ...at(2), detectedAt: new Date(Date.now() + 40 * dayMs).toISOString() }),
    alert({ id: 'evt_2', model: 'qwen', ...at(1) }),
  ]
  await store.accept(entries.map((entry) => ({ entry, outcomes: {} })))
  await store.close()
  const desk = await deskWith({ baseUrl: await openService() }, { folder })
  const { html } = await desk.visitor().see('/models')
  const counts = [...html.matchAll(/data-label="Changes[^"]*">(\d+)</g)].map(([, count]) => count)
  // ChatGPT, Claude, Gemini, Mistral, Qwen.
  expect(counts).toEqual(['0', '1', '0', '0', '1'])
  expect(html).toContain('<th scope="col">Changes reported or found</th>')
})

test('the pages of models ask the service for nothing, and say until when the figures are and what they lack', async () => {
  const desk = await deskWith({ baseUrl: await openService() }, { stored: ['claude'], days: 30 })
  const visitor = desk.visitor()
  const pages = [
    '/models',
    '/models?category=political',
    '/models?category=social',
    '/models?category=nonsense',
  ]
  const texts = await Promise.all(pages.map(async (path) => textOf((await visitor.see(path)).html)))
  await visitor.see('/models/qwen/chart-light.svg')
  await visitor.see('/models/comparison-dark.svg')
  for (const text of [texts[0], texts[1], texts[3]]) {
    expect(text).toMatch(
      /Last read from the service \d[^.]* UTC ?\. Nothing is stored of 60 of the 90 days\./,
    )
    expect(text).toContain('Missing here: ChatGPT, Gemini, Mistral and Qwen.')
  }
  expect(texts[2]?.match(/There is no chart: no figures are stored yet\./g)).toHaveLength(5)
  expect(texts[0]).toContain('Polling is off')
  expect(service.asked).toEqual([])
})

test('if polling is on, the page says how figures that are missing come', async () => {
  const desk = await deskWith({ baseUrl: await openService() }, { stored: [], polling: 'always' })
  const text = textOf((await desk.visitor().see('/models')).html)
  expect(text).toContain('Polling stores the missing figures if the service publishes them.')
  expect(text).not.toContain('Polling is off')
})

test('the overview and the list of alerts draw their lines from stored figures, and ask for nothing', async () => {
  const none = await deskWith({ baseUrl: await openService() }, { stored: [] })
  await none.deliver('evt_1')
  const desk = await deskWith({ baseUrl: await openService() })
  await desk.deliver('evt_1')
  const linesOn = async ({ visitor }: typeof desk, path: string) =>
    (await visitor().see(path)).html.match(/<svg class="spark"/g)?.length ?? 0
  expect([await linesOn(none, '/'), await linesOn(none, '/alerts')]).toEqual([0, 0])
  expect((await none.visitor().see('/')).html).toContain('No figures are stored yet')
  expect((await desk.visitor().see('/')).html).toMatch(/% <span class="meta">today so far, mean [\d.]+%/)
  expect([await linesOn(desk, '/'), await linesOn(desk, '/alerts')]).toEqual([5, 1])
  expect(service.asked).toEqual([])
})

test('a correction of a change stands in its place, and two reports of one are one', async () => {
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

test('charts are there after a restart, without a request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'models-'))
  const monitor = { baseUrl: await openService() }
  const political = '/models?category=political'
  const desk = await deskWith(monitor, { folder })
  const { html } = await desk.visitor().see(political)
  await desk.app.stop()
  const later = await deskWith(monitor, { folder, stored: [] })
  expect((await later.visitor().see(political)).html).toBe(html)
  expect(service.asked).toEqual([])
})

test('a reader of an alert’s chart learns that the service is away, and as of when figures are, not what the network said', async () => {
  const clock = { ...systemClock, now: () => Date.now() + 6 * hourMs }
  const desk = await deskWith({ baseUrl: await openService() }, { clock })
  await desk.deliver('evt_1', dataOf('political', '+12pp', clock.now()))
  for (const path of ['/alerts/evt_1/chart', '/alerts/evt_1/chart-light.svg']) {
    const text = textOf((await desk.visitor().see(path)).html).replace(/ +/g, ' ')
    expect(text).not.toMatch(/GET|http:|ECONN|fetch|\.\./)
    expect(text).toMatch(/The service cannot be reached; figures as of \d/)
  }
})
