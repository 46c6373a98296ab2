import { describe, expect, test } from 'vitest'
import type { Notice } from '../../../src/event/event.ts'
import { startIncidents } from '../../../src/operators/incidents.ts'
import { stateOf } from '../../../src/store/store.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const well = 'desk: messages are getting through again'
const rejected = { title: 'desk does not accept messages', text: 'the token was revoked', channel: 'desk' }

async function watching(remembered?: unknown, tallies?: unknown) {
  const clock = createManualClock(start)
  const told: Notice[] = []
  const ids = new Set<string>()
  const parts = { state: remembered, tallies, storeIsAway: false }
  const incidents = await startIncidents({
    clock,
    state: {
      read: async () => parts.state,
      async change(change) {
        parts.state = structuredClone(change(parts.state))
      },
    },
    acquireLease: async () => true,
    tallies: {
      read: async () => parts.tallies,
      async change(change) {
        parts.tallies = structuredClone(change(parts.tallies))
      },
    },
    async alert(notice) {
      if (parts.storeIsAway) throw new Error('not stored')
      if (!ids.has(notice.id)) told.push(notice)
      ids.add(notice.id)
    },
    onError: () => {},
  })
  incidents.startAlerting()
  return { clock, incidents, parts, titles: () => told.map(({ title }) => title), told }
}

test('nothing is known to be wrong since the start, and then since the last problem ended', async () => {
  const { incidents, clock } = await watching()
  expect(incidents.wellSince()).toEqual({ at: start, after: 'start' })
  await clock.advance(60_000)
  incidents.opens('channel:desk', rejected)
  incidents.opens('store', { title: 'The store fails', text: 'it is full' })
  expect(incidents.wellSince()).toBeUndefined()
  incidents.resolves('store', 'The store works again')
  expect(incidents.wellSince()).toBeUndefined()
  await clock.advance(60_000)
  incidents.resolves('channel:desk', well)
  await clock.advance(60_000)
  expect(incidents.wellSince()).toEqual({ at: start + 120_000, after: 'trouble' })
})

test('a problem that another process resolved counts until it was resolved', async () => {
  const { incidents, clock, parts } = await watching()
  incidents.opens('channel:desk', rejected)
  await clock.advance(60_000)
  parts.state = []
  await incidents.refresh()
  expect(incidents.wellSince()).toEqual({ at: start + 60_000, after: 'trouble' })
  const next = await watching([
    { ...rejected, key: 'channel:desk', since: '2026-11-21T12:00:00.000Z', told: true },
  ])
  expect(next.incidents.wellSince()).toBeUndefined()
})

