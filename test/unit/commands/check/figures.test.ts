import { expect, onTestFinished, test } from 'vitest'
import { pollingStateFrom } from '../../../../src/intake/poll/state.ts'
import { alert } from '../../../support/fakes/events.ts'
import { secret } from '../../../support/fakes/signed.ts'
import { configured } from '../../../support/served.ts'
import { learnt } from '../../intake/detect/readings.ts'
import { startScriptedService } from '../../service/client/scripted-service.ts'
import { checked, sandboxed } from './checked.ts'

const early = Date.parse('2026-11-03T10:00:00Z')
const late = Date.parse('2026-11-03T11:00:00Z')

/** What check says of figures, by what polling remembers. */
async function figures(changes: object) {
  const { file, remember } = await sandboxed({ channels: '{ name: desk, type: console, models: [claude] }' })
  await remember('polling', { ...pollingStateFrom(undefined, early), ...changes })
  const { code, rows } = await checked(file)
  expect(code).toBe(0)
  return rows.flatMap(({ about, level, what, text }) =>
    about === 'polling' && what === 'figures' ? [`${level} ${text}`] : [],
  )
}

const notKnown = 'ok claude: not known yet: serve has not read its history'

test.each([
  ['never asked for', {}, []],
  ['read', { lookedAt: early, succeededAt: early }, ['ok last read 2026-11-03T10:00:00.000Z']],
  [
    'read before, and not the last time',
    { lookedAt: late, succeededAt: early },
    ['warn they could not be read at 2026-11-03T11:00:00.000Z; they were last read 2026-11-03T10:00:00.000Z'],
  ],
  [
    'never read',
    { lookedAt: late },
    ['warn they could not be read at 2026-11-03T11:00:00.000Z; they have never been read'],
  ],
])('check says of the published figures when they were %s', async (_, changes, rows) => {
  expect(await figures(changes)).toEqual([...rows, notKnown])
})

test('a model whose changes cannot be found yet is a warning', async () => {
  const detector: unknown = JSON.parse(JSON.stringify(learnt(4)))
  const claude = { detector, askedAt: null, historyAt: null, newsFrom: 0 }
  const { figures: none } = pollingStateFrom(undefined, early)
  expect(await figures({ figures: { ...none, models: { claude } } })).toEqual([
    'warn claude: only 4 of its readings are known; detection starts with 7',
  ])
})

test('of delays no more is promised than when a figure is read', async () => {
  const { file } = await sandboxed()
  const { rows } = await checked(file)
  const texts = rows.filter(({ about }) => about === 'polling').map(({ text }) => text)
  expect(texts).toContain(
    'how many readings a change takes to be found depends on its size: docs/internals/detection.md',
  )
  expect(texts.join('\n')).not.toMatch(/is (seen|found|detected) within/)
})

/** A desk whose service has these rates of each model, and what check says of its categories. */
async function asking(categories: string, metrics: object | undefined) {
  const service = await startScriptedService()
  onTestFinished(() => service.close())
  service.script = ({ path }, response) => {
    if (!path.endsWith('/metrics')) return undefined
    if (metrics === undefined) response.writeHead(403).end('{}')
    else response.writeHead(200).end(JSON.stringify({ model: 'claude', metrics }))
    return 'answered'
  }
  const made = configured(
    `monitor: { baseUrl: "${service.baseUrl}", apiKey: key-of-the-desk-4711, tier: 1000 }
webhook: { secrets: [${secret}] }
polling: { mode: "off" }
channels: [{ name: desk, type: console, models: [claude], categories: [${categories}] }]
`,
  )
  async function rowsOfPolling() {
    const { code, rows } = await checked(made.file)
    expect(code).toBe(0)
    return rows
      .filter(({ what }) => what === 'categories')
      .map(({ level, text, hint }) => [level, text, hint])
  }
  return {
    ...made,
    service,
    said: rowsOfPolling,
    asked: () => service.asked().filter((one) => one.endsWith('/metrics')),
  }
}

const rates = { overall_refusal_rate: 0.1, political_refusal_rate: 0.2 }

test('categories that the interface names pass, in any case and without a request', async () => {
  const { said, asked } = await asking('Political, safety, social, overall', rates)
  expect(await said()).toEqual([['ok', 'desk: Political, safety, social, overall', undefined]])
  expect(asked()).toEqual([])
})

test('a misspelt one is named with the one that is meant, after one request', async () => {
  const { said, asked } = await asking('safety, politcal', rates)
  expect(await said()).toEqual([
    [
      'warn',
      'desk asks for "politcal", which the service has not named; it names overall, political, safety, social',
      'is political meant?',
    ],
  ])
  expect(asked()).toEqual(['GET /monitoring/claude/metrics'])
})

test('one that the service has a rate of passes, and so does one of an event that came', async () => {
  const { said, store } = await asking('violence, Medical', { ...rates, violence_refusal_rate: 0.3 })
  await store({ entry: alert({ category: 'medical' }), outcomes: {} })
  expect(await said()).toEqual([['ok', 'desk: violence, Medical', undefined]])
})

test('all is no category, and leaving categories out is what it means', async () => {
  const { said } = await asking('all', rates)
  expect(await said()).toEqual([
    ['warn', expect.stringContaining('"all"'), expect.stringMatching(/^leave categories out/)],
  ])
})

test('where the service cannot be asked, it is judged by what is known', async () => {
  const { said, file } = await asking('gardening', undefined)
  expect(await said()).toEqual([
    [
      'warn',
      expect.stringContaining('"gardening"'),
      expect.stringContaining('this channel gets nothing about it'),
    ],
  ])
  expect((await checked(file)).about('figures', 'metrics')).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('403'),
  })
})
