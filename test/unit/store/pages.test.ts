import { expect, test } from 'vitest'
import { minuteMs } from '../../../src/platform/durations.ts'
import { newestFirst, receivedSince } from '../../../src/store/pages.ts'
import { event } from '../../contract/store.ts'
import { alert } from '../../support/fakes/events.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

const start = Date.parse('2026-11-21T13:10:00Z')

test.each([0, 1000, 1001])('of %d events all are read once, newest first', async (count) => {
  const store = createMemoryBacking(createManualClock(start)).open()
  await store.accept(Array.from({ length: count }, (_, n) => event(`e${n}`)))
  const seqs: number[] = []
  for await (const rows of newestFirst(store, {})) {
    expect(rows).not.toEqual([])
    seqs.push(...rows.map(({ seq }) => seq))
  }
  expect(seqs).toEqual(Array.from({ length: count }, (_, n) => count - n))
})

test('what was received since a time is read by its kinds, newest first, and nothing else is', async () => {
  const store = createMemoryBacking(createManualClock(start)).open()
  const receivedAt = (index: number) => new Date(start + index * minuteMs).toISOString()
  const notice = { kind: 'notice', phase: 'trouble', channel: null, title: 't', text: '' } as const
  await store.accept(
    Array.from({ length: 1_201 }, (_, index) => {
      const of = { id: `e${index}`, receivedAt: receivedAt(index) }
      return { entry: index % 2 === 0 ? alert(of) : { ...notice, ...of }, outcomes: {} }
    }),
  )
  const kinds: unknown[] = []
  const list: typeof store.list = (query) => {
    kinds.push(query.kind)
    return store.list(query)
  }
  const rows = await receivedSince({ list }, ['alert', 'notice'], start + minuteMs)
  expect(rows.map(({ entry }) => entry.id)).toEqual(
    Array.from({ length: 1_200 }, (_, index) => `e${1_200 - index}`),
  )
  expect(kinds).toEqual(['alert', 'alert', 'notice', 'notice'])
  expect(await receivedSince(store, ['alert'], start + 1_199 * minuteMs)).toHaveLength(1)
  expect(await receivedSince(store, ['digest'], 0)).toEqual([])
})
