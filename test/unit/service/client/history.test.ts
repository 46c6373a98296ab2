import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { type HistoryQuery, readHistory } from '../../../../src/service/client/endpoints/history.ts'
import { Unintelligible } from '../../../../src/service/client/errors.ts'
import { type ScriptedService, startScriptedService } from './scripted-service.ts'

let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890' })
})
afterEach(() => service.close())

test('a history is asked for with its period and category', async () => {
  service.answerWith({ model: 'claude', data: [{ date: '2026-03-01', refusal_rate: 0.3 }] })
  const query = { period: '30d', category: 'political' } as const
  const read = await client.history('new/model', query)
  expect(service.received[0]?.path).toBe('/v1/monitoring/new%2Fmodel/history?period=30d&category=political')
  expect(read).toMatchObject({ model: 'claude', points: [{ rates: { political: 0.3 } }] })
})

test('without a query, the service’s defaults are asked for', async () => {
  service.answerWith([])
  await client.history('claude')
  expect(service.received[0]?.path).toBe('/v1/monitoring/claude/history')
})

test.each([
  {
    query: { period: '2y' },
    says: '"2y" is not a valid period. Write 7d, 30d, 90d or 1y.',
  },
  { query: { category: 'sport' }, says: 'Write political, safety, social or all.' },
])('$query is refused before any request', async ({ query, says }) => {
  // A command line passes on what was typed.
  const call = client.history('claude', query as HistoryQuery)
  await expect(call).rejects.toMatchObject({ name: 'BadRequest', message: expect.stringContaining(says) })
  expect(service.received).toEqual([])
})

test('an answer without a history is unintelligible, and the fields that were looked for are named', async () => {
  service.answerWith({ data: [{ foo: 1 }] })
  const call = client.history('claude')
  await expect(call).rejects.toBeInstanceOf(Unintelligible)
  await expect(call).rejects.toThrow('no points with date and refusal_rate')
})

test('a history that names another model is rejected, and archived for none', async () => {
  const archived: unknown[] = []
  const { baseUrl } = service
  const archiving = new MonitorClient({ baseUrl, apiKey: 'key', onFigures: (read) => archived.push(read) })
  service.answerWith({ model: 'gemini', data: [{ date: '2026-03-01', refusal_rate: 0.3 }] })
  const call = archiving.history('claude')
  await expect(call).rejects.toBeInstanceOf(Unintelligible)
  await expect(call).rejects.toThrow(/history answered with figures of gemini, not of claude/)
  expect(archived).toEqual([])
})

const none = { overall: null, political: null, safety: null, social: null }
const first = '2026-03-01T00:00:00.000Z'
const second = '2026-03-02T00:00:00.000Z'

/** The same two days of political rates, in every form. */
test.each([
  {
    form: 'points under data',
    body: {
      data: [
        { date: '2026-03-01', political_refusal_rate: 0.3 },
        { date: '2026-03-02', political_refusal_rate: 0.32 },
      ],
    },
  },
  {
    form: 'points, newest first, of the category that was asked for',
    body: {
      period: '7d',
      category: 'political',
      history: [
        { timestamp: 1_772_409_600, refusal_rate: '0.32' },
        { timestamp: 1_772_323_200, refusal_rate: '0.30' },
      ],
    },
  },
  {
    form: 'bare points with metrics',
    body: [
      { at: first, metrics: { political_refusal_rate: 0.3 } },
      { at: 1_772_409_600_000, metrics: { politicalRefusalRate: 0.32 } },
    ],
  },
  {
    form: 'points with spans of time',
    body: {
      results: [
        { period: { start: '2026-03-01T00:00:00+00:00', end: second }, rates: { political: { rate: 0.3 } } },
        { periodStart: '2026-03-02 01:00+01:00', rate: 0.32 },
      ],
    },
  },
  {
    form: 'pairs',
    body: {
      series: [
        [first, 0.3],
        [second, 0.32],
      ],
    },
  },
  {
    form: 'columns',
    body: { dates: ['2026-03-01', '2026-03-02'], political_refusal_rate: [0.3, 0.32] },
  },
  {
    form: 'columns below data',
    body: { data: { timestamps: [1_772_323_200, 1_772_409_600], values: [0.3, 0.32] } },
  },
  {
    form: 'times beside columns in metrics',
    body: { dates: [first, second], metrics: { politicalRefusalRate: [0.3, 0.32] } },
  },
  {
    form: 'labels beside datasets, as a chart has them',
    body: { labels: [first, second], datasets: [{ label: 'political', data: [0.3, 0.32] }] },
  },
  {
    form: 'categories',
    body: {
      categories: {
        political: [
          { date: first, rate: 0.3 },
          { date: second, rate: 0.32 },
        ],
      },
    },
  },
  {
    form: 'a category that is not wrapped',
    body: { data: { political: { '2026-03-01': 0.3, '2026-03-02': 0.32 } } },
  },
  {
    form: 'an object of days',
    body: { history: { '2026-03-01': 0.3, '2026-03-02': { refusal_rate: 0.32 } } },
  },
  {
    form: 'series that name their category',
    body: [
      {
        category: 'political',
        points: [
          { date: first, value: 0.3 },
          { date: second, value: 0.32 },
        ],
      },
    ],
  },
  {
    form: 'the model’s name',
    body: {
      data: {
        claude: [
          { date: first, rate: 0.3 },
          { date: second, rate: 0.32 },
        ],
      },
    },
  },
])('a history is read from $form', ({ body }) => {
  const read = readHistory(body, 'claude', 'political')
  expect(read).toMatchObject({ model: 'claude', categories: ['political'], unread: 0 })
  expect(read?.points).toEqual([
    { at: first, version: null, rates: { ...none, political: 0.3 }, sampleSize: null, sampleSizes: none },
    { at: second, version: null, rates: { ...none, political: 0.32 }, sampleSize: null, sampleSizes: none },
  ])
})

