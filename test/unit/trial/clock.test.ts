import { describe, expect, test } from 'vitest'
import { after, within } from '../../../src/platform/clock.ts'
import { dayMs, hourMs } from '../../../src/platform/durations.ts'
import { createMovedClock } from '../../../src/trial/clock.ts'

const start = Date.parse('2026-03-01T00:00:00Z')

describe('a clock that is moved', () => {
  test('wakes each at its own time, in their order, also those who lie down meanwhile', async () => {
    const clock = createMovedClock(start)
    const woken: [string, number][] = []
    const sleep = async (name: string, milliseconds: number) => {
      await clock.sleep(milliseconds)
      woken.push([name, clock.now() - start])
    }
    void sleep('late', 90 * dayMs)
    void sleep('hour', hourMs).then(() => sleep('second', hourMs))
    void sleep('same', hourMs)
    void sleep('now', 0)
    await clock.passTo(start + dayMs)
    expect(woken).toEqual([
      ['now', 0],
      ['hour', hourMs],
      ['same', hourMs],
      ['second', 2 * hourMs],
    ])
    expect(clock.now()).toBe(start + dayMs)
    await clock.passTo(start + 100 * dayMs)
    expect(woken.at(-1)).toEqual(['late', 90 * dayMs])
  })

  test('does not go back', async () => {
    const clock = createMovedClock(start)
    await clock.passTo(start - dayMs)
    expect(clock.now()).toBe(start)
  })

  test('wakes at once who is called off, and what was called off does not happen', async () => {
    const clock = createMovedClock(start)
    const acts: string[] = []
    const callOff = after(clock, hourMs, () => acts.push('called off'))
    after(clock, 2 * hourMs, () => acts.push('done'))
    callOff()
    await clock.sleep(hourMs, AbortSignal.abort())
    await clock.passTo(start + dayMs)
    expect(acts).toEqual(['done'])
  })

  test('passes as long as something takes, and no longer', async () => {
    const clock = createMovedClock(start)
    const work = async () => {
      await clock.sleep(hourMs)
      await within(clock, dayMs, new Promise(() => {}))
      return 'done'
    }
    void clock.sleep(30 * dayMs)
    expect(await clock.during(work())).toBe('done')
    expect(clock.now()).toBe(start + hourMs + dayMs)
    await expect(clock.during(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  test('says so where something waits for what no time brings', async () => {
    const clock = createMovedClock(start)
    void clock.sleep(Number.POSITIVE_INFINITY)
    await expect(clock.during(new Promise(() => {}))).rejects.toThrow('never happens in a trial')
  })
})
