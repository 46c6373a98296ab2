import { describe, expect, test } from 'vitest'
import { learn } from '../../../../src/intake/detect/detect.ts'
import { DetectorState, emptyState } from '../../../../src/intake/detect/state.ts'
import { isAlert } from '../../../../src/intake/poll/finding-event.ts'
import { days, learnt, noisy, noon, reading, see } from './readings.ts'

const iso = (day: number) => new Date(noon(day)).toISOString()

describe('a step', () => {
  test('of ten points on all prompts is a spike, with every figure that led to it', () => {
    const { findings } = see(learnt(), [noisy(0, 0.31)])
    expect(findings).toMatchObject([
      {
        kind: 'spike',
        category: 'overall',
        direction: 'rise',
        since: iso(0),
        foundAt: iso(0),
        completes: null,
        figures: { readings: 1, n: 500, readingsPerYear: 365, baselineDays: 48 },
      },
    ])
    const figures = findings[0]?.figures
    expect(figures?.standardErrors).toBeGreaterThan(figures?.threshold ?? 9)
    expect(findings[0]?.sentence).toMatch(
      /^\+1\d\.\d points \(95%: \d\.\d to 1\d\.\d\), 3\d\.\d% of 500 against [12]\d\.\d% of 2\d,\d00 in 48 readings; [4-9]\.\d standard errors, noise 1\.0 × binomial; provisional: one reading shows it$/,
    )
  })

  test('in one category names that category', () => {
    const { findings } = see(
      learnt(),
      days(0, 3, (day) => noisy(day, 0.2, 7, { political: 0.25 })),
    )
    expect(findings).toMatchObject([{ kind: 'spike', category: 'political', direction: 'rise' }])
  })

  test('of another category a day later is another finding, and of all categories at once it is one', () => {
    const later = see(learnt(), [
      noisy(0, 0.2, 7, { political: 0.35 }),
      ...days(1, 5, (day) => noisy(day, 0.2, 7, { political: 0.35, safety: 0.3 })),
    ])
    expect(later.findings.map(({ category, since }) => [category, since])).toEqual([
      ['political', iso(0)],
      ['safety', iso(1)],
    ])
    const atOnce = days(0, 6, (day) => noisy(day, 0.2, 7, { political: 0.35, safety: 0.3 }))
    expect(see(learnt(), atOnce).findings).toHaveLength(1)
  })

  test('is one finding however long it lasts, and a policy change that completes it after a week', () => {
    const { findings } = see(
      learnt(),
      days(0, 40, (day) => noisy(day, 0.32)),
    )
    expect(findings).toMatchObject([
      { kind: 'spike', category: 'overall', completes: null },
      {
        kind: 'policy_change',
        category: 'overall',
        completes: { kind: 'spike', category: 'overall', since: iso(0) },
      },
    ])
    expect(findings[1]?.sentence).toContain('it has stayed for 7 days')
  })

  test('down is a policy change once two readings agree, and one low reading is none', () => {
    const falls = see(
      learnt(),
      days(0, 20, (day) => noisy(day, 0.1)),
    )
    expect(falls.findings).toMatchObject([{ kind: 'policy_change', direction: 'fall', completes: null }])
    const glitch = see(learnt(), [reading(0, { overall: 0, political: 0, safety: 0, social: 0 })])
    expect(
      see(
        glitch.state,
        days(1, 20, (day) => noisy(day, 0.2)),
      ).findings,
    ).toEqual([])
    expect(glitch.findings).toEqual([])
  })

  test('down after few readings is found as well: the first low one teaches no noise before the second', () => {
    const weeks = (from: number, count: number, rate: number) =>
      Array.from({ length: count }, (_, week) => noisy((from + week) * 7, rate))
    const steps = [3, 5, 8, 15].map((live) => {
      const { state } = learn(weeks(-12, 12, 0.2))
      const { findings } = see(state, [...weeks(0, live, 0.2), ...weeks(live, 2, 0.1)])
      return findings.map(({ direction, since }) => [direction, since])
    })
    expect(steps).toEqual([3, 5, 8, 15].map((live) => [['fall', iso(live * 7)]]))
  })

  test('that falls back and comes again goes on with its story', () => {
    const { findings } = see(learnt(), [
      ...days(0, 3, (day) => noisy(day, 0.35)),
      ...days(3, 10, (day) => noisy(day, 0.2)),
      ...days(13, 3, (day) => noisy(day, 0.35)),
    ])
    expect(findings.map(({ kind, since }) => [kind, since])).toEqual([
      ['spike', iso(0)],
      ['policy_change', iso(0)],
      ['spike', iso(13)],
    ])
    expect(findings.map(({ completes }) => completes?.since)).toEqual([undefined, iso(0), iso(0)])
  })

  test('up and up again is reported twice', () => {
    const { findings } = see(learnt(), [
      ...days(0, 5, (day) => noisy(day, 0.32)),
      ...days(5, 3, (day) => noisy(day, 0.6)),
    ])
    expect(findings.filter(isAlert).map(({ since }) => since)).toEqual([iso(0), iso(5)])
  })

  test('that is seen after an outage of two weeks is found at the first reading', () => {
    expect(see(learnt(), [noisy(14, 0.33)]).findings).toMatchObject([{ kind: 'spike', since: iso(14) }])
  })

  test('from 0 or from 100 percent is found, and a few refusals are not', () => {
    for (const [calm, few, many] of [
      [0, 0.004, 0.08],
      [1, 0.996, 0.92],
    ] as const) {
      const all = (rate: number) => ({ overall: rate, political: rate, safety: rate, social: rate })
      const { state } = see(
        emptyState(),
        days(-60, 60, (day) => reading(day, all(calm))),
      )
      expect(
        see(
          state,
          days(0, 2, (day) => reading(day, all(few))),
        ).findings,
      ).toEqual([])
      expect(
        see(
          state,
          days(0, 2, (day) => reading(day, all(many + day / 500))),
        ).findings,
      ).toHaveLength(1)
    }
  })
})