test('version, sample size and the time of the update are read from where they stand', () => {
  const read = readHistory(
    {
      model: 'claude-next',
      data: [{ date: '2026-03-01', version: 4.5, overall_refusal_rate: 0.2, sample_size: 480 }],
      meta: { sample_size: 500, last_updated: '2026-03-02T06:00:00Z' },
    },
    'claude',
  )
  expect(read).toEqual({
    model: 'claude-next',
    points: [
      {
        at: first,
        version: '4.5',
        rates: { ...none, overall: 0.2 },
        sampleSize: 480,
        sampleSizes: { ...none, overall: 480 },
      },
    ],
    categories: ['overall'],
    sampleSize: 500,
    sampleSizes: none,
    lastUpdated: '2026-03-02T06:00:00.000Z',
    unread: 0,
  })
})

test('the series of several categories meet in one point for each time, each with its sample size', () => {
  const day = (rate: number, n: number) => [{ date: '2026-03-01', rate, n }]
  const body = { political: day(0.3, 200), safety: day(0.5, 200), social: day(0.1, 100) }
  const read = readHistory({ categories: body }, 'claude', 'all')
  expect(read?.categories).toEqual(['political', 'safety', 'social'])
  expect(read?.points).toEqual([
    {
      at: first,
      version: null,
      rates: { overall: null, political: 0.3, safety: 0.5, social: 0.1 },
      sampleSize: null,
      sampleSizes: { overall: null, political: 200, safety: 200, social: 100 },
    },
  ])
})

test('rows that each name a category meet in the same way', () => {
  const rows = ['political', 'safety'].map((category, index) => ({ date: first, category, rate: index / 10 }))
  expect(readHistory(rows, 'claude', 'all')?.points).toMatchObject([
    { rates: { overall: null, political: 0, safety: 0.1, social: null } },
  ])
})

test('of all categories, the rate that names none is the overall one', () => {
  const read = readHistory([{ date: first, refusal_rate: 0.2 }], 'claude', 'all')
  expect(read?.categories).toEqual(['overall'])
})

test('several readings of one day stay apart, category by category', () => {
  const four = (start: number) => [0, 1, 2, 3].map((i) => ({ date: first, rate: start + i }))
  const read = readHistory({ political: four(30), safety: four(50) }, 'claude')
  expect(read?.points.map(({ rates }) => [rates.political, rates.safety])).toEqual([
    [30, 50],
    [31, 51],
    [32, 52],
    [33, 53],
  ])
})

test('a version in force at the same time is a point of its own', () => {
  const body = [
    { date: first, version: '4.5', overall_refusal_rate: 0.2 },
    { date: first, version: '4.6', political_refusal_rate: 0.4 },
  ]
  expect(readHistory(body, 'claude')?.points.map(({ version }) => version)).toEqual(['4.5', '4.6'])
})

test('what cannot be read is skipped and counted', () => {
  const data = [
    { date: 'yesterday', rate: 0.1 },
    { date: '2026-02-30', rate: 0.1 },
    { date: first, rate: 'many' },
    { date: first, category: 'sport', rate: 0.9 },
    null,
    7,
    [first],
    { date: second, rate: 0.2 },
  ]
  expect(readHistory({ data }, 'claude')).toMatchObject({ points: [{ at: second }], unread: 7 })
  const dates = [first, second, 'later']
  expect(readHistory({ dates, values: [null, 0.2] }, 'claude')).toMatchObject({
    points: [{ at: second }],
    unread: 2,
  })
})

test.each([[[]], [{ data: [] }], [{ history: { points: [] } }]])('%j is an empty history', (body) => {
  expect(readHistory(body, 'claude')).toMatchObject({ points: [], categories: [], unread: 0 })
})

test.each([null, undefined, 7, 'text', {}, [1, 2], { data: ['a'] }, { data: null }, [{ date: first }]])(
  '%j holds no history',
  (body) => {
    expect(readHistory(body, 'claude')).toBeUndefined()
  },
)
