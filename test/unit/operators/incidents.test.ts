import { describe, expect, test } from 'vitest'
import type { Notice } from '../../../src/event/event.ts'
import { startWatch } from '../../../src/operators/incidents.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const rejected = { title: 'desk takes no messages', text: 'the token was revoked', channel: 'desk' }

async function watching(remembered?: unknown, tallies?: unknown) {
  const clock = createManualClock(start)
  const told: Notice[] = []
  const ids = new Set<string>()
  const parts = { state: remembered, tallies, storeIsAway: false }
  const watch = await startWatch({
    clock,
    state: {
      read: async () => parts.state,
      async write(value) {
        parts.state = structuredClone(value)
      },
    },
    tallies: {
      read: async () => parts.tallies,
      async write(value) {
        parts.tallies = structuredClone(value)
      },
    },
    async tell(notice) {
      if (parts.storeIsAway) throw new Error('not stored')
      if (!ids.has(notice.id)) told.push(notice)
      ids.add(notice.id)
    },
    onError: () => {},
  })
  return { clock, watch, parts, titles: () => told.map(({ title }) => title), told }
}

describe('operators', () => {
  test('hear of a trouble once when it begins and once when it is over', async () => {
    const { watch, clock, titles } = await watching()
    watch.begins('channel:desk', rejected)
    watch.begins('channel:desk', rejected)
    await clock.advance(3_600_000)
    watch.begins('channel:desk', rejected)
    await clock.advance(0)
    expect(titles()).toEqual(['desk takes no messages'])
    expect(watch.troubles()).toMatchObject([{ key: 'channel:desk', since: '2026-11-21T13:00:00.000Z' }])
    watch.over('channel:desk', 'Messages reach desk again.')
    watch.over('channel:desk', 'Messages reach desk again.')
    await clock.advance(0)
    expect(titles()).toEqual(['desk takes no messages', 'Over: desk takes no messages'])
    expect(watch.troubles()).toEqual([])
  })

  test('are sent its end under the title that they know, whatever it was called meanwhile', async () => {
    const { watch, clock, titles } = await watching()
    watch.begins('subscription', { title: 'There is no active subscription', text: 'missing' })
    await clock.advance(60_000)
    watch.begins('subscription', { title: 'The monitoring service cannot be reached', text: 'away' })
    await clock.advance(60_000)
    expect(watch.troubles()).toMatchObject([{ title: 'The monitoring service cannot be reached' }])
    watch.over('subscription', 'The subscription is active.')
    await clock.advance(0)
    expect(titles()).toEqual(['There is no active subscription', 'Over: There is no active subscription'])
  })

  test('are sent the end of what is no longer configured', async () => {
    const { watch, clock, titles } = await watching()
    watch.begins('channel:desk', rejected)
    watch.begins('channel:other', { ...rejected, title: 'other takes no messages', channel: 'other' })
    await clock.advance(0)
    watch.keepOnly((key) => key !== 'channel:desk')
    await clock.advance(0)
    expect(titles()).toEqual([
      'desk takes no messages',
      'other takes no messages',
      'Over: desk takes no messages',
    ])
    expect(watch.troubles()).toMatchObject([{ key: 'channel:other' }])
  })

  test('hear of the same trouble again when it comes back', async () => {
    const { watch, clock, titles } = await watching()
    for (const _time of [1, 2]) {
      watch.begins('channel:desk', rejected)
      await clock.advance(60_000)
      watch.over('channel:desk', 'well')
      await clock.advance(60_000)
    }
    expect(titles()).toHaveLength(4)
  })

  test('are not told twice by a restart', async () => {
    const before = await watching()
    before.watch.begins('channel:desk', rejected)
    await before.clock.advance(0)
    await before.watch.stop()
    const after = await watching(before.parts.state)
    expect(after.watch.troubles()).toMatchObject([{ key: 'channel:desk' }])
    after.watch.begins('channel:desk', rejected)
    await after.clock.advance(0)
    expect(after.titles()).toEqual([])
    after.watch.over('channel:desk', 'well')
    await after.clock.advance(0)
    expect(after.titles()).toEqual(['Over: desk takes no messages'])
  })

  test('are told as soon as it can be stored, and not of an end without a beginning', async () => {
    const { watch, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    watch.begins('store', { title: 'Events cannot be stored', text: 'full' })
    await clock.advance(0)
    expect(titles()).toEqual([])
    parts.storeIsAway = false
    watch.begins('store', { title: 'Events cannot be stored', text: 'full' })
    await clock.advance(0)
    expect(titles()).toEqual(['Events cannot be stored'])

    parts.storeIsAway = true
    watch.begins('signature', { title: 'Signed deliveries do not verify', text: '' })
    await clock.advance(0)
    parts.storeIsAway = false
    watch.over('signature', 'well')
    await clock.advance(0)
    expect(titles()).toEqual(['Events cannot be stored'])
  })

  test('hear of an end that could not be told as soon as it can, over a restart too', async () => {
    const { watch, clock, parts, titles } = await watching()
    watch.begins('channel:desk', rejected)
    await clock.advance(0)
    parts.storeIsAway = true
    watch.over('channel:desk', 'Messages reach desk again.')
    await clock.advance(600_000)
    expect(titles()).toEqual(['desk takes no messages'])
    expect(watch.troubles()).toEqual([])
    await watch.stop()

    const after = await watching(parts.state)
    await after.clock.advance(0)
    expect(after.titles()).toEqual(['Over: desk takes no messages'])

    parts.storeIsAway = false
    const again = await watching()
    again.watch.begins('channel:desk', rejected)
    await again.clock.advance(0)
    again.parts.storeIsAway = true
    again.watch.over('channel:desk', 'Messages reach desk again.')
    await again.clock.advance(90_000)
    again.parts.storeIsAway = false
    await again.clock.advance(60_000)
    expect(again.titles()).toEqual(['desk takes no messages', 'Over: desk takes no messages'])
    await again.clock.advance(3_600_000)
    expect(again.told).toHaveLength(2)
  })

  test('are not told of an end that could not be told when the trouble is back', async () => {
    const { watch, clock, parts, titles } = await watching()
    watch.begins('channel:desk', rejected)
    await clock.advance(0)
    parts.storeIsAway = true
    watch.over('channel:desk', 'well')
    await clock.advance(30_000)
    watch.begins('channel:desk', rejected)
    parts.storeIsAway = false
    await clock.advance(3_600_000)
    expect(titles()).toEqual(['desk takes no messages'])
    expect(watch.troubles()).toMatchObject([{ key: 'channel:desk', since: '2026-11-21T13:00:00.000Z' }])
  })

  test('hear of a trouble that could not be told within a minute, without another report of it', async () => {
    const { watch, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    watch.begins('channel:desk', rejected)
    await clock.advance(200_000)
    parts.storeIsAway = false
    await clock.advance(60_000)
    expect(titles()).toEqual(['desk takes no messages'])
  })

  test('hear once of what happened once, and whoever reports it knows that they will', async () => {
    const { watch, parts, titles } = await watching()
    parts.storeIsAway = true
    const gone = { title: 'old is no longer configured', text: '3 were owed' }
    await expect(watch.once('removed:old', 'evt_3', gone)).rejects.toThrow('not stored')
    parts.storeIsAway = false
    await watch.once('removed:old', 'evt_3', gone)
    await watch.once('removed:old', 'evt_3', gone)
    expect(titles()).toEqual(['old is no longer configured'])
  })

  test('hear of the first dead letter at once and of the others of the hour together', async () => {
    const { watch, clock, titles } = await watching()
    const dead = (id: string) => ({
      title: 'A notification to desk failed for good',
      text: id,
      channel: 'desk',
    })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) watch.happened('dead:desk', dead(id))
    await clock.advance(0)
    expect(titles()).toEqual(['A notification to desk failed for good'])
    await clock.advance(3_600_000)
    expect(titles()).toEqual([
      'A notification to desk failed for good',
      '2 more within the hour: A notification to desk failed for good',
    ])
    watch.happened('dead:desk', dead('evt_4'))
    await clock.advance(0)
    expect(titles()).toHaveLength(3)
  })

  test('hear at the end of the hour what was counted by a process that was killed, once', async () => {
    const { watch, clock, parts } = await watching()
    watch.happened('dead:desk', { title: 'failed for good', text: 'evt_1' })
    watch.happened('dead:desk', { title: 'failed for good', text: 'evt_2' })
    await clock.advance(60_000)
    const next = await watching(undefined, parts.tallies)
    next.watch.happened('dead:desk', { title: 'failed for good', text: 'evt_3' })
    await next.clock.advance(3_600_000)
    expect(next.titles()).toEqual(['2 more within the hour: failed for good'])
    expect(next.told[0]?.uncertain).toBe(true)
    const last = await watching(undefined, next.parts.tallies)
    await last.clock.advance(3_600_000)
    expect(last.titles()).toEqual([])
  })

  test('hear at the stop what was counted until then', async () => {
    const { watch, clock, titles } = await watching()
    watch.happened('unheard', { title: 'unheard', text: 'evt_1' })
    watch.happened('unheard', { title: 'unheard', text: 'evt_2' })
    await clock.advance(0)
    await watch.stop()
    expect(titles()).toEqual(['unheard', '1 more within the hour: unheard'])
  })

  test('hear of what was counted as soon as it can be stored, over a restart too', async () => {
    const { watch, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    for (const text of ['evt_1', 'evt_2']) watch.happened('dead:desk', { title: 'failed for good', text })
    await clock.advance(2 * 3_600_000)
    watch.happened('dead:desk', { title: 'failed for good', text: 'evt_3' })
    await clock.advance(60_000)
    expect(titles()).toEqual([])
    // Killed here, or stopped: the next process knows as much.
    const killed = structuredClone(parts.tallies)
    await watch.stop()
    for (const kept of [killed, parts.tallies]) {
      const next = await watching(undefined, kept)
      await next.clock.advance(3_600_000)
      expect(next.titles().toSorted()).toEqual([
        '1 more within the hour: failed for good',
        'failed for good',
        'failed for good',
      ])
      const last = await watching(undefined, next.parts.tallies)
      await last.clock.advance(3_600_000)
      expect(last.titles()).toEqual([])
    }
  })
})