describe('a new version label', () => {
  test('is a policy change, with its step where it comes with one', () => {
    const next = { version: '4.2' }
    const alone = see(learnt(), [{ ...noisy(0, 0.2), ...next }])
    expect(alone.findings).toMatchObject([
      { kind: 'policy_change', category: null, figures: null, sentence: 'version 4.1 became 4.2' },
    ])
    const both = see(learnt(), [{ ...noisy(0, 0.33), ...next }])
    expect(both.findings).toMatchObject([
      { kind: 'policy_change', category: 'overall', direction: 'rise', version: { from: '4.1', to: '4.2' } },
    ])
  })

  test('is completed by the step that shows later, and by going back', () => {
    const { findings } = see(learnt(), [
      { ...noisy(0, 0.2), version: '4.2' },
      ...days(1, 3, (day) => ({ ...noisy(day, 0.33), version: '4.2' })),
      { ...noisy(4, 0.33), version: '4.1' },
    ])
    const about = { kind: 'policy_change', category: null, since: iso(0) }
    expect(findings).toMatchObject([
      { category: null, completes: null },
      { kind: 'policy_change', category: 'overall', completes: about },
      { category: null, version: { from: '4.2', to: '4.1' }, completes: { kind: 'policy_change' } },
    ])
  })

  test('is reported at a repeated reading too; a missing or blank one says nothing', () => {
    const repeated = { ...noisy(-1, 0.2), version: '4.2' }
    expect(see(learnt(), [repeated, repeated]).findings).toHaveLength(1)
    expect(
      see(learnt(), [
        { ...noisy(0, 0.2), version: null },
        { ...noisy(1, 0.2), version: ' ' },
      ]).findings,
    ).toEqual([])
  })
})

describe('the state', () => {
  test('goes through JSON and its schema unchanged, and then answers the same', () => {
    const { state } = see(learnt(), [...days(0, 3, (day) => noisy(day, 0.35)), { at: iso(3), gone: true }])
    const stored = DetectorState.parse(JSON.parse(JSON.stringify(state)))
    expect(stored).toEqual(state)
    const next = days(4, 10, (day) => noisy(day, 0.2))
    expect(see(stored, next)).toEqual(see(state, next))
  })

  test('is not changed by a look', () => {
    const state = learnt()
    const before = JSON.stringify(state)
    see(
      state,
      days(0, 3, (day) => noisy(day, 0.35)),
    )
    expect(JSON.stringify(state)).toBe(before)
  })
})

describe('what one reading shows', () => {
  test('is provisional, and confirmed once, by the next that shows most of it', () => {
    const raised = days(0, 6, (day) => noisy(day, 0.34, 7))
    const { findings, confirmed } = see(learnt(), raised)
    const [first] = findings
    expect(first).toMatchObject({ status: 'provisional', kind: 'spike' })
    expect(confirmed).toMatchObject([
      {
        status: 'confirmed',
        since: first?.since,
        completes: { since: first?.since },
        judges: { kind: 'spike', foundAt: first?.foundAt },
        sentence: expect.stringMatching(/ in 2 readings .*; confirmed by the readings after the first$/),
      },
    ])
  })
})
