import { expect, test } from 'vitest'
import { newestFirst } from '../../../src/store/newest-first.ts'
import { event } from '../../contract/store.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

test.each([
  [0, undefined],
  [1000, undefined],
  [1001, undefined],
  [1001, 900],
])('of %d events all are read once, newest first, older than %s', async (count, before) => {
  const store = createMemoryBacking(createManualClock(Date.parse('2026-11-21T13:10:00Z'))).open()
  await store.accept(Array.from({ length: count }, (_, n) => event(`e${n}`)))
  const found: number[] = []
  for await (const rows of newestFirst(store, before)) {
    expect(rows).not.toEqual([])
    found.push(...rows.map(({ seq }) => seq))
  }
  const newest = Math.min(count, (before ?? Number.POSITIVE_INFINITY) - 1)
  expect(found).toEqual(Array.from({ length: newest }, (_, n) => newest - n))
})
