import { expect, test } from 'vitest'
import { createMovedClock } from '../../../../src/commands/demo/clock.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'

test('a sleeper wakes when its time comes, by itself or because the clock was moved on', async () => {
  const system = createManualClock(100_000)
  const clock = createMovedClock(40_000, system)
  const woken: string[] = []
  void clock.sleep(1_000).then(() => woken.push('soon'))
  void clock.sleep(60_000).then(() => woken.push('late'))
  expect(clock.now()).toBe(60_000)

  await system.advance(1_000)
  expect(woken).toEqual(['soon'])
  clock.move(30_000)
  await system.advance(0)
  expect(woken).toEqual(['soon'])
  clock.move(30_000)
  await system.advance(0)
  expect(woken).toEqual(['soon', 'late'])
  expect([clock.now(), system.sleeping()]).toEqual([121_000, 0])
})

test('a sleep that is called off ends at once and leaves no timer', async () => {
  const system = createManualClock(0)
  const clock = createMovedClock(0, system)
  const calledOff = new AbortController()
  const slept = clock.sleep(60_000, calledOff.signal)
  calledOff.abort()
  await slept
  expect(system.sleeping()).toBe(0)
})

test('on a machine that began a minute ago no time is less than nothing, and what is skipped has passed', () => {
  const clock = createMovedClock(4_800_000, { ...createManualClock(9_000_000), uptime: () => 60_000 })
  expect([clock.now(), clock.uptime?.()]).toEqual([4_200_000, 60_000])
  clock.move(30_000)
  expect([clock.now(), clock.uptime?.()]).toEqual([4_230_000, 90_000])
})
