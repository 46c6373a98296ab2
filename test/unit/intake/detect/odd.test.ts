import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { learn } from '../../../../src/intake/detect/detect.ts'
import type { Observation } from '../../../../src/intake/detect/observation.ts'
import { perRate } from '../../../../src/intake/detect/observation.ts'
import { DetectorState, emptyState } from '../../../../src/intake/detect/state.ts'
import { runs } from '../../../support/runs.ts'
import { days, learnt, noisy, noon, reading, see } from './readings.ts'

const none = perRate(() => null)

describe('no alarm, but a remark', () => {
  test.each<[string, Observation, string, string]>([
    ['no rate at all', reading(0, none), 'empty', ''],
    ['a missing rate', reading(0, { political: null }), 'missing', 'political'],
    ['NaN', reading(0, { overall: Number.NaN, safety: 0.21 }), 'unreadable', 'overall'],
    ['a percentage among fractions', reading(0, { overall: 99 }), 'unreadable', 'overall'],
    ['a negative rate', reading(0, { social: -0.1 }), 'unreadable', 'social'],
    [
      'an earlier last_updated',
      reading(0, { overall: 0.9 }, { lastUpdated: '2025-11-01T12:00:00Z' }),
      'backward',
      '',
    ],
    [
      'a last_updated of next year',
      reading(0, {}, { lastUpdated: '2027-02-01T12:00:00Z' }),
      'unreadable',
      'last_updated',
    ],
    [
      'a last_updated that is no date',
      reading(0, {}, { lastUpdated: 'yesterday' }),
      'unreadable',
      'last_updated',
    ],
    ['the last point of the history again', noisy(-1, 0.2), 'repeated', ''],
    ['a time that is no date', reading(0, {}, { at: 'now' }), 'unreadable', 'at'],
  ])('for %s', (_, observation, kind, about) => {
    const { findings, remarks } = see(learnt(), [observation])
    expect(findings).toEqual([])
    expect(remarks).toContainEqual(expect.objectContaining({ kind, about, times: 1 }))
  })

  test('for a model that is gone, with how long; what comes back is watched as before', () => {
    const gone = days(0, 3, (day) => reading(day)).map(({ at }) => ({ at, gone: true as const }))
    const away = see(learnt(), gone)
    expect(away.findings).toEqual([])
    expect(away.remarks.at(-1)).toEqual({
      kind: 'gone',
      about: '',
      since: new Date(noon(0)).toISOString(),
      times: 3,
    })
    const back = see(away.state, [noisy(3, 0.2), noisy(4, 0.35)])
    expect(back.findings).toHaveLength(1)
    expect(back.remarks).toEqual([])
  })

  test('for the same reading again, which counts once', () => {
    const once = see(learnt(), [noisy(0, 0.21)])
    const often = see(once.state, [
      noisy(0, 0.21),
      { ...noisy(0, 0.21), at: new Date(noon(0.5)).toISOString() },
    ])
    expect(often.state.bins).toEqual(once.state.bins)
    expect(often.remarks.map(({ kind, times }) => [kind, times])).toEqual([
      ['repeated', 1],
      ['repeated', 2],
    ])
  })

  test('for other rates under the same last_updated, which are still seen', () => {
    const stuck = days(0, 4, (day) => ({ ...noisy(day, 0.35), lastUpdated: new Date(noon(0)).toISOString() }))
    const { findings, remarks } = see(learnt(), stuck)
    expect(findings).toHaveLength(1)
    expect(remarks.map(({ kind }) => kind)).toEqual(['revised', 'revised', 'revised'])
  })
})

test('a rate that the service never gave is not missed', () => {
  const metrics = (day: number) => ({ ...noisy(day, 0.2), rates: { ...noisy(day, 0.2).rates, social: null } })
  const { state } = see(emptyState(), days(-60, 60, metrics))
  expect(see(state, [metrics(0)]).remarks).toEqual([])
})

test('a step is found where no sample size is known', () => {
  const unknown = (day: number, rate: number) => ({ ...noisy(day, rate), counts: none })
  const { state } = learn(days(-120, 120, (day) => unknown(day, 0.2)))
  const { findings } = see(
    state,
    days(0, 3, (day) => unknown(day, 0.34)),
  )
  expect(findings).toMatchObject([{ kind: 'spike', category: 'overall', figures: { n: null } }])
  expect(findings[0]?.sentence).not.toContain(' of ')
})

test('counts that cannot be are unknown', () => {
  for (const count of [0, -5, Number.NaN, 1e12]) {
    const { state } = learn(days(-60, 60, (day) => ({ ...noisy(day, 0.2), counts: perRate(() => count) })))
    expect(state.charts.overall.n).toBeNull()
  }
})

test('nothing is found in a history of less than a week, nor in the first readings after none', () => {
  expect(see(emptyState(), [noisy(0, 0.1), noisy(1, 0.9), noisy(2, 0.1), noisy(3, 0.9)]).findings).toEqual([])
})

test('changes in the history are learnt, in any order of its points, and not found again', () => {
  const history = [...days(-120, 60, (day) => noisy(day, 0.2)), ...days(-60, 60, (day) => noisy(day, 0.35))]
  const { state, findings } = learn(history.toReversed())
  expect(findings.filter(({ completes }) => completes === null)).toHaveLength(1)
  expect(
    see(
      state,
      days(0, 10, (day) => noisy(day, 0.35)),
    ).findings,
  ).toEqual([])
})

test('noise is learnt: a usual jump is no change, but if readings hardly vary, a small one is', () => {
  const wild = (day: number) => noisy(day, day % 2 === 0 ? 0.14 : 0.26)
  expect(see(learn(days(-120, 120, wild)).state, days(0, 30, wild)).findings).toEqual([])
  const steady = (day: number, rate: number) =>
    reading(
      day,
      perRate((name) => rate + (name === 'overall' ? 0.002 : 0.005) * ((Math.abs(day) % 3) - 1)),
    )
  const { state } = learn(days(-120, 120, (day) => steady(day, 0.2)))
  const findingsAfter = (calmDays: number) =>
    see(state, [
      ...days(0, calmDays, (day) => steady(day, 0.2)),
      ...days(calmDays, 2, (day) => steady(day, 0.25)),
    ]).findings
  // A history may be of means; readings that are no wider apart bear it out.
  expect(findingsAfter(0)).toEqual([])
  expect(findingsAfter(10)).toHaveLength(1)
})

test('with any readings, the state stays readable and its answer the same', () => {
  const rate = fc.oneof(fc.constant(null), fc.double(), fc.double({ min: 0, max: 1, noNaN: true }))
  const rates = fc.record({ overall: rate, political: rate, safety: rate, social: rate })
  const time = fc.oneof(
    fc.integer({ min: -5, max: 60 }).map((day) => new Date(noon(day)).toISOString()),
    fc.string(),
  )
  const observation = fc.oneof(
    {
      weight: 9,
      arbitrary: fc.record({
        at: time,
        version: fc.option(fc.constantFrom('4.1', '4.2', '')),
        lastUpdated: fc.option(time),
        rates,
        counts: rates,
      }),
    },
    { weight: 1, arbitrary: fc.record({ at: time, gone: fc.constant(true as const) }) },
  )
  const start = learnt(60)
  fc.assert(
    fc.property(fc.array(observation, { maxLength: 40 }), (observations) => {
      const { state, findings } = see(start, observations)
      expect(DetectorState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state)
      expect(see(start, observations).findings).toEqual(findings)
      for (const { figures } of findings) {
        for (const figure of Object.values(figures ?? {})) expect(figure).not.toBeNaN()
      }
    }),
    runs(),
  )
})
