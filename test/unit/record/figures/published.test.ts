import { describe, expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../../src/platform/durations.ts'
import { publishedIn } from '../../../../src/record/figures/published.ts'
import type { AnsweredFigures } from '../../../../src/service/client/client.ts'
import { readHistory } from '../../../../src/service/client/endpoints/history.ts'
import { type ModelMetrics, readMetrics } from '../../../../src/service/client/endpoints/metrics.ts'

const seenAt = Date.parse('2026-11-21T13:10:00.000Z')
const today = Date.parse('2026-11-21T00:00:00.000Z')
const query = {
  service: 'service.example/v1',
  rates: 'auto',
  knownUnit: null,
  seenAt,
  notBefore: seenAt - 400 * dayMs,
} as const

type Point = Record<string, unknown>

function history(points: readonly Point[], category: 'political' | 'all' = 'political'): AnsweredFigures {
  const read = readHistory({ sample_size: 500, data: points }, 'Claude', category)
  if (read === undefined) throw new Error('it cannot be read')
  return { of: 'history', model: 'Claude', query: { period: '90d', category }, history: read }
}

function newest(changes: Point): AnsweredFigures {
  const read = readMetrics({ model: 'Claude', sample_size: 500, ...changes }, 'Claude')
  return { of: 'newest', metrics: [read as ModelMetrics] }
}

/** One point each so many hours, the last one at the beginning of today. */
function points(hours: number, count: number, rate = 0.18): Point[] {
  return Array.from({ length: count }, (_, index) => ({
    date: new Date(today - (count - 1 - index) * hours * hourMs).toISOString(),
    refusal_rate: rate,
  }))
}

test('a history becomes a figure for each point, and what was asked for is known', () => {
  const { figures, spans, unit } = publishedIn(history(points(24, 3)), query)
  expect(figures).toHaveLength(3)
  expect(figures[2]).toEqual({
    service: 'service.example/v1',
    model: 'claude',
    category: 'political',
    series: 'days',
    measuredAt: today,
    part: 0,
    rate: 0.18,
    unit: 'fraction',
    sampleSize: 500,
    isSizeOfAll: true,
    version: null,
    seenAt,
  })
  const of = { service: 'service.example/v1', model: 'claude', category: 'political', source: 'history' }
  expect(spans).toEqual([{ ...of, from: seenAt - 90 * dayMs, to: seenAt }])
  expect(unit).toBe('fraction')
})

test.each([
  ['four a day', 6, 'readings'],
  ['a day', 24, 'days'],
  ['a week', 168, 'weeks'],
  ['a month', 30 * 24, 'months'],
])(
  'points of %s are a series of their own, so that a mean is not taken for a reading',
  (_, hours, series) => {
    const { figures } = publishedIn(history(points(hours, 6)), query)
    expect(new Set(figures.map((one) => one.series))).toEqual(new Set([series]))
  },
)

test('a history with four points a day, and one a day before, has both', () => {
  const recent = points(6, 8)
  const before = points(24, 3).map(({ date }) => ({
    date: new Date(Date.parse(String(date)) - 2 * dayMs).toISOString(),
    refusal_rate: 0.18,
  }))
  const { figures } = publishedIn(history([...before, ...recent]), query)
  expect(figures.map(({ series }) => series)).toEqual([
    'days',
    'days',
    ...Array.from({ length: 9 }, () => 'readings'),
  ])
})

test('several points of one date keep their numbers, even if the period cuts off some', () => {
  const ofDay = (day: string, rates: readonly number[]) =>
    rates.map((refusal_rate) => ({ date: day, refusal_rate }))
  const whole = [...ofDay('2026-11-19', [0.1, 0.12, 0.14]), ...ofDay('2026-11-20', [0.2, 0.22, 0.24])]
  const partsOf = (some: readonly Point[]) =>
    publishedIn(history(some), query).figures.map(({ part, rate }) => [part, rate])
  const expected = [0.2, 0.22, 0.24].map((rate, part) => [part, rate])
  expect(partsOf(whole)).toEqual(expected)
  expect(partsOf(whole.slice(2))).toEqual(expected)
})

test('to all, what the service answers is known, and that it has no overall rate too', () => {
  const answer = history(
    points(24, 3).map(({ date }) => ({ date, political_refusal_rate: 0.2, social_refusal_rate: 0.1 })),
    'all',
  )
  const { figures, spans } = publishedIn(answer, query)
  expect(figures).toHaveLength(6)
  expect(spans.map(({ category }) => category).toSorted()).toEqual(['overall', 'political', 'social'])
})

test('of a history with points that could not be read, nothing is known to be missing', () => {
  const { figures, spans } = publishedIn(history([...points(24, 3), { date: 'yesterday', x: 1 }]), query)
  expect(figures).toHaveLength(3)
  expect(spans).toEqual([])
})

describe('the newest figures', () => {
  const rates = { overall_refusal_rate: 0.22, political_refusal_rate: 0.3, safety_refusal_rate: 0.114 }

  test('are those of each category, at the time that the service says', () => {
    const { figures, spans } = publishedIn(
      newest({ ...rates, last_updated: '2026-11-21T12:00:00Z', version: '3.3\0' }),
      query,
    )
    const shown = figures.map(({ category, rate, measuredAt, series }) => [
      category,
      rate,
      measuredAt,
      series,
    ])
    const at = Date.parse('2026-11-21T12:00:00Z')
    expect(shown).toEqual([
      ['overall', 0.22, at, 'newest'],
      ['political', 0.3, at, 'newest'],
      ['safety', 0.114, at, 'newest'],
    ])
    expect(figures[0]).toMatchObject({ version: '3.3', isSizeOfAll: false, sampleSize: 500 })
    expect(spans[0]).toMatchObject({ source: 'newest', from: seenAt, to: seenAt })
  })

  test.each([
    ['no time', undefined],
    ['a time years ahead', '2031-01-01T00:00:00Z'],
  ])('have no measured-at if the service says %s', (_, last_updated) => {
    const { figures } = publishedIn(newest({ ...rates, last_updated }), query)
    expect(figures.map(({ measuredAt }) => measuredAt)).toEqual([null, null, null])
  })
})

test('what is dated ahead or is older than the retention is not kept', () => {
  const some = ['2026-11-23', '2026-11-20', '2020-01-01'].map((date) => ({ date, refusal_rate: 0.2 }))
  expect(publishedIn(history(some), query).figures.map(({ measuredAt }) => measuredAt)).toEqual([
    today - dayMs,
  ])
})

describe('the unit', () => {
  const unitOf = (rates: readonly number[], changes: Partial<Parameters<typeof publishedIn>[1]> = {}) => {
    const some = rates.map((refusal_rate, index) => ({
      date: new Date(today - (rates.length - index) * dayMs).toISOString(),
      refusal_rate,
    }))
    return publishedIn(history(some), { ...query, ...changes }).figures[0]?.unit
  }

  test('is percent if most rates are above 1, and not for one that is a mistake', () => {
    expect(unitOf([18, 30, 22])).toBe('percent')
    expect(unitOf([...Array.from({ length: 20 }, (_, index) => 0.18 + index / 1_000), 22])).toBe('fraction')
  })

  test('is that of earlier answers if this one does not show it, and unknown if it contradicts them', () => {
    expect(unitOf([0.4])).toBeNull()
    expect(unitOf([0.4], { knownUnit: 'fraction' })).toBe('fraction')
    expect(unitOf([0.4, 0.4], { knownUnit: 'percent' })).toBeNull()
    expect(unitOf([0.4, 0.4], { rates: 'percent' })).toBe('percent')
  })
})
