import { afterEach, expect, test } from 'vitest'
import { createConfigRollout } from '../../../src/app/config-rollout.ts'
import { minuteMs } from '../../../src/platform/durations.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const running: ReturnType<typeof createConfigRollout>[] = []
afterEach(() => Promise.all(running.splice(0).map((one) => one.stop())))

/** Processes on one store. */
function openDesk() {
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09Z'))
  const backing = createMemoryBacking(clock)
  return {
    clock,
    start() {
      const store = backing.open()
      const generations = createConfigRollout({
        store,
        clock,
        onError(error) {
          throw error
        },
      })
      running.push(generations)
      return {
        async may(mark: string): Promise<boolean> {
          const answer = generations.maySettleRemoved(mark)
          await clock.advance(1_000)
          return answer
        },
        /** Minute by minute, how often it is refused before it may. */
        async refusals(mark: string): Promise<number> {
          for (let minutes = 0; minutes < 60; minutes += 1) {
            const answer = generations.maySettleRemoved(mark)
            await clock.advance(1_000)
            if (await answer) return minutes
            await clock.advance(minuteMs - 1_000)
          }
          return Number.POSITIVE_INFINITY
        },
        async end() {
          await generations.stop()
          await store.close()
        },
        kill: () => store.kill(),
      }
    },
  }
}

test('one process alone writes off at once, also with the configuration before', async () => {
  const office = openDesk().start()
  expect([await office.may('A'), await office.may('B'), await office.may('A')]).toEqual([true, true, true])
})

test('processes with one configuration do not wait for each other', async () => {
  const desk = openDesk()
  const [one, other] = [desk.start(), desk.start()]
  expect([await one.may('A'), await other.may('A'), await one.may('A')]).toEqual([true, true, true])
})

test('while two configurations are in force neither writes off; when the earlier is gone, the newest does', async () => {
  const desk = openDesk()
  const [older, newer, sister] = [desk.start(), desk.start(), desk.start()]
  await older.may('A')
  expect([await newer.may('B'), await sister.may('A'), await older.may('A')]).toEqual([false, false, false])
  await older.end()
  expect([await newer.may('B'), await sister.may('A')]).toEqual([false, false])
  await sister.end()
  expect(await newer.refusals('B')).toBe(1)
})

test('where the newest is only away for a restart, the earlier writes off nothing', async () => {
  const desk = openDesk()
  const older = desk.start()
  await older.may('A')
  for (let restart = 0; restart < 3; restart += 1) {
    const newer = desk.start()
    expect(await newer.may('B')).toBe(false)
    newer.kill()
    for (let minute = 0; minute < 10; minute += 1) {
      expect(await older.may('A')).toBe(false)
      await desk.clock.advance(minuteMs)
    }
  }
})

test('a process that comes late with the earlier configuration is no newer for it', async () => {
  const desk = openDesk()
  const first = desk.start()
  await first.may('A')
  await first.end()
  const newer = desk.start()
  await newer.refusals('B')
  const late = desk.start()
  expect(await late.may('A')).toBe(false)
  newer.kill()
  expect(await late.refusals('A')).toBeGreaterThanOrEqual(14)
})

test('where everybody went back to the earlier configuration, it is the newest after a quarter of an hour', async () => {
  const desk = openDesk()
  const [older, newer] = [desk.start(), desk.start()]
  await older.may('A')
  await newer.may('B')
  await newer.end()
  expect(await older.refusals('A')).toBe(14)
  const again = desk.start()
  expect(await again.may('B')).toBe(false)
})
