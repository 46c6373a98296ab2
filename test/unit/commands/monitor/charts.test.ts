import fc from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import {
  bars,
  centredBars,
  columnsOf,
  type LinePoint,
  lineChart,
} from '../../../../src/commands/monitor/charts.ts'
import { runs } from '../../../support/runs.ts'

const narrow = { width: 34, colour: false }

test('bars are as long as their values, and an absent one is not a zero', () => {
  const all = [
    { label: 'Claude', value: 10, text: '10.0%' },
    { label: 'Qwen', value: 20, text: '20.0%' },
    { label: 'Gemini', value: 0, text: '0.0%' },
    { label: 'Mistral', value: null, text: '–' },
  ]
  expect(bars(all, narrow).split('\n')).toEqual([
    'Claude   █████████           10.0%',
    'Qwen     ██████████████████  20.0%',
    'Gemini                        0.0%',
    'Mistral  –                       –',
    '',
  ])
})

test('scores of either sign leave the middle to their own side', () => {
  const all = [
    { label: 'political', value: -0.4, text: '−0.40' },
    { label: 'social', value: 0.2, text: '+0.20' },
  ]
  expect(centredBars(all, narrow).split('\n')).toEqual([
    'political  ███████│          −0.40',
    'social            │████      +0.20',
    '',
  ])
})

test('any values and labels fit the width', () => {
  const bar = fc.record({
    label: fc.string({ unit: 'grapheme' }),
    value: fc.option(fc.double({ min: -1e9, max: 1e9, noNaN: true })),
    text: fc.constant('12.4%'),
  })
  fc.assert(
    fc.property(fc.array(bar, { minLength: 1 }), fc.integer({ min: 50, max: 100 }), (all, width) => {
      for (const draw of [bars, centredBars]) {
        const lines = draw(all, { width, colour: false }).split('\n')
        expect(lines).toHaveLength(all.length + 1)
        expect(lines.filter((line) => stringWidth(line) > width)).toEqual([])
      }
    }),
    runs(),
  )
})

const day = 86_400_000
const start = Date.UTC(2026, 9, 1)
const terminal = { width: 49, colour: false }

function daily(percents: readonly number[]): LinePoint[] {
  return percents.map((percent, index) => ({ at: start + index * day, percent }))
}

test('a step of a rate is a step in the chart, with percent, dates and the change of version marked', () => {
  const points = daily([...Array<number>(20).fill(10), ...Array<number>(20).fill(18)])
  expect(lineChart(points, [start + 20 * day], terminal)).toBe(
    [
      '  18.0% ┤                    ╭───────────────────',
      '  17.0% ┤                    │',
      '  16.0% ┤                    │',
      '  15.0% ┤                    │',
      '  14.0% ┤                    │',
      '  13.0% ┤                    │',
      '  12.0% ┤                    │',
      '  11.0% ┤                    │',
      '  10.0% ┤────────────────────╯',
      '        └────────────────────▲───────────────────',
      '         2026-10-01     2026-10-20     2026-11-09',
      '',
    ].join('\n'),
  )
})

test('no line is drawn where the service had no readings', () => {
  const points = daily(Array<number>(40).fill(10)).filter((_, index) => index < 10 || index > 29)
  const columns = columnsOf(points, 40)
  expect(columns.slice(12, 28)).toEqual(Array(16).fill(undefined))
  expect(columns.slice(0, 10)).toEqual(Array(10).fill(10))
})

test('a few readings are joined, many are averaged', () => {
  expect(columnsOf(daily([0, 10]), 5)).toEqual([0, 3, 5, 7, 10])
  expect(columnsOf(daily([2, 4, 6, 8]), 2)).toEqual([3, 7])
})

test('noise does not become mountains: the axis spans at least two percentage points', () => {
  const shown = lineChart(daily([12, 12.1, 12, 12.1]), [], terminal)
  expect(shown).toMatch(/^ {2}13\.\d% ┤/)
  expect(shown).toMatch(/\n {2}11\.\d% ┤/)
})

test('the axis ends at 0% and at 100%', () => {
  expect(lineChart(daily([99.2, 99.6]), [], terminal)).toMatch(/^ 100\.0% ┤(?:.*\n){8} {2}98\.0% ┤/)
  expect(lineChart(daily([0.2, 0.6]), [], terminal)).toMatch(/^ {3}2\.0% ┤(?:.*\n){8} {3}0\.0% ┤/)
})

test('one moment makes no chart', () => {
  expect(lineChart(daily([12]), [], terminal)).toBe('')
  expect(lineChart([], [], terminal)).toBe('')
})

test('no label is above 100%, however small the span below it', () => {
  const points = [99.2, 100].map((percent, index) => ({ at: start + index * day, percent }))
  expect(lineChart(points, [], { width: 60, colour: false })).toMatch(/^ *100\.0%/)
})

test('any readings fit the width and stay between 0% and 100%', () => {
  const point = fc.record({
    at: fc.integer({ min: start, max: start + 400 * day }),
    percent: fc.double({ min: 0, max: 100, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(point), fc.integer({ min: 40, max: 100 }), (points, width) => {
      const sorted = points.toSorted((one, other) => one.at - other.at)
      const lines = lineChart(sorted, [start + day], { width, colour: false }).split('\n')
      expect(lines.filter((line) => line.length > width)).toEqual([])
      const labels = lines.flatMap((line) => /^ *(-?[\d.]+)%/.exec(line)?.[1] ?? []).map(Number)
      expect(labels.filter((label) => !(label >= 0 && label <= 100))).toEqual([])
    }),
    runs(),
  )
})
