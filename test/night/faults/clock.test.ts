import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Newsroom, openNewsroom } from '../../system/e2e/newsroom.ts'
import { type Desk, hour, minute } from '../../system/faults/desk.ts'
import { endOf, openDeskWithProviders, troubleOf } from '../../system/faults/providers.ts'
import { selected } from '../../system/faults/selection.ts'
import { serve, shown } from '../../system/faults/serving.ts'

const many = Array.from({ length: 60 }, (_, index) => `evt_after_${String(index).padStart(2, '0')}`)

describe.each([-24, 24])('a clock that is set by %s hours', (hours) => {
  test('holds nothing back, repeats nothing and alarms nobody', async () => {
    const { desk, read } = await openDeskWithProviders()
    await desk.deliver('evt_before')
    await desk.pass(minute)
    desk.setTime(desk.now() + hours * hour)
    // What is larger than all before it is no part of a flood.
    for (const [index, id] of many.entries()) {
      const data = { category: 'political', delta: `+${13 + index}pp` }
      expect(await desk.deliver(id, { data })).toBe(202)
    }
    expect(await desk.deliver('evt_before')).toBe(200)
    await desk.pass(5 * minute)
    const all = ['evt_before', ...many]
    const { discord, mail, slack } = await read()
    // Slack shows its messages by the time of day.
    expect({ discord, mail, slack: slack.toSorted() }).toEqual({
      discord: all,
      mail: all,
      slack: all.toSorted(),
    })
    expect(desk.told()).toEqual([])
  })

  test('while a provider is away: attempts go on, one notice, and all arrives once', async () => {
    const { desk, lines, read } = await openDeskWithProviders()
    await lines.slack.set('refuse')
    await desk.deliver('evt_1')
    await desk.pass(2 * minute)
    desk.setTime(desk.now() + hours * hour)
    await desk.deliver('evt_2')
    // Set forward, the outage seems to last a day: it is tried on all the same, for hours.
    await desk.pass(3 * hour)
    expect(await desk.outcome('evt_1', 'slack')).toMatchObject({ state: 'waiting' })
    // That the clock leapt is reported, too; and that it is believed, by the alert that came since or by its going on.
    const leapt = ['The clock of this machine is right again', 'The clock of this machine may be wrong']
    expect((await desk.hears(3)).toSorted()).toEqual([troubleOf('slack', 'cannot be reached'), ...leapt])
    await lines.slack.set()
    await desk.pass(10 * minute)
    expect((await read()).slack.toSorted()).toEqual(['evt_1', 'evt_2'])
    expect((await desk.hears(4)).toSorted()).toEqual([
      troubleOf('slack', 'cannot be reached'),
      ...leapt,
      endOf('slack'),
    ])
  })
})

test('a clock that leapt and is right again is reported both times', async () => {
  const { desk } = await openDeskWithProviders()
  await desk.pass(2 * hour)
  desk.setTime(desk.now() + 72 * hour)
  await passUntilTold(desk, 1)
  expect(desk.told()).toHaveLength(1)
  desk.setTime(desk.now() - 72 * hour)
  await passUntilTold(desk, 2)
  expect(desk.told()).toEqual([
    'The clock of this machine may be wrong',
    'The clock of this machine is right again',
  ])
})

/** The clock is judged each hour, when the disk has answered: that takes as long as the machine needs. */
async function passUntilTold(desk: Desk, titles: number): Promise<void> {
  const isTold = async () => {
    await desk.pass(hour)
    return desk.told().length >= titles
  }
  await vi.waitUntil(isTold, { timeout: 30_000 })
}

/** Debian's package `faketime`. */
const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

describe.skipIf(!existsSync(library))('a machine whose time is set', () => {
  let newsroom: Newsroom
  afterEach(() => newsroom.close())

  test.each(selected(1, ['-1d', '+1d']))(
    'by %s, while the service runs: everything arrives, once, in order',
    async (shift) => {
      newsroom = await openNewsroom({
        slack: 'direction: both',
        discord: 'direction: both',
        email: 'direction: both',
      })
      const time = join(newsroom.folder, 'time')
      writeFileSync(time, '+0')
      const env = {
        LD_PRELOAD: library,
        FAKETIME_TIMESTAMP_FILE: time,
        FAKETIME_NO_CACHE: '1',
        DONT_FAKE_MONOTONIC: '1',
      }
      const serving = await serve(newsroom, { env })
      const ids = ['evt_1', 'evt_2', 'evt_3', 'evt_4']
      for (const id of ids.slice(0, 2)) await newsroom.fire({ ...shown, id })
      await vi.waitUntil(async () => (await newsroom.read()).email.length === 2, { timeout: 10_000 })
      writeFileSync(time, shift)
      for (const id of ids.slice(2)) {
        await newsroom.fire({ ...shown, id })
        await vi.waitUntil(async () => (await newsroom.read()).slack.includes(id), { timeout: 10_000 })
      }
      await vi.waitFor(
        async () => expect(await newsroom.read()).toEqual({ slack: ids, discord: ids, email: ids }),
        10_000,
      )
      const day = 24 * hour
      const written = serving.log().findLast((line) => line.event === 'evt_4')?.time
      expect(Math.abs(Date.parse(String(written)) - Date.now())).toBeGreaterThan(day - minute)
    },
  )
})
