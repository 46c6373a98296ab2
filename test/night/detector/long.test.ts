import { expect, test } from 'vitest'
import { days, learnt, noisy, see } from '../../unit/intake/detect/readings.ts'

test('a finding is hardly ever what a slow drift of three points in four months is', () => {
  const alarms = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].flatMap((seed) => {
    const drift = days(0, 120, (day) => noisy(day, 0.2 + (0.03 * day) / 120, seed))
    return see(learnt(365, seed), drift).findings.filter(({ completes }) => completes === null)
  })
  expect(alarms.length).toBeLessThanOrEqual(1)
})

test('the state stays within 32 kB, with a reading every ten minutes too', () => {
  const often = Array.from({ length: 144 * 50 }, (_, index) => noisy(index / 144, 0.2))
  expect(JSON.stringify(see(learnt(365), often).state).length).toBeLessThan(32_768)
})
