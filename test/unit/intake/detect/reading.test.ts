import { describe, expect, test } from 'vitest'
import { learn } from '../../../../src/intake/detect/detect.ts'
import { type Observation, perRate } from '../../../../src/intake/detect/observation.ts'
import { alertOf, isAlert, withoutWithdrawn } from '../../../../src/intake/poll/finding-event.ts'
import { chance, normal } from '../../../system/detector/chance.ts'
import { days, learnt, noisy, noon, reading, see } from './readings.ts'

const hours = (day: number, count: number) => new Date(noon(day) + count * 3_600_000).toISOString()

describe('a reading is what was measured', () => {
  test('the same rates under new times are the same reading', () => {
    const restamped = days(0, 30, (day) => noisy(day, 0.2)).flatMap((one, day) =>
      Array.from({ length: 24 }, (_, hour) => ({
        ...one,
        at: hours(day, hour),
        lastUpdated: hours(day, hour),
      })),
    )
    const { state, findings } = see(learnt(), restamped)
    expect(findings).toEqual([])
    expect(state.bins.reduce((sum, bin) => sum + bin.readings, 0)).toBeLessThanOrEqual(50)
  })

  test('what comes soon after is more of the same measurement, and the last of it counts', () => {
    const off = { overall: 0.5, political: 0.5, safety: 0.5, social: 0.5 }
    const righted = { ...noisy(0, 0.2), at: hours(0, 2), lastUpdated: hours(0, 2) }
    const { state, findings } = see(learnt(), [reading(0, off), righted, noisy(1, 0.2)])
    expect(findings.map(({ status }) => status)).toEqual(['provisional', 'withdrawn'])
    expect(findings.filter(isAlert)).toHaveLength(1)
    const events = findings.map((finding) => alertOf('claude', finding, hours(0, 3)))
    const others = findings.map((finding) => alertOf('gemini', finding, hours(0, 3)))
    const [told, takenBack] = events
    expect(takenBack).toMatchObject({ revises: told?.id, type: told?.type, delta: 0 })
    expect(withoutWithdrawn([...events, ...others.slice(1)])).toEqual(others.slice(1))
    expect(withoutWithdrawn(others.slice(0, 1))).toEqual(others.slice(0, 1))
    expect(takenBack?.figures?.sentence).toMatch(
      /^−0.7 points \(95%: −4.1 to 2.9\), 19.2% of 500 against 19.9% .*; later readings do not confirm it$/,
    )
    // Once seen, a glitch is waited for.
    expect(state.glitches).toBeGreaterThan(0.9)
    expect(see(state, [reading(2, off)]).findings).toEqual([])
    expect(
      see(
        state,
        days(2, 2, (day) => noisy(day, 0.5)),
      ).findings,
    ).toHaveLength(1)
  })

  test('more prompts than the noise was learnt on are not believed at once', () => {
    const many = days(0, 20, (day) => ({
      ...noisy(day, 0.2),
      counts: { overall: 50_000, political: 20_000, safety: 20_000, social: 10_000 },
    }))
    expect(see(learnt(), many).findings).toEqual([])
  })

  test('a label that changes with each reading is no version, and operators can know', () => {
    const built = days(0, 30, (day) => ({ ...noisy(day, 0.2), version: `4.1 build ${day}` }))
    const { findings, remarks } = see(learnt(), built)
    expect(findings.filter(isAlert).length).toBeLessThanOrEqual(2)
    expect(remarks.map(({ kind }) => kind)).toContain('labels')
    const other = days(0, 10, (day) => ({ ...noisy(day, 0.2), version: day % 2 === 0 ? ' 4.1' : '4.1 ' }))
    expect(see(learnt(), other).findings).toEqual([])
  })
})

test('the end of a dip or a spike completes its story and is no alert', () => {
  for (const rate of [0.1, 0.32]) {
    const { findings } = see(learnt(), [
      ...days(0, 6, (day) => noisy(day, rate)),
      ...days(6, 25, (day) => noisy(day, 0.2)),
    ])
    expect(findings.filter(isAlert)).toHaveLength(1)
    expect(findings.at(-1)).toMatchObject({ status: 'ended', completes: { since: findings[0]?.since } })
  }
})

test('a slow rise is a drift and no spike', () => {
  const { findings } = see(
    learnt(),
    days(0, 60, (day) => noisy(day, 0.2 + 0.003 * day)),
  )
  const news = findings.filter(isAlert)
  expect(news).toHaveLength(1)
  expect(news[0]).toMatchObject({ status: 'drift', kind: 'policy_change' })
})

