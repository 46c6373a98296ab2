import { expect, test } from 'vitest'
import { endAllSessions, openSessions } from '../../../../src/console/access/sessions.ts'
import { minuteMs } from '../../../../src/platform/durations.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'

/** What the store remembers, for several processes. */
function remembered(first?: unknown) {
  let value = first
  return {
    read: async () => structuredClone(value),
    async change(how: (before: unknown) => unknown) {
      const next = how(structuredClone(value))
      if (next !== undefined) value = JSON.parse(JSON.stringify(next))
    },
    value: () => value,
  }
}

const limits = [{ who: 'name ana', most: 3 }]

test('all processes have the key that was made first', async () => {
  const state = remembered()
  const [one, two] = [openSessions({ state, now: Date.now }), openSessions({ state, now: Date.now })]
  expect(await one.key()).toMatch(/^[\w-]{43}$/)
  expect(await two.key()).toBe(await one.key())
})

test('what cannot be read is made anew', async () => {
  const book = openSessions({ state: remembered({ key: 'short' }), now: Date.now })
  expect(await book.key()).toMatch(/^[\w-]{43}$/)
})

test('failures count in every process, are forgotten after a quarter of an hour, and a clock that is set back keeps nobody out', async () => {
  let now = 1_000_000_000
  const state = remembered()
  const [one, two] = [openSessions({ state, now: () => now }), openSessions({ state, now: () => now })]
  for (const book of [one, two, one]) {
    expect(await book.mustWait(limits)).toBe(0)
    await book.failed(limits)
  }
  expect(await two.mustWait(limits)).toBe(15 * minuteMs)
  expect(await two.mustWait([{ who: 'name ben', most: 3 }])).toBe(0)
  expect(await two.mustWait([{ who: '__proto__', most: 3 }])).toBe(0)
  now -= minuteMs
  expect(await one.mustWait(limits)).toBe(0)
  now += 17 * minuteMs
  expect(await one.mustWait(limits)).toBe(0)
})

test('more than a thousand names are not kept: the oldest are forgotten', async () => {
  const tries = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, index) => [`name ${index}`, { count: 3, since: 1 }]),
  )
  const state = remembered({ key: 'k'.repeat(43), tries })
  const book = openSessions({ state, now: () => 1 })
  expect(await book.mustWait([{ who: 'name 0', most: 3 }])).toBeGreaterThan(0)
  await book.failed([{ who: 'name new', most: 3 }])
  expect(Object.keys(Object(state.value()).tries)).toHaveLength(1_000)
  expect(await book.mustWait([{ who: 'name 0', most: 3 }])).toBe(0)
  expect(await book.mustWait([{ who: 'name 1', most: 3 }])).toBeGreaterThan(0)
})

test('a name of the configuration is not forgotten, however many strangers try', async () => {
  const book = openSessions({ state: remembered(), now: () => 1 })
  const ana = { who: 'name ana', most: 1, isOfPerson: true }
  await book.failed([ana])
  await book.failed(Array.from({ length: 1_000 }, (_, index) => ({ who: `from ${index}`, most: 10 })))
  expect(await book.mustWait([ana])).toBeGreaterThan(0)
})

test('an ended session stays ended, and a used sign-in used, however many come after it', async () => {
  const of = (name: string) =>
    Object.fromEntries(Array.from({ length: 1_005 }, (_, index) => [`${name} ${index}`, 200]))
  const state = remembered({ key: 'k'.repeat(43), ended: of('session'), used: of('sign-in') })
  const book = openSessions({ state, now: () => 0 })
  await book.end('another', 200)
  expect(await book.isEnded('session 0')).toBe(true)
  await book.use('another', 200)
  expect(await book.isUsed('sign-in 0')).toBe(true)
  expect(await book.isEnded('sign-in 0')).toBe(false)
})

test('without room for a key, sessions have one of this process, which is stored when there is room', async () => {
  const state = remembered()
  let isFull = true
  const full = {
    ...state,
    async change(how: (before: unknown) => unknown) {
      if (isFull) throw new StoreUnavailable('the disk is full')
      await state.change(how)
    },
  }
  const book = openSessions({ state: full, now: Date.now })
  const key = await book.key()
  expect(await book.isEnded('one')).toBe(false)
  isFull = false
  expect(await book.key()).toBe(key)
  expect(state.value()).toMatchObject({ key })
})

test('ending all sessions changes their key, and leaves the ids of feeds as they are', async () => {
  const state = remembered()
  const book = openSessions({ state, now: Date.now })
  const [before, feeds] = [await book.key(), await book.feedKey()]
  await endAllSessions(state)
  await endAllSessions(state)
  expect(await book.key()).not.toBe(before)
  expect(await book.feedKey()).toBe(feeds)
})

test('an ended session is forgotten when it would have ended', async () => {
  let now = 0
  const state = remembered()
  const book = openSessions({ state, now: () => now })
  await book.end('one', 100)
  expect(await book.isEnded('one')).toBe(true)
  now = 200
  await book.end('two', 300)
  expect(await book.isEnded('one')).toBe(false)
  expect(await book.isEnded('two')).toBe(true)
})
