import { closeSync, mkdtempSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type Clock, systemClock } from '../../../../src/clock.ts'
import { openListing } from '../../../../src/console/listing/listing.ts'
import type { ListFilter } from '../../../../src/console/listing/query.ts'
import { hourMs } from '../../../../src/durations.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import { createMemoryBacking } from '../../../../src/store/memory/backing.ts'
import { alert } from '../../../support/fakes/events.ts'

const at = '2026-11-21T13:05:02.000Z'
const sent: Outcome = { state: 'sent', at, attempts: 1, receipt: { text: 'r' } }
const waiting: Outcome = { state: 'waiting', dueAt: at, why: 'not tried yet', attempts: 0 }
const failed: Outcome = { state: 'failed', at, attempts: 4, why: 'the mailbox is full' }

const temporary = () => join(mkdtempSync(join(tmpdir(), 'listing-')), 'console.sqlite')

/** It rests for a moment, where the list would leave the time to alerts: there are none. */
const clock: Clock = {
  ...systemClock,
  sleep: (milliseconds, signal) => systemClock.sleep(Math.min(milliseconds, 5), signal),
}

async function opened(
  path = temporary(),
  backing = createMemoryBacking(systemClock),
  isShared = false,
  sleep = clock.sleep,
) {
  const store = backing.open()
  const errors: unknown[] = []
  const listing = await openListing({
    path,
    store,
    isShared,
    // Where others are looked after, a second of theirs is ten milliseconds.
    clock: { ...clock, sleep, ...(isShared && { now: () => systemClock.now() * 100 }) },
    onError: (error) => void errors.push(error),
  })
  onTestFinished(() => listing.close().catch(() => undefined))
  const ids = async (filter: Partial<ListFilter> = {}) => {
    const { rows } = await listing.page({ kind: 'alert', ...filter }, { limit: 100 })
    return rows.map(({ id }) => id)
  }
  return { store, listing, ids, errors, path, backing }
}

test('a list has what is stored, newest first, by page', async () => {
  const { store, listing } = await opened()
  await store.accept(
    Array.from({ length: 250 }, (_, index) => ({
      entry: alert({ id: `evt_${index}` }),
      outcomes: { desk: sent },
    })),
  )
  expect(listing.isWhole()).toBe(false)
  await listing.caughtUp()
  expect(listing.isWhole()).toBe(true)
  const found: string[] = []
  for (let before: number | undefined, isFirst = true; isFirst || before !== undefined; isFirst = false) {
    const page = await listing.page({ kind: 'alert' }, { limit: 40, before })
    found.push(...page.rows.map(({ id }) => id))
    before = page.before
  }
  expect(found).toEqual(Array.from({ length: 250 }, (_, index) => `evt_${249 - index}`))
})

/** The shortest pause after a hundred entries, where `meanwhile` is what else is done in it. */
async function shortestPause(meanwhile: () => void): Promise<number> {
  const pauses: number[] = []
  const { store, listing } = await opened(undefined, undefined, false, async (milliseconds, signal) => {
    pauses.push(milliseconds)
    meanwhile()
    await clock.sleep(milliseconds, signal)
  })
  await store.accept(
    Array.from({ length: 500 }, (_, index) => ({
      entry: alert({ id: `evt_${index}` }),
      outcomes: { desk: sent },
    })),
  )
  await listing.caughtUp()
  await listing.close()
  // Between two rounds it waits for a tenth of a second, whatever else is done; and what is done is known after the first pause.
  const [, ...after] = pauses.filter((one) => one !== 100)
  return Math.min(...after)
}

test('where there is much else to do it comes later', async () => {
  const free = await shortestPause(() => {})
  const busy = await shortestPause(() => {
    for (const end = performance.now() + 60; performance.now() < end; );
  })
  expect(busy / free).toBeGreaterThan(2)
})

