import { expect, test } from 'vitest'
import { recallDeliveries } from '../../../../src/intake/poll/delivery-log.ts'
import { alert } from '../../../support/fakes/events.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

test('whoever polls next knows also what other processes accepted meanwhile, each once and oldest first', async () => {
  const backing = createMemoryBacking({ now: () => 0, sleep: async () => {} })
  const [here, elsewhere] = [backing.open(), backing.open()]
  const heard = await recallDeliveries(here, () => {})
  for (const [minute, id] of ['one', 'two', 'three'].entries()) {
    const entry = alert({ id, receivedAt: new Date(minute * 60_000).toISOString() })
    await elsewhere.accept([{ entry, outcomes: {} }])
    if (id === 'two') heard.add(entry, Date.parse(entry.receivedAt))
  }
  expect(heard.all().map(({ event }) => event.id)).toEqual(['two'])
  await heard.recall()
  expect(heard.all().map(({ event }) => event.id)).toEqual(['one', 'two', 'three'])
})
