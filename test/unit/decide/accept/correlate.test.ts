import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changeOf, sameChange, sameChangeMs } from '../../../../src/decide/accept/correlate.ts'
import type { AlertEvent } from '../../../../src/event/event.ts'
import { alert, finding } from '../../../support/fakes/events.ts'
import { runs } from '../../../support/runs.ts'

const at = Date.parse('2026-11-21T13:05:00Z')
const after = (milliseconds: number) => new Date(at + milliseconds).toISOString()

/** Whether the finding of polling is the change that the service reported, in both orders. */
function isOne(reported: Partial<AlertEvent>, found: Partial<AlertEvent>): boolean[] {
  const [report, seen] = [changeOf(alert(reported)), changeOf(finding(found))]
  return [sameChange(seen, [report]) !== undefined, sameChange(report, [seen]) !== undefined]
}

describe('one change', () => {
  test.each<[string, Partial<AlertEvent>, Partial<AlertEvent>]>([
    ['as it was reported', {}, {}],
    ['of a type with another name', { type: 'policy_change' }, { type: 'censorship_spike' }],
    ['in another spelling of the category', { category: 'Political' }, { category: 'political' }],
    ['seen in the overall rate, as a smaller change', { delta: 12 }, { category: 'overall', delta: 3 }],
    ['reported of the whole', { category: 'all', delta: 3 }, { category: 'political', delta: 12 }],
    ['of a category that cannot be read', { category: null }, {}],
    ['of a size within the sampling error', { delta: 12 }, { delta: 15, figures: figures(15, 5) }],
    ['measured against another baseline', { delta: 20 }, { delta: 11, figures: figures(11, 40) }],
    ['a small one, a point apart', { delta: 1 }, { delta: 2, figures: figures(2, 40) }],
    ['dated some days later', {}, { detectedAt: after(sameChangeMs) }],
    ['dated some days before', {}, { detectedAt: after(-sameChangeMs) }],
    ['whose time cannot be read', { detectedAt: null }, {}],
  ])('%s', (_, reported, found) => {
    expect(isOne(reported, found)).toEqual([true, true])
  })
})

describe('two changes', () => {
  test.each<[string, Partial<AlertEvent>, Partial<AlertEvent>]>([
    ['of two models', { model: 'gemini' }, {}],
    ['of a model that is not named', { model: null }, { model: null }],
    ['of two categories', { category: 'safety' }, {}],
    ['up and down', { delta: -12 }, {}],
    ['of sizes that no sampling error explains', { delta: 30 }, { delta: 10, figures: figures(10, 20) }],
    ['larger overall than in the category', { delta: 5 }, { category: 'overall', delta: 25 }],
    ['days apart', {}, { detectedAt: after(sameChangeMs + 1) }],
  ])('%s', (_, reported, found) => {
    expect(isOne(reported, found)).toEqual([false, false])
  })

  test('that came by the same way, however alike', () => {
    expect(sameChange(changeOf(alert({ id: 'evt_2' })), [changeOf(alert())])).toBeUndefined()
    const listed = changeOf(alert({ id: 'evt_2', source: 'poll' }))
    expect(sameChange(listed, [changeOf(alert())])).toBeUndefined()
    expect(sameChange(changeOf(finding({ id: 'poll_2' })), [changeOf(finding())])).toBeUndefined()
  })
})

describe('a change without a size', () => {
  const label = finding({ type: 'policy_change', category: 'overall', delta: 0 })

  test('is the same as the step that came before it', () => {
    expect(sameChange(changeOf(label), [changeOf(alert())])?.id).toBe('evt_1')
  })

  test('does not stand for the step that comes after it', () => {
    expect(sameChange(changeOf(alert()), [changeOf(label)])).toBeUndefined()
  })

  test('is the same as another of its type', () => {
    const unread = alert({ type: 'policy_change', delta: null })
    expect(sameChange(changeOf(unread), [changeOf(label)])?.id).toBe('poll_1')
    expect(sameChange(changeOf(alert({ delta: null })), [changeOf(label)])).toBeUndefined()
  })
})

test('of several, the nearest in category goes before the nearest in time', () => {
  const candidates = [
    finding({ id: 'poll_whole', category: 'overall' }),
    finding({ id: 'poll_far', detectedAt: after(-50_000_000) }),
    finding({ id: 'poll_near', detectedAt: after(40_000_000) }),
  ]
  expect(sameChange(changeOf(alert()), candidates.map(changeOf))?.id).toBe('poll_near')
})

test('two reports of the same way are never one change, and the order of two steps makes no difference', () => {
  const events = fc.record({
    model: fc.constantFrom('claude', 'gemini', null),
    category: fc.constantFrom('political', 'overall', 'ALL', '__proto__', '', null),
    delta: fc.option(fc.double({ min: -100, max: 100, noNaN: true })),
    detectedAt: fc.option(fc.integer({ min: -2 * sameChangeMs, max: 2 * sameChangeMs }).map(after)),
  })
  fc.assert(
    fc.property(events, events, (one, other) => {
      const [report, seen] = [changeOf(alert(one)), changeOf(finding(other))]
      expect(sameChange(report, [changeOf(alert({ ...other, id: 'evt_2' }))])).toBeUndefined()
      const haveSizes = Boolean(report.delta) && Boolean(seen.delta)
      const [first, second] = [sameChange(seen, [report]), sameChange(report, [seen])]
      const isEvenHanded = !haveSizes || (first === undefined) === (second === undefined)
      const isOfOneModel = first === undefined || report.model === seen.model
      expect({ isEvenHanded, isOfOneModel }).toEqual({ isEvenHanded: true, isOfOneModel: true })
    }),
    runs(),
  )
})

function figures(delta: number, standardErrors: number): NonNullable<AlertEvent['figures']> {
  return {
    state: 'visible',
    sentence: null,
    rate: 20 + delta,
    sampleSize: 500,
    baseline: 20,
    baselineDays: 30,
    standardErrors,
    readAt: null,
  }
}
