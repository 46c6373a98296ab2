import { expect, test } from 'vitest'
import { dayMs, hourMs } from '../../../../src/platform/durations.ts'
import { historyOf } from '../../../../src/record/figures/readings.ts'
import type { Figure, FigureSeries } from '../../../../src/store/figures.ts'
import { figure } from '../../../contract/figures.ts'

const day = Date.parse('2026-11-20T00:00:00.000Z')

function shown(stored: readonly Figure[]) {
  const { history, unit } = historyOf(stored, { model: 'claude', category: 'political' })
  return { points: history.points.map(({ at, rates }) => [at.slice(5, 16), rates.political]), unit, history }
}

/** The mean of a day, read when the next day had begun unless `seenAt` says otherwise. */
const mean = (measuredAt: number, rate: number, seenAt = measuredAt + dayMs + hourMs) =>
  figure({ series: 'days', measuredAt, rate, seenAt })
const reading = (measuredAt: number, rate: number, seenAt = measuredAt + 60_000) =>
  figure({ measuredAt, rate, seenAt })

test('the newest figures go on where a history ends', () => {
  const stored = [
    mean(day - dayMs, 0.17),
    reading(day - hourMs, 0.9),
    mean(day, 0.18),
    reading(day + hourMs, 0.9),
    reading(day + dayMs, 0.3),
    reading(day + dayMs + 6 * hourMs, 0.32),
  ]
  expect(shown(stored).points).toEqual([
    ['11-19T00:00', 0.17],
    ['11-20T00:00', 0.18],
    ['11-21T00:00', 0.3],
    ['11-21T06:00', 0.32],
  ])
})

test('the mean of a day that had not ended gives way to newer figures of it', () => {
  const early = mean(day, 0.18, day + 2 * hourMs)
  expect(shown([mean(day - dayMs, 0.17), early]).points.at(-1)).toEqual(['11-20T00:00', 0.18])
  const stored = [mean(day - dayMs, 0.17), early, reading(day, 0.18), reading(day + 12 * hourMs, 0.3)]
  expect(shown(stored).points.slice(1)).toEqual([
    ['11-20T00:00', 0.18],
    ['11-20T12:00', 0.3],
  ])
})

test('a reading that stands in the history and was read as the newest is shown once', () => {
  const stored = [figure({ series: 'readings', measuredAt: day, rate: 0.18 }), reading(day, 0.18)]
  expect(shown(stored).points).toEqual([['11-20T00:00', 0.18]])
})

test('of revisions the last one is shown', () => {
  expect(shown([mean(day, 0.18), mean(day, 0.3, day + 3 * dayMs)]).points).toEqual([['11-20T00:00', 0.3]])
})

test('a figure without a measured-at stands where it was first read', () => {
  const stored = [0.18, 0.3, 0.18].map((rate, hours) =>
    figure({ measuredAt: null, rate, seenAt: day + hours * hourMs }),
  )
  expect(shown(stored).points).toEqual([
    ['11-20T00:00', 0.18],
    ['11-20T01:00', 0.3],
    ['11-20T02:00', 0.18],
  ])
})

test('a service that changed its unit has one line', () => {
  const stored = [
    mean(day - dayMs, 0.18),
    { ...mean(day, 18), unit: 'percent' } as const,
    { ...mean(day + dayMs, 0.07), unit: 'fraction' } as const,
  ]
  expect(shown(stored)).toMatchObject({
    unit: 'fraction',
    points: [
      ['11-19T00:00', 0.18],
      ['11-20T00:00', 0.18],
      ['11-21T00:00', 0.07],
    ],
  })
})

test('a size of all prompts is not that of the category', () => {
  const { history } = shown([mean(day, 0.18), { ...mean(day + dayMs, 0.2), isSizeOfAll: true }])
  const sizes = history.points.map(({ sampleSize, sampleSizes }) => [sampleSize, sampleSizes.political])
  expect(sizes).toEqual([
    [null, 500],
    [500, null],
  ])
})

test('of a day, the finest figures that are known are shown', () => {
  const at = (series: FigureSeries, days: number, rate: number) =>
    figure({ series, measuredAt: day + days * dayMs, rate, seenAt: day + 30 * dayMs })
  const stored = [
    at('weeks', 0, 0.1),
    at('days', 0, 0.2),
    at('days', 1, 0.21),
    at('readings', 1, 0.3),
    at('readings', 1.5, 0.31),
    at('weeks', 7, 0.12),
  ]
  expect(shown(stored).points).toEqual([
    ['11-20T00:00', 0.2],
    ['11-21T00:00', 0.3],
    ['11-21T12:00', 0.31],
    ['11-27T00:00', 0.12],
  ])
})