test('who has just done something waits for no pause of the list', async () => {
  // A pause has no end of its own here; what is gathered for a tenth of a second is.
  const { store, listing, ids } = await opened(undefined, undefined, false, (milliseconds, signal) =>
    milliseconds === 100 || signal === undefined
      ? clock.sleep(milliseconds)
      : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  )
  await store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: { desk: sent } }])
  const first = listing.caughtUp()
  await vi.waitUntil(async () => (await ids()).length === 1)
  await store.accept([{ entry: alert({ id: 'evt_b' }), outcomes: { desk: sent } }])
  await listing.caughtUp(60_000)
  await first
  expect(await ids()).toEqual(['evt_b', 'evt_a'])
})

test('where others change the store, what waits is read again', async () => {
  const backing = createMemoryBacking(systemClock)
  const other = backing.open()
  await other.accept([{ entry: alert({ id: 'evt_a' }), outcomes: { desk: waiting } }])
  const { listing, ids } = await opened(temporary(), backing, true)
  await listing.caughtUp()
  expect(await ids({ outcome: 'waiting' })).toEqual(['evt_a'])
  await other.settle('evt_a', 'desk', sent)
  await vi.waitUntil(async () => (await ids({ outcome: 'sent' })).length === 1, 20_000)
})

test('what failed, and was sent while no list was kept, is listed as sent at the next start', async () => {
  const { store, listing, ids, path, backing } = await opened()
  await store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: { desk: failed } }])
  await listing.caughtUp()
  expect(await ids({ outcome: 'failed' })).toEqual(['evt_a'])
  await listing.close()
  await store.alter('evt_a', 'desk', () => sent)
  const next = await opened(path, backing)
  await next.listing.caughtUp()
  expect(await next.ids({ outcome: 'sent' })).toEqual(['evt_a'])
  expect(await next.listing.failed(10)).toEqual([])
})

test('it is filtered by all that an alert is about, on every channel or on one', async () => {
  const { store, listing, ids } = await opened()
  await store.accept([
    {
      entry: alert({ id: 'evt_a', model: 'Claude', category: 'political' }),
      outcomes: { desk: sent, mail: failed },
    },
    {
      entry: alert({ id: 'evt_b', model: 'gemini', receivedAt: '2026-11-22T00:00:00.000Z' }),
      outcomes: { desk: failed },
    },
    {
      entry: alert({
        id: 'evt_c',
        type: 'policy_change',
        model: null,
        receivedAt: '2026-11-23T23:59:59.999Z',
      }),
      outcomes: {},
    },
  ])
  await listing.caughtUp()
  expect(await ids({ model: 'claude' })).toEqual(['evt_a'])
  expect(await ids({ type: 'policy_change' })).toEqual(['evt_c'])
  expect(await ids({ outcome: 'failed' })).toEqual(['evt_b', 'evt_a'])
  expect(await ids({ outcome: 'failed', channel: 'desk' })).toEqual(['evt_b'])
  expect(await ids({ outcome: 'sent', channel: 'desk' })).toEqual(['evt_a'])
  expect(await ids({ channel: 'mail' })).toEqual(['evt_a'])
  expect(await ids({ channel: 'nowhere' })).toEqual([])
  expect(await ids({ from: '2026-11-22' })).toEqual(['evt_c', 'evt_b'])
  expect(await ids({ to: '2026-11-22' })).toEqual(['evt_b', 'evt_a'])
  expect(await ids({ from: '2026-11-22', to: '2026-11-22' })).toEqual(['evt_b'])
  expect(await ids({ from: '2027-01-01' })).toEqual([])
})

test('words are found at their beginning, in headlines, ids and what was sent, and nothing in them is a command', async () => {
  const { store, listing, ids } = await opened()
  const body = { encoding: 'utf8' as const, text: '{"note":"Überraschung im Süden"}' }
  await store.accept([{ entry: alert({ id: 'evt_a', body }), outcomes: {} }])
  await listing.caughtUp()
  for (const words of ['claude refusal', 'CLAU', 'evt_a', 'überrasch süd', 'uberraschung', '12 points'])
    expect(await ids({ words })).toEqual(['evt_a'])
  for (const words of ['gemini', 'claude gemini', 'laude']) expect(await ids({ words })).toEqual([])
  for (const words of [
    '" OR 1=1 --',
    '*',
    'NEAR(claude)',
    '-claude',
    'text:claude',
    '^',
    '\0',
    '\ud800',
    '(',
  ]) {
    await expect(ids({ words })).resolves.toBeDefined()
  }
})