test('a step of twenty points while a small drift stands is an alert of its own', () => {
  const drift = days(0, 40, (day) => noisy(day, 0.2 + 0.0015 * day))
  const { state, findings } = see(learnt(), drift)
  expect(findings.filter(isAlert)).toMatchObject([{ status: 'drift' }])
  expect(see(state, [noisy(40, 0.46)]).findings).toMatchObject([{ kind: 'spike', completes: null }])
})

test('monthly readings are judged: twenty points are found at the first or the second', () => {
  const monthly = (from: number, count: number, rate: number) =>
    days(from, count, (month) => noisy(30 * month, rate))
  const { state } = learn(monthly(-12, 12, 0.2))
  expect(see(state, monthly(0, 12, 0.2)).findings).toEqual([])
  expect(see(state, monthly(0, 2, 0.4)).findings).toHaveLength(1)
})

describe('what cannot be found is remarked upon, with the reason', () => {
  const unjudged = (history: Observation[]) => see(learn(history).state, [noisy(0, 0.2)]).remarks

  test('where the rates are written on a coarse grid', () => {
    const coarse = days(-60, 60, (day) => {
      const { rates, ...rest } = noisy(day, 0.2)
      return { ...rest, rates: perRate((rate) => Math.round((rates[rate] ?? 0) * 10) / 10) }
    })
    expect(unjudged(coarse)).toEqual([
      expect.objectContaining({
        kind: 'unjudged',
        about: expect.stringContaining('multiples of 10 %; more digits'),
      }),
    ])
  })

  test('where readings are so often far off that three must agree', () => {
    const wild = days(-365, 365, (day) => noisy(day, 0.2 + (day % 9 === 0 ? 0.4 : 0)))
    expect(unjudged(wild)[0]?.about).toMatch(/^(no change is|changes of less than \d+ points are not) found/)
  })

  test('where two of them must agree, and so many do not come within a fortnight', () => {
    const apart = (from: number, count: number) => days(from, count, (time) => noisy(14 * time, 0.2))
    const { remarks } = see(learn(apart(-26, 26)).state, apart(0, 1))
    expect(remarks.map(({ about }) => about)).toEqual([
      'falls are not found within a fortnight, since its readings are 14 days apart; more frequent readings would help',
    ])
  })

  test('where noise hides ten points either way, which then are found less than every other time', () => {
    const seeds = Array.from({ length: 8 }, (_, index) => index + 1)
    const limits = seeds.flatMap((seed) => {
      // The harness moves all prompts of a reading alike, by about seven points.
      const shaken = (by: number) => (day: number) => {
        const shift = 0.07 * normal(chance(seed, day + 1000))
        return noisy(day, Math.max(0, 0.3 + by + shift), seed)
      }
      const { state } = see(learn(days(-365, 365, shaken(0))).state, days(0, 14, shaken(0)))
      const [remark] = see(state, [shaken(0)(14)]).remarks
      expect(remark?.about).toMatch(
        /^(changes|falls) .*are not found within a fortnight, since .*(would help|this passes)/,
      )
      return [-0.1, 0.1].map((by) => {
        const direction = by < 0 ? 'fall' : 'rise'
        const { findings } = see(state, days(14, 14, shaken(by)))
        return findings.some((one) => one.completes === null && one.direction === direction)
      })
    })
    expect(limits.filter(Boolean).length).toBeLessThan(seeds.length)
  })

  test('and nothing is where ten points are found at once', () => {
    expect(unjudged(days(-60, 60, (day) => noisy(day, 0.2)))).toEqual([])
  })
})

test('what an instalment showed is not borne out by the rest of the same measurement', () => {
  const part = (hour: number, rate: number) => {
    const { rates, ...rest } = noisy(0, rate)
    return { ...rest, rates, at: hours(0, hour), lastUpdated: hours(0, hour) }
  }
  const { findings } = see(learnt(), [
    part(0, 0.38),
    part(1, 0.31),
    part(2, 0.22),
    ...days(1, 3, (day) => noisy(day, 0.2)),
  ])
  expect(findings.map(({ status }) => status)).toEqual(['provisional', 'withdrawn'])
})

test.each([
  ['daily', 1, 0.25],
  ['weekly', 7, 1],
])('after a %s history, readings that come more often count each once ten have come', (_, before, every) => {
  const { state } = learn(days(-52, 52, (index) => noisy(index * before, 0.2)))
  const often = Array.from({ length: 60 }, (__, index) => noisy(index * every, 0.2))
  const seen = see(state, often)
  const from = noon(0)
  const counted = seen.state.bins
    .filter((bin) => bin.from >= from)
    .reduce((sum, bin) => sum + bin.readings, 0)
  expect(counted).toBeGreaterThanOrEqual(48)
  expect(see(seen.state, [noisy(60 * every, 0.32), noisy(61 * every, 0.32)]).findings).toHaveLength(1)
})
