import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import { openOffice } from '../../support/office.ts'
import {
  type HeldDesk,
  night,
  openHeldDesk,
  playScenes,
  reportOfDelta,
} from '../../system/app/held-scenes.ts'

describe('two applications on one store in memory', () => {
  playScenes({ count: 2 })
})

describe('two applications on one Postgres', () => {
  playScenes({ count: 2, onPostgres: true })
})

describe('killed', () => {
  /** Two processes in turn; the first ends at that step of what it does when the wait ends. */
  async function liveOn(step: number, came: (desk: HeldDesk) => Promise<void>): Promise<HeldDesk> {
    let left = step
    let first: (Store & { kill(): void }) | undefined
    const office = openOffice({
      openStore: async () => {
        const opened = office.backing.open()
        const isFirst = first === undefined
        first ??= opened
        const stepping =
          <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
          async (...args: Args): Promise<T> => {
            const isOver = office.clock.now() >= Date.parse('2026-11-21T23:30:00Z')
            if (isOver && isFirst && left-- <= 0) opened.kill()
            return work(...args)
          }
        return { ...opened, accept: stepping(opened.accept), alter: stepping(opened.alter) }
      },
    })
    const desk = openHeldDesk(office)
    await desk.start(night)
    await desk.untilHour('2026-11-21T21:30:00Z')
    await came(desk)
    await desk.untilHour('2026-11-21T23:32:00Z')
    first?.kill()
    desk.forget()
    await desk.start(night)
    await office.clock.advance(120_000)
    return desk
  }

  /** One that was in flight is shown again: a terminal cannot be asked. */
  const messages = ({ office }: HeldDesk) =>
    new Set(office.shown('desk').map((text) => /· (\S+)/.exec(text)?.[1]))

  test('at any step of a digest, the next process sends it once', async () => {
    for (let step = 1; step <= 9; step += 1) {
      const desk = await liveOn(step, async ({ deliver }) => {
        for (const id of ['a', 'b', 'c']) await deliver(id)
      })
      expect([step, [...messages(desk)]]).toEqual([step, [expect.stringMatching(/^dgs_/)]])
      for (const id of ['a', 'b', 'c']) expect(await desk.outcomeOf(id)).toMatchObject({ state: 'merged' })
      await desk.stop()
    }
  })

  test('before the one alert of a night and its correction are both noted, the next process sends one message', async () => {
    for (let step = 0; step <= 4; step += 1) {
      const desk = await liveOn(step, async ({ deliver }) => {
        await deliver('one', reportOfDelta('+12pp'))
        await deliver('one', reportOfDelta('+9pp'))
      })
      expect([step, [...messages(desk)]]).toEqual([step, ['one']])
      expect(desk.office.shown('desk').at(-1)).toContain('Corrected on')
      expect(await desk.outcomeOf('one')).toMatchObject({ state: 'sent' })
      await desk.stop()
    }
  })
})
