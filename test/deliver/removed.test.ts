import { expect, test } from 'vitest'
import { settleRemoved } from '../../src/deliver/removed.ts'
import type { Outcome } from '../../src/event/outcome.ts'
import { alert } from '../fakes/events.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'

test('what is owed to a channel that left the configuration is accounted for, whenever it is due', async () => {
  const store = createMemoryStore()
  const waiting = (dueAt: string): Outcome => ({ state: 'waiting', dueAt, why: 'not tried yet', attempts: 0 })
  await store.accept([
    {
      entry: alert({ id: 'evt_1' }),
      outcomes: { gone: waiting('2026-01-01T00:00:00.000Z'), desk: waiting('2026-01-01T00:00:00.000Z') },
    },
    { entry: alert({ id: 'evt_2' }), outcomes: { gone: waiting('2999-01-01T00:00:00.000Z') } },
  ])
  expect(await settleRemoved(store, ['desk'])).toEqual(new Map([['gone', 2]]))
  expect((await store.find('evt_1'))?.outcomes).toMatchObject({
    gone: { state: 'not_sent', rule: 'channel-removed' },
    desk: { state: 'waiting' },
  })
  expect((await store.find('evt_2'))?.outcomes.gone).toMatchObject({ rule: 'channel-removed' })
})
