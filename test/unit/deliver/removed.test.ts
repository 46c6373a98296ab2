import { expect, test, vi } from 'vitest'
import { settleRemoved } from '../../../src/deliver/removed.ts'
import type { Outcome } from '../../../src/event/outcome.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

test('pending messages of a channel that left the configuration are settled, even if they are due years later', async () => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  const waiting = (dueAt: string): Outcome => ({ state: 'waiting', dueAt, why: 'not tried yet', attempts: 0 })
  await store.accept([
    {
      entry: alert({ id: 'evt_1' }),
      outcomes: { gone: waiting('2026-01-01T00:00:00.000Z'), desk: waiting('2026-01-01T00:00:00.000Z') },
    },
    { entry: alert({ id: 'evt_2' }), outcomes: { gone: waiting('2999-01-01T00:00:00.000Z') } },
  ])
  const told: unknown[] = []
  await settleRemoved(store, ['desk'], async (removed) => {
    const { outcomes } = (await store.find('evt_1')) ?? {}
    told.push({ ...removed, before: outcomes?.gone?.state })
  })
  // Notified before it is stored: after a crash in between the notice comes again, under the same name.
  expect(told).toEqual([{ channel: 'gone', count: 2, newest: 'evt_2', before: 'waiting' }])
  expect((await store.find('evt_1'))?.outcomes).toMatchObject({
    gone: { state: 'not_sent', rule: 'channel-removed' },
    desk: { state: 'waiting' },
  })
  expect((await store.find('evt_2'))?.outcomes.gone).toMatchObject({ rule: 'channel-removed' })
})

test('what was merged into such a message is settled with it', async () => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  const told: Outcome = { state: 'merged', in: 'evt_1' }
  await store.accept([
    {
      entry: alert({ id: 'evt_1' }),
      outcomes: { gone: { state: 'waiting', dueAt: '2026-01-01T00:00:00.000Z', why: '', attempts: 0 } },
    },
    {
      entry: alert({ id: 'evt_2', story: { gone: 'evt_1', desk: 'evt_1' } }),
      outcomes: { gone: told, desk: told },
    },
  ])
  await settleRemoved(store, ['desk'], async () => {})
  expect((await store.find('evt_2'))?.outcomes).toMatchObject({
    gone: { rule: 'channel-removed' },
    desk: told,
  })
})

test('pending messages of a removed channel stay pending until operators can be notified, and the newest is settled last', async () => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  const waiting: Outcome = { state: 'waiting', dueAt: '2026-01-01T00:00:00.000Z', why: '', attempts: 0 }
  for (const id of ['evt_1', 'evt_2', 'evt_3']) {
    await store.accept([{ entry: alert({ id }), outcomes: { gone: { ...waiting } } }])
  }
  const full = async () => {
    throw new Error('full')
  }
  await expect(settleRemoved(store, [], full)).rejects.toThrow('full')
  expect(await store.backlog()).toMatchObject([{ channel: 'gone', waiting: 3 }])

  const newest: string[] = []
  const tell = async (removed: { newest: string }) => void newest.push(removed.newest)
  vi.spyOn(store, 'alter').mockImplementationOnce(full)
  await expect(settleRemoved(store, [], tell)).rejects.toThrow('full')
  await settleRemoved(store, [], tell)
  expect(newest).toEqual(['evt_3', 'evt_3'])
  expect(await store.backlog()).toEqual([])
})
