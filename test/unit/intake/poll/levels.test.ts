import { expect, test } from 'vitest'
import type { Levels } from '../../../../src/event/levels.ts'
import type { DetectorState } from '../../../../src/intake/detect/state.ts'
import { alertOf } from '../../../../src/intake/poll/finding-event.ts'
import { corroborates } from '../../../../src/intake/poll/levels.ts'
import { days, learnt, noisy, noon, reading, see } from '../detect/readings.ts'

const hourMs = 3_600_000

function at(day: number, hours = 0): string {
  return new Date(noon(day) + hours * hourMs).toISOString()
}

function levelsOf(detector: DetectorState, step: Parameters<typeof corroborates>[1]): Levels {
  const shown = corroborates(detector, step)
  if (shown.state !== 'visible' || shown.levels === null)
    throw new Error(`no levels: ${JSON.stringify(shown)}`)
  return shown.levels
}

/** Three calm days, and then two at 35%. */
const changed = see(learnt(), [
  ...days(0, 3, (day) => noisy(day, 0.2)),
  ...days(3, 2, (day) => noisy(day, 0.35)),
])
const step = { category: 'overall', delta: 15, detectedAt: at(3) }

test('of a change that the detector found, a report is shown the levels that it found', () => {
  const first = see(learnt(), [...days(0, 3, (day) => noisy(day, 0.2)), noisy(3, 0.35)])
  const [finding] = first.findings
  if (finding === undefined) throw new Error('nothing was found')
  const told = alertOf('claude', finding, at(3)).figures?.levels
  const { size, interval, ...levels } = levelsOf(first.state, step)
  expect(told).toMatchObject(levels)
  expect(levels).toMatchObject({ category: 'overall', since: at(3), now: { prompts: 500, readings: 1 } })
  // A reported time was not chosen for what it shows.
  expect(size).toBeCloseTo(levels.now.rate - levels.before.rate, 1)
  expect(interval[0]).toBeLessThan(size)
  expect(interval[1]).toBeGreaterThan(size)
})

test('a reader can recompute the standard errors', () => {
  const { before, now, noise, besides, standardErrors } = levelsOf(changed.state, step)
  const arcsine = ({ rate }: Levels['now']) => 2 * Math.asin(Math.sqrt(rate / 100))
  const middle = (before.rate + now.rate) / 200
  const rest = besides / 100 / Math.sqrt(middle * (1 - middle))
  const error = Math.sqrt(noise * (1 / (now.prompts ?? 0) + 1 / (before.prompts ?? 0)) + rest ** 2)
  expect((arcsine(now) - arcsine(before)) / error).toBeCloseTo(standardErrors, 1)
  expect(now).toMatchObject({ prompts: 1_000, readings: 2 })
})

test.each<[string, Parameters<typeof corroborates>[1], object]>([
  ['before anything was read since', { ...step, detectedAt: at(5) }, { state: 'not-shown' }],
  ['in a category that is not published', { ...step, category: 'sports' }, { state: 'not-shown' }],
  ['without a category', { ...step, category: null }, { state: 'not-shown' }],
  ['without a time', { ...step, detectedAt: null }, { state: 'not-shown' }],
  ['the other way', { ...step, delta: -15 }, { state: 'not-yet' }],
  ['much larger than what is there', { ...step, delta: 60 }, { state: 'not-yet' }],
  ['of no size that can be read', { ...step, delta: null }, { state: 'visible', levels: { since: at(3) } }],
  ['of all prompts', { ...step, category: 'All' }, { state: 'visible', levels: { category: 'overall' } }],
  [
    'in a category that moved with the whole',
    { ...step, category: 'Political' },
    { state: 'visible', levels: { category: 'political', since: at(3), now: { prompts: 400 } } },
  ],
  [
    'dated a little after the reading that shows it',
    { ...step, detectedAt: at(3, 20) },
    { state: 'visible', levels: null },
  ],
])('a report %s', (_, one, shown) => {
  expect(corroborates(changed.state, one)).toMatchObject(shown)
})

test('what was found days before is not taken for a change that no reading shows yet', () => {
  const { state } = see(
    changed.state,
    days(5, 2, (day) => noisy(day, 0.35)),
  )
  expect(corroborates(state, { ...step, detectedAt: at(7) })).toEqual({ state: 'not-shown' })
})

test('a level that was read before the change was detected is not of this change', () => {
  const first = see(learnt(), [...days(0, 3, (day) => noisy(day, 0.2)), noisy(3, 0.35)])
  expect(first.findings).toHaveLength(1)
  const shownAt = (time: string) => corroborates(first.state, { ...step, detectedAt: time })
  expect(shownAt(at(3))).toMatchObject({ state: 'visible', levels: { since: at(3) } })
  expect(shownAt(new Date(noon(3) + 1_000).toISOString())).toEqual({ state: 'not-yet' })
  expect(shownAt(at(3, 1))).toEqual({ state: 'not-shown' })
})

test('a measurement with more prompts after the change was detected has that date', () => {
  const whole = noisy(3, 0.35)
  const later = { ...whole, at: at(3, 4), lastUpdated: at(3, 4) }
  const seen = see(learnt(), [...days(0, 3, (day) => noisy(day, 0.2)), noisy(3, 0.2), later])
  expect(seen.state.bins.at(-1)).toMatchObject({ from: noon(3), readings: 1 })
  expect(levelsOf(seen.state, { ...step, detectedAt: at(3, 4) })).toMatchObject({ since: at(3, 4) })
  expect(corroborates(seen.state, { ...step, detectedAt: at(3, 5) })).toEqual({ state: 'not-shown' })
})

test('a reading that has a date and no time counts if it was first read after the change was detected', () => {
  const midnight = Date.parse('2026-01-05')
  const dated = { ...noisy(4, 0.35), lastUpdated: new Date(midnight).toISOString() }
  const { state } = see(learnt(), [...days(0, 3, (day) => noisy(day, 0.2)), dated])
  const firstRead = [{ time: midnight, at: midnight + 9 * hourMs }]
  const shownAt = (hours: number) =>
    corroborates(state, { ...step, detectedAt: new Date(midnight + hours * hourMs).toISOString() }, firstRead)
  expect(shownAt(8)).toMatchObject({
    state: 'visible',
    levels: {
      since: new Date(midnight).toISOString(),
      firstRead: new Date(midnight + 9 * hourMs).toISOString(),
    },
  })
  expect(shownAt(10)).toEqual({ state: 'not-shown' })
})

test('a change that is too small to be found alone is shown at the time that the service names', () => {
  const { state, findings } = see(learnt(), [
    ...days(0, 3, (day) => noisy(day, 0.2)),
    ...days(3, 2, (day) => reading(day, { overall: 0.222 + day / 1_000, political: 0.2 + day / 1_000 })),
  ])
  expect(findings).toEqual([])
  expect(levelsOf(state, { ...step, delta: 3 })).toMatchObject({
    since: at(3),
    now: { rate: 22.55, prompts: 1_000, readings: 2 },
  })
})

test('a second step soon after a first is shown from the level between them', () => {
  const { state } = see(changed.state, [...days(5, 1, (day) => noisy(day, 0.35)), noisy(6, 0.55)])
  const { before, now } = levelsOf(state, { ...step, delta: 20, detectedAt: at(6) })
  expect(Math.abs(before.rate - 35)).toBeLessThan(4)
  expect(Math.abs(now.rate - 55)).toBeLessThan(5)
})
