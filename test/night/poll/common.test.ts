import { expect, test } from 'vitest'
import type { Change } from '../../system/detector/year.ts'
import { alerts, movedAt, moves } from '../../system/poll/five-alerts.ts'

test('what moves all five models at one reading is one alert, which says so', () => {
  let [measured, all] = [0, 0]
  for (let seed = 0; seed < 12; seed++) {
    const since = alerts(seed, 4).filter(({ finding }) => Date.parse(finding.since) >= movedAt)
    all += since.length
    measured += since.filter(({ finding }) => finding.sentence.includes('other models changed alike')).length
  }
  // An alert that is false by chance may be among the sixty model-years of two months.
  expect(measured).toBeGreaterThanOrEqual(11)
  expect(measured).toBeLessThanOrEqual(12)
  expect(all).toBeLessThanOrEqual(14)
})

test('what moves one model is that model, also while the measurement changes for all', () => {
  const step: Change = { day: moves, kind: 'step', where: 'overall', points: 12, days: null }
  for (let seed = 20; seed < 26; seed++) {
    const told = alerts(seed, 0, step)
    expect(told[0]).toMatchObject({ model: 'chatgpt', finding: { kind: 'spike' } })
    for (const { finding } of told) expect(finding.sentence).not.toContain('other models')
  }
  const both = alerts(30, 4, step)
  expect(both.map(({ model }) => model)).toContain('chatgpt')
})

test('where two of five models move by themselves, neither is said to be a change of the measurement', () => {
  const by = (points: number): Change => ({ day: moves, kind: 'step', where: 'overall', points, days: null })
  for (const seed of [101, 112, 114])
    for (const { finding } of alerts(seed, 0, by(5), by(24)))
      expect(finding.sentence).not.toContain('other models')
})
