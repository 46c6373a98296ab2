import { beforeEach, expect, test } from 'vitest'
import { type Acts, actsOn } from '../../../../src/people/converse/acts.ts'
import type { Store } from '../../../../src/store/store.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const ana = { by: { name: 'Ana', id: 'U1', via: 'slack' as const }, key: 'k1' }
const ben = { by: { name: 'Ben', via: 'console' as const }, key: 'k2' }
const story = 'https://news.example/claude'

let clock: ManualClock
let store: Store
let acts: Acts

beforeEach(async () => {
  clock = createManualClock(Date.parse('2026-11-21T13:00:00Z'))
  store = createMemoryBacking(clock).open()
  acts = await actsOn(store, clock.now)
  await store.accept([{ entry: alert(), outcomes: {} }])
})

const kept = async () => (await store.list({ kind: 'act', limit: 99 })).map(({ entry }) => entry)

test('a state is set with its person, and what it replaced is answered', async () => {
  const checking = { state: 'checking', by: ana.by, at: '2026-11-21T13:00:00.000Z' }
  const first = await acts.setDesk(ana, 'evt_1', { state: 'checking' })
  expect(first).toMatchObject({ result: 'done', desk: checking, before: { state: 'new' } })
  const published = { state: 'published', story } as const
  expect(await acts.setDesk(ben, 'evt_1', published)).toMatchObject({
    result: 'done',
    desk: { ...published, by: ben.by },
    before: checking,
  })
  expect(await kept()).toMatchObject([
    { does: 'set-desk', about: 'evt_1', state: 'published', story, by: ben.by },
    { does: 'set-desk', about: 'evt_1', state: 'checking', by: ana.by },
  ])
})

test('a click that is reported again does nothing, also after somebody else took it', async () => {
  await acts.setDesk(ana, 'evt_1', { state: 'checking' })
  await acts.setDesk(ben, 'evt_1', { state: 'checking' })
  expect(await acts.setDesk(ana, 'evt_1', { state: 'checking' })).toMatchObject({
    result: 'already',
    desk: { by: ben.by },
  })
  expect(await acts.setDesk({ ...ben, key: 'k3' }, 'evt_1', { state: 'checking' })).toMatchObject({
    result: 'already',
  })
  expect(await kept()).toHaveLength(2)
})

test('of two who saw the same state, the second changes nothing and learns it, also at the same moment', async () => {
  const both = await Promise.all([
    acts.setDesk(ana, 'evt_1', { state: 'checking' }, ''),
    acts.setDesk(ben, 'evt_1', { state: 'published', story }, ''),
  ])
  const [done, outrun] = both.toSorted((one, other) => one.result.localeCompare(other.result))
  expect([done?.result, outrun?.result]).toEqual(['done', 'outrun'])
  expect(await kept()).toHaveLength(1)
  if (outrun?.result !== 'outrun' || outrun.desk.act === undefined) throw new Error('the state says its act')
  expect(await acts.setDesk({ ...ben, key: 'k3' }, 'evt_1', { state: 'new' }, outrun.desk.act)).toMatchObject(
    { result: 'done' },
  )
})

test('an alert that was put back is acknowledged again, by who had acknowledged it too', async () => {
  await acts.acknowledge(ana, 'evt_1')
  expect(await acts.setDesk(ben, 'evt_1', { state: 'new' }, '')).toMatchObject({
    result: 'outrun',
    desk: { by: ana.by },
  })
  await acts.setDesk(ben, 'evt_1', { state: 'new' })
  expect((await acts.acknowledge(ana, 'evt_1')).result).toBe('done')
  expect((await acts.acknowledge(ana, 'evt_1')).result).toBe('already')
})

test('two alerts about one change have one state', async () => {
  await store.accept([{ entry: alert({ id: 'evt_2', sameAs: 'evt_1' }), outcomes: {} }])
  await acts.setDesk(ana, 'evt_2', { state: 'checking' })
  expect(await kept()).toMatchObject([{ about: 'evt_1' }])
  expect(await acts.setDesk(ana, 'evt_1', { state: 'checking' })).toMatchObject({ result: 'already' })
  for (const id of ['evt_1', 'evt_2']) expect((await store.later(id)).acts).toHaveLength(1)
})

test('what is no alert has no state, and a story has an address', async () => {
  expect(await acts.setDesk(ana, 'evt_9', { state: 'checking' })).toEqual({ result: 'unknown' })
  for (const wrong of [undefined, 'news', 'https://a:b@news.example']) {
    expect(await acts.setDesk(ana, 'evt_1', { state: 'published', story: wrong })).toEqual({
      result: 'bad-address',
    })
  }
  expect(await kept()).toEqual([])
})
