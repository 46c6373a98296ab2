import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBias } from '../../../../src/service/client/endpoints/bias.ts'
import { readComparison } from '../../../../src/service/client/endpoints/compare.ts'
import { readHistory } from '../../../../src/service/client/endpoints/history.ts'
import { readMetrics } from '../../../../src/service/client/endpoints/metrics.ts'
import { readDataset, readPublication } from '../../../../src/service/client/endpoints/research.ts'
import { unwrapList } from '../../../../src/service/client/http/pages.ts'
import { isNight, runs } from '../../../support/runs.ts'

const readers: { of: string; read: (json: unknown) => unknown }[] = [
  { of: 'metrics', read: (json) => readMetrics(json, 'claude') },
  { of: 'history', read: (json) => readHistory(json, 'claude', 'political') },
  { of: 'comparison', read: (json) => readComparison(json, ['claude', 'data']) },
  { of: 'bias', read: (json) => readBias(json, 'claude') },
  { of: 'publication', read: readPublication },
  { of: 'dataset', read: readDataset },
  { of: 'list', read: unwrapList },
]

/** Names that mean something to a reader, so that what is drawn at random gets past the first look. */
const names =
  'data meta model models metrics rates history points series categories date ' +
  'dates timestamps values value rate refusal_rate overall political all safety politicalRefusalRate ' +
  'overall_refusal_rate bias_score bias topics scores score topic claude category version sample_size ' +
  'n last_updated id authors year url format 2026-03-01 __proto__ constructor toString '
const name = fc.constantFrom(...names.split(' '))
const leaf = fc.oneof(
  fc.constantFrom('2026-03-01', '2026-03-02T12:00:00Z', 1_772_366_400, 'political', 'all', 'claude', null),
  fc.constantFrom(0, 0.5, 1, 30, '0.2', 1e308, -1, '1e999', 'NaN', true, 500),
  fc.string(),
)
const { plausible } = fc.letrec<{ plausible: unknown }>((tie) => ({
  plausible: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    fc.array(tie('plausible'), { maxLength: 5 }),
    fc
      .array(fc.tuple(name, tie('plausible')), { maxLength: 6 })
      // As JSON.parse makes it: `__proto__` is a name like any other.
      .map((entries) => JSON.parse(JSON.stringify(Object.fromEntries(entries)))),
  ),
}))

/** Without −0, as JSON turns it into 0. */
const anyJson = fc.jsonValue().map((json): unknown => JSON.parse(JSON.stringify(json)))
/** Rows that nearly are a history. */
const rows = fc.array(
  fc.record({ date: leaf, category: leaf, rate: leaf, safety: leaf }, { requiredKeys: [] }),
)

test.each(readers)('for any JSON, a $of is read or is not, and never throws', ({ read }) => {
  fc.assert(
    fc.property(fc.oneof(anyJson, plausible), (json) => {
      const before = JSON.stringify(json)
      const result = read(json)
      expect(JSON.stringify(json)).toBe(before)
      // No number that JSON has no form for, and no more than was there.
      expect(JSON.parse(JSON.stringify(result ?? null))).toEqual(result ?? null)
    }),
    runs(),
  )
})

test('of any history, points are in order of time, have a rate, and every rate is from 0 to 100', () => {
  let histories = 0
  fc.assert(
    fc.property(fc.oneof(rows, plausible), (json) => {
      const read = readHistory({ data: json }, 'claude')
      if (read === undefined) return
      if (read.points.length > 0) histories += 1
      const times = read.points.map(({ at }) => at)
      expect(times).toEqual(times.toSorted())
      for (const { rates } of read.points) {
        const publishedRates = Object.values(rates).filter((rate) => rate !== null)
        expect(publishedRates.length).toBeGreaterThan(0)
        expect(publishedRates.every((rate) => rate >= 0 && rate <= 100)).toBe(true)
      }
    }),
    runs(600),
  )
  // At night chance gives about forty. Far fewer show that the input has stopped looking like histories.
  expect(histories).toBeGreaterThanOrEqual(isNight() ? 5 : 0)
})

const few = 2_000
const list = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index))
const nest = (depth: number): unknown => (depth === 0 ? [] : { data: nest(depth - 1), values: [nest(0)] })

function timeOf(json: unknown): number {
  const began = performance.now()
  for (const { read } of readers) read(json)
  return performance.now() - began
}

test.each([
  {
    of: 'points of one time',
    make: (n: number) => list(n, (index) => ({ date: '2026-03-01', rate: index / n })),
  },
  {
    of: 'columns of one time',
    make: (n: number) => ({ dates: list(n, () => '2026-03-01'), values: list(n, () => 0.5) }),
  },
  {
    of: 'names',
    make: (n: number) => Object.fromEntries(list(n, (index) => [`name${index}`, { score: 1 }])),
  },
  { of: 'lists', make: (n: number) => list(n, () => []) },
  { of: 'wraps', make: (n: number) => nest(n / 10) },
  {
    of: 'times',
    make: (n: number) => ({ data: Object.fromEntries(list(n, (index) => [1_700_000_000 + index, 0.1])) }),
  },
  {
    of: 'models',
    make: (n: number) => ({
      models: ['claude', ...list(n / 5, String)],
      overall: { claude: 1 },
      bias_score: list(n / 5, Number),
    }),
  },
  { of: 'authors', make: (n: number) => ({ id: 1, authors: 'a;'.repeat(n) }) },
  { of: 'digits', make: (n: number) => ({ metrics: { overall_refusal_rate: '1'.repeat(n * 20) } }) },
  {
    of: 'series in series',
    make: (n: number) => ({ series: list(n, () => ({ points: [{ series: [1] }] })) }),
  },
])('an answer full of $of is read in time that grows with its size', ({ make }) => {
  const small = make(few)
  const large = make(few * 4)
  // Four times the size takes four times as long; sixteen times is a square. The rest is for a machine that is busy.
  const linear = () => timeOf(large) < 10 * timeOf(small) + 300
  expect(linear() || linear() || linear()).toBe(true)
})