test('what became of an entry is listed anew, and what failed has its reason', async () => {
  const { store, listing, ids } = await opened()
  await store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: { desk: waiting } }])
  await listing.caughtUp()
  expect(await ids({ outcome: 'waiting' })).toEqual(['evt_a'])
  await store.settle('evt_a', 'desk', failed)
  listing.changed('evt_a')
  await listing.caughtUp()
  expect(await ids({ outcome: 'waiting' })).toEqual([])
  expect(await listing.failed(10)).toEqual([
    {
      id: 'evt_a',
      title: 'Claude’s refusal rate on political prompts rose 12 points.',
      channel: 'desk',
      at,
      why: 'the mailbox is full',
      attempts: 4,
    },
  ])
})

test('after a start it has what came meanwhile, and how what was open has ended', async () => {
  const first = await opened()
  await first.store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: { desk: waiting } }])
  await first.listing.caughtUp()
  await first.listing.close()
  await first.store.settle('evt_a', 'desk', sent)
  await first.store.accept([{ entry: alert({ id: 'evt_b' }), outcomes: { desk: sent } }])
  const second = await opened(first.path, first.backing)
  await second.listing.caughtUp()
  expect(await second.ids({ outcome: 'sent' })).toEqual(['evt_b', 'evt_a'])
})

test('of another store it keeps nothing', async () => {
  const first = await opened()
  await first.store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: {} }])
  await first.listing.caughtUp()
  await first.listing.close()
  const second = await opened(first.path)
  await second.store.accept([{ entry: alert({ id: 'evt_other' }), outcomes: {} }])
  await second.listing.caughtUp()
  expect(await second.ids()).toEqual(['evt_other'])
  expect(await second.ids({ words: 'evt_a' })).toEqual([])
})

test('what retention has dropped is listed no more, nor found', async () => {
  let time = Date.parse(at)
  const { store, listing, ids, errors } = await opened(
    temporary(),
    createMemoryBacking({ ...systemClock, now: () => time }),
  )
  const accept = (id: string) => store.accept([{ entry: alert({ id }), outcomes: { desk: sent } }])
  for (let index = 0; index < 10; index++) await accept(`evt_old${index}`)
  time += 20 * hourMs
  await accept('evt_new')
  await listing.caughtUp()
  expect(await ids()).toHaveLength(11)
  expect(await store.retain(time - 10 * hourMs)).toBe(10)
  listing.dropped()
  await listing.caughtUp()
  expect(await ids()).toEqual(['evt_new'])
  expect(await ids({ words: 'old0' })).toEqual([])
  expect(errors).toEqual([])
})

test('a file that is none of ours is made anew', async () => {
  const path = temporary()
  writeFileSync(path, 'not a list\n'.repeat(1_000))
  const { store, listing, ids } = await opened(path)
  await store.accept([{ entry: alert({ id: 'evt_a' }), outcomes: {} }])
  await listing.caughtUp()
  expect(await ids()).toEqual(['evt_a'])
})

test('a file that is damaged is made anew when that is noticed, and has everything again', async () => {
  const first = await opened()
  const all = Array.from({ length: 300 }, (_, index) => ({
    entry: alert({ id: `evt_${index}` }),
    outcomes: { desk: sent },
  }))
  await first.store.accept(all)
  await first.listing.caughtUp()
  await first.listing.close()
  const size = statSync(first.path).size
  const file = openSync(first.path, 'r+')
  // Its head and its layout are as they were.
  writeSync(file, Buffer.alloc(size - 90_000, 0x5a), 0, size - 90_000, 90_000)
  closeSync(file)
  const second = await opened(first.path, first.backing)
  await second.ids({ words: 'evt_7' })
  await second.listing.caughtUp()
  const page = await second.listing.page({ kind: 'alert' }, { limit: 400 })
  expect(page.rows).toHaveLength(300)
  expect(second.errors).toMatchObject([{ name: 'BegunAnew' }])
})
