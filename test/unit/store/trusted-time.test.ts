import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { judgeTime, type TimeWitnesses, type TrustedTime } from '../../../src/store/trusted-time.ts'
import { event, sent, start } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { temporaryFolder } from './folder.ts'

const hour = 60 * 60_000
const day = 24 * hour
const retention = 14 * day

/** `retain` as the application calls it, each hour, from a clock that a test sets. */
async function desk() {
  const folder = join(await temporaryFolder(), 'data')
  const troubles: string[] = []
  const clock = { now: start }
  const open = () =>
    openSqliteStore(folder, {
      now: () => clock.now,
      onTrouble: (sentence) => troubles.push(sentence),
    })
  let store = await open()
  let dropped = 0
  return {
    clock,
    troubles,
    store: (): Store => store,
    dropped: () => dropped,
    async run(hours: number, serviceTime?: () => number): Promise<void> {
      for (let n = 0; n <= hours; n++) {
        if (n > 0) clock.now += hour
        dropped += await store.retain(clock.now - retention, { serviceTime: serviceTime?.() })
      }
    },
    async restart(): Promise<void> {
      await store.close()
      store = await open()
    },
  }
}

function dated(id: string, detectedAt: number, receivedAt = detectedAt) {
  const iso = (at: number) => new Date(at).toISOString()
  return {
    entry: alert({ id, detectedAt: iso(detectedAt), receivedAt: iso(receivedAt) }),
    outcomes: { desk: sent() },
  }
}

describe('retention', () => {
  it('drops what is old when time has passed, hour by hour, on a desk where nothing happens', async () => {
    const { store, run, dropped, troubles } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(14 * 24)
    expect(dropped()).toBe(0)
    await run(1)
    expect(dropped()).toBe(2)
    expect(await store().horizon()).toBe(start)
    expect(troubles).toEqual([])
  })

  it('drops nothing when the clock leaps by 100 days, and reports it once', async () => {
    const { clock, store, run, dropped, troubles } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(24)
    clock.now += 100 * day
    await run(20)
    expect(dropped()).toBe(0)
    expect(troubles).toEqual([
      'the clock of this machine jumped from 2026-11-22T13:05:00.000Z to 2027-03-02T13:05:00.000Z. Check that it is right. Bluepencil deletes no old events until it is right again, or has run steadily for a day',
    ])
    clock.now -= 100 * day
    await run(2)
    expect(await store().accept([event('a', {}), event('b', {})])).toEqual(['duplicate', 'duplicate'])
    expect(await store().horizon()).toBeUndefined()
    expect(troubles).toHaveLength(1)
    await run(14 * 24)
    expect(dropped()).toBe(2)
  })

  it('drops nothing when it starts after 100 days until a day has been seen to pass', async () => {
    const { clock, store, run, restart, dropped, troubles } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(1)
    clock.now += 100 * day
    await restart()
    await run(12)
    clock.now += 12 * hour
    await restart()
    await run(8)
    expect(dropped()).toBe(0)
    await run(6)
    expect(dropped()).toBe(2)
    expect(troubles).toHaveLength(1)
  })

  it('believes a clock that agrees with the service at once, and never one that does not', async () => {
    const { clock, store, run, dropped, troubles } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(1)
    clock.now += 100 * day
    await run(72, () => clock.now - 100 * day)
    expect(dropped()).toBe(0)
    expect(troubles).toEqual([
      "the clock of this machine says 2027-03-01T14:05:00.000Z and the monitoring service's 2026-11-21T14:05:00.000Z. Check that ours is right. Bluepencil deletes no old events while they differ by more than a day",
    ])
    await run(0, () => clock.now)
    expect(dropped()).toBe(2)
  })

  it('never believes a clock that new alerts contradict', async () => {
    const { clock, store, run, dropped } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(1)
    clock.now += 100 * day
    for (let n = 0; n < 5; n++) {
      await run(10)
      await store().accept([dated(`new${n}`, clock.now - 100 * day, clock.now)])
    }
    expect(dropped()).toBe(0)
  })

  it('keeps an event that is dated a year ago and came while the clock was 100 days ahead, when it is right again', async () => {
    const { clock, store, run, dropped } = await desk()
    await run(2)
    const right = clock.now
    clock.now += 100 * day
    await run(1)
    await store().accept([dated('old', right - 365 * day, clock.now)])
    clock.now = right + 2 * hour
    await run(48)
    expect(dropped()).toBe(0)
    expect(await store().accept([dated('old', right - 365 * day, clock.now)])).toEqual(['duplicate'])
  })

  it('keeps what came while the clock stood in 2020, when it is right again', async () => {
    const { clock, store, run, restart, dropped } = await desk()
    await store().accept([event('a', {}), event('b', {})])
    await run(2)
    const right = clock.now
    clock.now = Date.parse('2020-01-01T00:00:00.000Z')
    await restart()
    await run(1)
    const unread = alert({ id: 'c', detectedAt: null, receivedAt: '2020-01-01T01:00:00.000Z' })
    await store().accept([{ entry: unread, outcomes: {} }, dated('d', right + hour)])
    clock.now = right + 2 * hour
    await run(48)
    expect(dropped()).toBe(0)
    expect(await store().accept([{ entry: unread, outcomes: {} }, event('a', {})])).toEqual([
      'duplicate',
      'duplicate',
    ])
  })
})

it('sends what was pending if it starts with a clock that is years behind', async () => {
  const { clock, store, restart } = await desk()
  await store().accept([event('a')])
  clock.now = Date.parse('2020-01-01T00:00:00.000Z')
  await restart()
  expect(await store().leaseDue('desk', { now: clock.now, limit: 9, leaseMs: 1 })).toHaveLength(1)
})

describe('judgeTime', () => {
  const seen: TrustedTime = { believed: start, last: start }
  const rows: [string, TrustedTime, number, TimeWitnesses, boolean][] = [
    ['an hour later', seen, start + hour, {}, true],
    ['a day later, as after a night switched off', seen, start + day, {}, true],
    ['two days later', seen, start + 2 * day, {}, false],
    ['half an hour earlier', seen, start - hour / 2, {}, true],
    ['a day earlier', seen, start - day, {}, false],
    ['two days later, and the service agrees', seen, start + 2 * day, { serviceTime: start + 2 * day }, true],
    ['an hour later, and the service disagrees', seen, start + hour, { serviceTime: start - 9 * day }, false],
  ]
  it.each(rows)('%s', (_, before, now, witnesses, isBelieved) => {
    const after = judgeTime(before, now, witnesses)
    expect(after.seen.steadyMs === undefined).toBe(isBelieved)
    expect(after.doubt === undefined).toBe(isBelieved)
    expect(after.seen.believed).toBe(isBelieved ? now : start)
  })
})