describe('operators', () => {
  test('are notified once when an incident opens and once when it is resolved', async () => {
    const { incidents, clock, titles, told } = await watching()
    incidents.opens('channel:desk', rejected)
    incidents.opens('channel:desk', rejected)
    await clock.advance(3_600_000)
    incidents.opens('channel:desk', rejected)
    await clock.advance(0)
    expect(titles()).toEqual(['desk does not accept messages'])
    expect(incidents.current()).toMatchObject([{ key: 'channel:desk', since: '2026-11-21T13:00:00.000Z' }])
    incidents.resolves('channel:desk', well)
    incidents.resolves('channel:desk', well)
    await clock.advance(0)
    expect(titles()).toEqual(['desk does not accept messages', well])
    expect(told.at(-1)?.text).toBe('Resolved: desk does not accept messages.')
    expect(incidents.current()).toEqual([])
  })

  test('are sent its end under its first title, even if it got another meanwhile', async () => {
    const { incidents, clock, told } = await watching()
    incidents.opens('subscription', { title: 'There is no active subscription', text: 'missing' })
    await clock.advance(60_000)
    incidents.opens('subscription', { title: 'The monitoring service cannot be reached', text: 'away' })
    await clock.advance(60_000)
    expect(incidents.current()).toMatchObject([{ title: 'The monitoring service cannot be reached' }])
    incidents.resolves('subscription', 'The subscription is active')
    await clock.advance(0)
    expect(told.map(({ title, text }) => [title, text])).toEqual([
      ['There is no active subscription', 'missing'],
      ['The subscription is active', 'Resolved: There is no active subscription.'],
    ])
  })

  test('are sent the end of an incident that is no longer configured', async () => {
    const { incidents, clock, titles } = await watching()
    incidents.opens('channel:desk', rejected)
    incidents.opens('channel:other', {
      ...rejected,
      title: 'other does not accept messages',
      channel: 'other',
    })
    await clock.advance(0)
    incidents.keepOnly((key) => key !== 'channel:desk')
    await clock.advance(0)
    expect(titles()).toEqual([
      'desk does not accept messages',
      'other does not accept messages',
      'desk is no longer configured',
    ])
    expect(incidents.current()).toMatchObject([{ key: 'channel:other' }])
  })

  test('are notified again when the same incident comes back', async () => {
    const { incidents, clock, titles } = await watching()
    for (const _time of [1, 2]) {
      incidents.opens('channel:desk', rejected)
      await clock.advance(60_000)
      incidents.resolves('channel:desk', well)
      await clock.advance(60_000)
    }
    expect(titles()).toHaveLength(4)
  })

  test('are not notified twice by a restart', async () => {
    const before = await watching()
    before.incidents.opens('channel:desk', rejected)
    await before.clock.advance(0)
    await before.incidents.stop()
    const after = await watching(before.parts.state)
    expect(after.incidents.current()).toMatchObject([{ key: 'channel:desk' }])
    after.incidents.opens('channel:desk', rejected)
    await after.clock.advance(0)
    expect(after.titles()).toEqual([])
    after.incidents.resolves('channel:desk', well)
    await after.clock.advance(0)
    expect(after.titles()).toEqual([well])
  })

  test('are notified as soon as it can be stored, and never of an end without a beginning', async () => {
    const { incidents, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    incidents.opens('store', { title: 'Events cannot be stored', text: 'full' })
    await clock.advance(0)
    expect(titles()).toEqual([])
    parts.storeIsAway = false
    incidents.opens('store', { title: 'Events cannot be stored', text: 'full' })
    await clock.advance(0)
    expect(titles()).toEqual(['Events cannot be stored'])

    parts.storeIsAway = true
    incidents.opens('signature', { title: 'Signed deliveries do not verify', text: '' })
    await clock.advance(0)
    parts.storeIsAway = false
    incidents.resolves('signature', 'well')
    await clock.advance(0)
    expect(titles()).toEqual(['Events cannot be stored'])
  })

  test('get an end that could not be sent as soon as it can be, even after a restart', async () => {
    const { incidents, clock, parts, titles } = await watching()
    incidents.opens('channel:desk', rejected)
    await clock.advance(0)
    parts.storeIsAway = true
    incidents.resolves('channel:desk', well)
    await clock.advance(600_000)
    expect(titles()).toEqual(['desk does not accept messages'])
    expect(incidents.current()).toEqual([])
    await incidents.stop()

    const after = await watching(parts.state)
    await after.clock.advance(0)
    expect(after.titles()).toEqual([well])

    parts.storeIsAway = false
    const again = await watching()
    again.incidents.opens('channel:desk', rejected)
    await again.clock.advance(0)
    again.parts.storeIsAway = true
    again.incidents.resolves('channel:desk', well)
    await again.clock.advance(90_000)
    again.parts.storeIsAway = false
    await again.clock.advance(60_000)
    expect(again.titles()).toEqual(['desk does not accept messages', well])
    await again.clock.advance(3_600_000)
    expect(again.told).toHaveLength(2)
  })

  test('do not get an end that could not be sent if the incident is back', async () => {
    const { incidents, clock, parts, titles } = await watching()
    incidents.opens('channel:desk', rejected)
    await clock.advance(0)
    parts.storeIsAway = true
    incidents.resolves('channel:desk', well)
    await clock.advance(30_000)
    incidents.opens('channel:desk', rejected)
    parts.storeIsAway = false
    await clock.advance(3_600_000)
    expect(titles()).toEqual(['desk does not accept messages'])
    expect(incidents.current()).toMatchObject([{ key: 'channel:desk', since: '2026-11-21T13:00:00.000Z' }])
  })

  test('get a notice that could not be sent within a minute, without another report', async () => {
    const { incidents, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    incidents.opens('channel:desk', rejected)
    await clock.advance(200_000)
    parts.storeIsAway = false
    await clock.advance(60_000)
    expect(titles()).toEqual(['desk does not accept messages'])
  })

  test('are notified once of what happened once, and its reporter gets that confirmed', async () => {
    const { incidents, parts, titles, told } = await watching()
    parts.storeIsAway = true
    const gone = { title: 'old is no longer configured', text: '3 were owed' }
    await expect(incidents.once('removed:old', 'evt_3', gone)).rejects.toThrow('not stored')
    parts.storeIsAway = false
    await incidents.once('removed:old', 'evt_3', gone)
    await incidents.once('removed:old', 'evt_3', gone)
    expect(titles()).toEqual(['old is no longer configured'])
    // A process before this one may have sent it past a store that took nothing: the provider is asked first.
    expect(told[0]?.uncertain).toBe(true)
  })

  test('are notified of the first dead letter at once and of the others of the hour together', async () => {
    const { incidents, clock, titles } = await watching()
    const dead = (id: string) => ({
      title: 'A notification to desk failed for good',
      text: id,
      channel: 'desk',
    })
    for (const id of ['evt_1', 'evt_2', 'evt_3']) incidents.happened('dead:desk', dead(id))
    await clock.advance(0)
    expect(titles()).toEqual(['A notification to desk failed for good'])
    await clock.advance(3_600_000)
    expect(titles()).toEqual([
      'A notification to desk failed for good',
      '2 more within the hour: A notification to desk failed for good',
    ])
    incidents.happened('dead:desk', dead('evt_4'))
    await clock.advance(0)
    expect(titles()).toHaveLength(3)
  })

  test('get the count of a killed process at the end of the hour, once', async () => {
    const { incidents, clock, parts } = await watching()
    incidents.happened('dead:desk', { title: 'failed for good', text: 'evt_1' })
    incidents.happened('dead:desk', { title: 'failed for good', text: 'evt_2' })
    await clock.advance(60_000)
    const next = await watching(undefined, parts.tallies)
    next.incidents.happened('dead:desk', { title: 'failed for good', text: 'evt_3' })
    await next.clock.advance(3_600_000)
    expect(next.titles()).toEqual(['2 more within the hour: failed for good'])
    expect(next.told[0]?.uncertain).toBe(true)
    const last = await watching(undefined, next.parts.tallies)
    await last.clock.advance(3_600_000)
    expect(last.titles()).toEqual([])
  })

  test('get at the stop what was counted until then', async () => {
    const { incidents, clock, titles } = await watching()
    incidents.happened('unheard', { title: 'unheard', text: 'evt_1' })
    incidents.happened('unheard', { title: 'unheard', text: 'evt_2' })
    await clock.advance(0)
    await incidents.stop()
    expect(titles()).toEqual(['unheard', '1 more within the hour: unheard'])
  })

  test('get what was counted as soon as it can be stored, even after a restart', async () => {
    const { incidents, clock, parts, titles } = await watching()
    parts.storeIsAway = true
    for (const text of ['evt_1', 'evt_2']) incidents.happened('dead:desk', { title: 'failed for good', text })
    await clock.advance(2 * 3_600_000)
    incidents.happened('dead:desk', { title: 'failed for good', text: 'evt_3' })
    await clock.advance(60_000)
    expect(titles()).toEqual([])
    // Killed here, or stopped: the next process knows as much.
    const killed = structuredClone(parts.tallies)
    await incidents.stop()
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

test('what two processes find wrong is one incident, reported once, and either can end it', async () => {
  const clock = createManualClock(start)
  const backing = createMemoryBacking(clock)
  const told: string[] = []
  const ids = new Set<string>()
  const boot = async () => {
    const store = backing.open()
    const incidents = await startIncidents({
      clock,
      state: stateOf(store, 'troubles'),
      tallies: stateOf(store, 'tallies'),
      acquireLease: (waiting) => store.acquireLease('incidents', waiting),
      async alert({ id, title }) {
        if (!ids.has(id)) told.push(title)
        ids.add(id)
      },
      onError: () => {},
    })
    incidents.startAlerting()
    return incidents
  }
  const [one, other] = [await boot(), await boot()]
  one.opens('store', rejected)
  await clock.advance(5)
  other.opens('store', rejected)
  one.opens('channel:mail', { title: 'mail does not accept messages', text: '' })
  await clock.advance(1_000)
  expect(told).toEqual(['desk does not accept messages', 'mail does not accept messages'])
  other.opens('channel:hook', { title: 'hook does not accept messages', text: '' })
  await clock.advance(1_000)
  expect(new Set(other.current().map(({ key }) => key))).toEqual(
    new Set(['store', 'channel:mail', 'channel:hook']),
  )
  other.resolves('store', well)
  other.resolves('channel:mail', 'mail: messages are getting through again')
  await clock.advance(1_000)
  expect(told.slice(2)).toEqual([
    'hook does not accept messages',
    well,
    'mail: messages are getting through again',
  ])
  expect(await backing.open().readState('troubles')).toMatchObject([{ key: 'channel:hook', told: true }])
})

test.each([
  { isKilled: true, byOther: ['other: 2 more within the hour: A message was given up'] },
  { isKilled: false, byOther: [] },
])(
  'what a process counted is reported by another where it was killed: $isKilled',
  async ({ isKilled, byOther }) => {
    const clock = createManualClock(start)
    const backing = createMemoryBacking(clock)
    const told: string[] = []
    const boot = async (name: string) => {
      const store = backing.open()
      const incidents = await startIncidents({
        clock,
        state: stateOf(store, 'troubles'),
        tallies: stateOf(store, 'tallies'),
        acquireLease: (waiting) => store.acquireLease('incidents', waiting),
        alert: async ({ title }) => told.push(`${name}: ${title}`),
        onError: () => {},
      })
      incidents.startAlerting()
      return { store, incidents }
    }
    const first = await boot('one')
    const letter = { title: 'A message was given up', text: '' }
    for (let times = 0; times < 3; times++) first.incidents.happened('letter', letter)
    await clock.advance(1_000)
    await boot('other')
    await clock.advance(30 * 60_000)
    expect(told).toEqual(['one: A message was given up'])
    if (isKilled) first.store.kill()
    await clock.advance(60 * 60_000)
    expect(told.filter((title) => title.startsWith('other'))).toEqual(byOther)
  },
)
