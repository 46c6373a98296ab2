import { expect, test } from 'vitest'
import type { Change } from '../detector/year.ts'
import { alerts, movedAt, moves } from './five-alerts.ts'

// More seeds of each: test/night/poll/common.test.ts.
const by = (points: number): Change => ({ day: moves, kind: 'step', where: 'overall', points, days: null })

test('what moves all five models at one reading is one alert, which says so', () => {
  const since = alerts(0, 4).filter(({ finding }) => Date.parse(finding.since) >= movedAt)
  expect(since.map(({ finding }) => finding.sentence)).toEqual([
    expect.stringContaining('other models changed alike'),
  ])
})

test('what moves one model is that model, also while the measurement changes for all', () => {
  const told = alerts(20, 0, by(12))
  expect(told[0]).toMatchObject({ model: 'chatgpt', finding: { kind: 'spike' } })
  for (const { finding } of told) expect(finding.sentence).not.toContain('other models')
  expect(alerts(30, 4, by(12)).map(({ model }) => model)).toContain('chatgpt')
})

test('where two of five models move by themselves, neither is said to be a change of the measurement', () => {
  for (const { finding } of alerts(101, 0, by(5), by(24)))
    expect(finding.sentence).not.toContain('other models')
})
