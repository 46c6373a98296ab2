import { expect, test } from 'vitest'
import { createReplays } from '../../../src/channels/replays.ts'
import { stateOf } from '../../../src/store/store.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:00:00Z')
const minute = 60_000
const at = (time: number) => String(time / 1_000)

function open() {
  const clock = createManualClock(start)
  const store = createMemoryBacking(clock).open()
  const errors: unknown[] = []
  const state = stateOf(store, 'chat-replays')
  const onError = (error: unknown) => void errors.push(error)
  return {
    clock,
    errors,
    begin: (change = state.change) => createReplays({ state: { change }, clock, onError }),
    kept: async () => Object.keys(Object(await store.readState('chat-replays'))).length,
  }
}

test('what one process was sent is a replay to all others, and after a restart', async () => {
  const { begin, clock } = open()
  const [one, other] = [begin(), begin()]
  expect(await one.isFirst('v0=a', at(start), clock.now())).toBe(true)
  expect(await one.isFirst('v0=a', at(start), clock.now())).toBe(false)
  expect(await other.isFirst('v0=a', at(start), clock.now())).toBe(false)
  expect(await other.isFirst('v0=b', at(start), clock.now())).toBe(true)
  await clock.advance(5 * minute)
  expect(await begin().isFirst('v0=a', at(start), clock.now())).toBe(false)
})

test('two at the same moment are one', async () => {
  const { begin, clock } = open()
  const [one, other] = [begin(), begin()]
  const answers = [one, one, other, other].map((each) => each.isFirst('v0=a', at(start), clock.now()))
  expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1)
})

test('what is too old to be accepted is not kept', async () => {
  const { begin, clock, kept } = open()
  const replays = begin()
  for (let n = 0; n < 100; n++) {
    await replays.isFirst(`v0=${n}`, at(clock.now()), clock.now())
    await clock.advance(minute)
  }
  expect(await kept()).toBeLessThanOrEqual(6)
  expect(await replays.isFirst('v0=0', at(start), clock.now())).toBe(false)
})

test('where the store fails or hangs, the process knows what it was sent itself, and answers in time', async () => {
  const { begin, clock, errors } = open()
  const failing = begin(() => Promise.reject(new Error('the disk is full')))
  expect(await failing.isFirst('v0=a', at(start), clock.now())).toBe(true)
  expect(await failing.isFirst('v0=a', at(start), clock.now())).toBe(false)
  expect(errors).toHaveLength(1)
  const hanging = begin(() => new Promise(() => {}))
  const answer = hanging.isFirst('v0=a', at(start), clock.now())
  await clock.advance(500)
  expect(await answer).toBe(true)
})
