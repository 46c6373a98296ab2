import { expect, test } from 'vitest'
import type { Observation } from '../../../../src/intake/detect/observation.ts'
import { isAlert } from '../../../../src/intake/poll/finding-event.ts'
import { follow, lacksSocial } from '../../../../src/intake/poll/follow.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-01-01T12:00:00Z')

/** A reading of so many days after the start; the rates wiggle a little, each in its own way. */
function reading(
  day: number,
  changes: Partial<Observation['rates']> = {},
  at = start + day * dayMs,
): Observation {
  const wiggle = (phase: number) => Math.round(8 * Math.sin(day * 1.7 + phase)) / 500
  const time = new Date(at).toISOString()
  return {
    at: time,
    version: '2.4',
    lastUpdated: time,
    rates: {
      overall: 0.2 + wiggle(0),
      political: 0.18 + wiggle(1),
      safety: 0.35 + wiggle(2),
      social: 0.1 + wiggle(3),
      ...changes,
    },
    counts: { overall: 500, political: 200, safety: 200, social: 100 },
  }
}
const past = (days: number) =>
  Array.from({ length: days }, (_, day) => ({ ...reading(day), lastUpdated: null }))
const learnt = () => follow(null, { reading: null, history: past(40) }, start + 40 * dayMs).detector

test('the first history is learnt and not reported; what came since polling began is reported', () => {
  const raised = { overall: 0.4, political: 0.6 }
  const history = [...past(40), ...[40, 41].map((day) => ({ ...reading(day, raised), lastUpdated: null }))]
  const told = (from: number) =>
    follow(null, { reading: null, history }, start + from * dayMs).findings.filter(isAlert).length
  expect(told(60)).toBe(0)
  expect(told(40)).toBe(1)
})

test('a rate for social that the history has only later is looked at then', () => {
  const withoutSocial = reading(40, { social: null })
  const first = follow(learnt(), { reading: withoutSocial, history: null }, 0)
  expect(first.findings).toEqual([])
  if (first.detector === null) throw new Error('it was learnt')
  expect(lacksSocial(first.detector)).toBe(true)

  const history = [...past(40), { ...reading(40, { social: 0.5 }), lastUpdated: null }]
  const second = follow(first.detector, { reading: withoutSocial, history }, 0)
  expect(second.findings).toMatchObject([{ category: 'social', kind: 'spike', since: withoutSocial.at }])
  if (second.detector === null) throw new Error('it was learnt')
  expect(lacksSocial(second.detector)).toBe(false)
  expect(follow(second.detector, { reading: withoutSocial, history }, 0).findings).toEqual([])
})

test('a history whose points are dated by the day is not counted beside the readings', () => {
  const dated = (day: number, changes = {}) => ({
    ...reading(day, changes, start + day * dayMs - dayMs / 2),
    lastUpdated: null,
  })
  const history = [...past(40), dated(40), dated(41)]
  const before = learnt()
  const once = follow(before, { reading: reading(40, { social: null }), history }, 0)
  const twice = follow(once.detector, { reading: reading(41, { social: null }), history }, 0)
  const readings = twice.detector?.bins.reduce((total, bin) => total + bin.readings, 0) ?? 0
  expect(readings).toBe((before?.bins.reduce((total, bin) => total + bin.readings, 0) ?? 0) + 2)
})

test('readings that were missed are filled in from the history, and a change in them is found there', () => {
  const raised = { overall: 0.4, political: 0.6 }
  const history = [
    ...past(40),
    ...[40, 41, 42, 43].map((day) => ({ ...reading(day, day < 42 ? {} : raised), lastUpdated: null })),
  ]
  const { findings } = follow(learnt(), { reading: reading(43, raised), history }, 0)
  expect(findings.filter(isAlert)).toMatchObject([
    { since: reading(42).at, foundAt: reading(42).at, direction: 'rise' },
  ])
})

test('after months away it learns anew, and reports what changed meanwhile', () => {
  const raised = { overall: 0.4, political: 0.6 }
  const history = Array.from({ length: 100 }, (_, day) => ({
    ...reading(day, day < 90 ? {} : raised),
    lastUpdated: null,
  }))
  const { findings } = follow(learnt(), { reading: reading(100, raised), history }, 0)
  expect(findings[0]).toMatchObject({ since: reading(90).at, direction: 'rise' })
})

test('without a history the readings themselves become the baseline', () => {
  let { detector } = follow(null, { reading: reading(0), history: [] }, 0)
  for (let day = 1; day < 30; day++)
    detector = follow(detector, { reading: reading(day), history: null }, 0).detector
  const { findings } = follow(detector, { reading: reading(30, { overall: 0.4 }), history: null }, 0)
  expect(findings).toMatchObject([{ category: 'overall' }])
})
