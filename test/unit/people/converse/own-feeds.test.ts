import { expect, test } from 'vitest'
import { acceptInto } from '../../../../src/people/converse/acts.ts'
import { createOwnFeeds } from '../../../../src/people/converse/own-feeds.ts'
import { createSettings } from '../../../../src/people/converse/settings.ts'
import { openTokens } from '../../../../src/people/converse/tokens.ts'
import { hourlyUses } from '../../../../src/people/converse/uses.ts'
import { stateOf } from '../../../../src/store/store.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const by = { name: 'eve', via: 'console' } as const
const owner = { by: 'password', name: 'eve' } as const
function onError(error: unknown): never {
  throw error
}

function open() {
  const clock = createManualClock(Date.parse('2026-11-21T13:05:02Z'))
  const store = createMemoryBacking(clock).open()
  const settings = createSettings({ store, accept: acceptInto(store) })
  const uses = hourlyUses({ stored: stateOf(store, 'token-uses'), now: clock.now, onError })
  const feeds = createOwnFeeds({
    settings,
    uses,
    visits: stateOf(store, 'feed-visits'),
    gone: stateOf(store, 'feeds-gone'),
    now: clock.now,
    onError,
  })
  async function make(key: string) {
    const made = await feeds.make({ by, key }, { owner, filters: {} })
    if (typeof made === 'string') throw new Error(made)
    return made.feed
  }
  const tokens = openTokens({ settings, uses, now: clock.now })
  async function makeToken(key: string) {
    const made = await tokens.make({ by, key }, { name: 'archive', use: 'api' })
    if (typeof made === 'string') throw new Error(made)
    return made
  }
  return { clock, store, feeds, make, tokens, makeToken }
}

test('nothing of a withdrawn feed or a revoked token is left beside: not when it was used, nor the last visit of who has no feed', async () => {
  const { store, feeds, make, tokens, makeToken } = open()
  const [one, other] = [await make('1'), await make('2')]
  const token = await makeToken('3')
  feeds.noteRead(one)
  feeds.noteRead(other)
  await tokens.find(token.token, 'api')
  const used = async () => Object.keys(Object((await store.readState('token-uses')) ?? {})).toSorted()
  await expect.poll(used).toEqual([one.id, other.id, token.known.id].toSorted())

  await tokens.revoke({ by, key: '4' }, token.known.id)
  await feeds.withdraw(by, one)
  expect(await used()).toEqual([other.id])
  expect(Object.keys(Object(await store.readState('feed-visits')))).toHaveLength(1)
  await feeds.withdraw(by, other)
  expect(await used()).toEqual([])
  expect(await store.readState('feed-visits')).toEqual({})
})

test('a feed is gone for long after an hour and a half in which no process found its owner', async () => {
  const { clock, store, feeds, make } = open()
  const feed = await make('1')
  expect(await feeds.goneForLong([feed])).toEqual([])
  await clock.advance(89 * 60_000)
  expect(await feeds.goneForLong([feed])).toEqual([])
  await clock.advance(60_000)
  expect(await feeds.goneForLong([feed])).toEqual([feed])
  expect(await feeds.goneForLong([])).toEqual([])
  expect(await store.readState('feeds-gone')).toEqual({})
  expect(await feeds.goneForLong([feed])).toEqual([])
})

test.each([['2031-01-01T00:00:00Z'], ['no time'], [7]])(
  'what is stored of it and cannot be, %s, begins anew',
  async (damaged) => {
    const { clock, store, feeds, make } = open()
    const feed = await make('1')
    await store.changeState('feeds-gone', () => ({ [feed.id]: damaged }))
    expect(await feeds.goneForLong([feed])).toEqual([])
    await clock.advance(90 * 60_000)
    expect(await feeds.goneForLong([feed])).toEqual([feed])
  },
)
