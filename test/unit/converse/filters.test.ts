import { expect, test } from 'vitest'
import { type ChangedFilters, recallFilters } from '../../../src/converse/filters.ts'

const changed = (minDelta: number): ChangedFilters => ({
  filters: { direction: 'both', minDelta },
  file: { direction: 'both' },
  by: { name: 'Ana', via: 'console' },
  at: '2026-11-21T13:05:02.000Z',
})

/** As the store keeps it: JSON, whatever another process has made of it. */
function kept(first?: unknown) {
  let json = JSON.stringify(first)
  const parsed = () => (json === undefined ? undefined : JSON.parse(json))
  return {
    read: async () => parsed(),
    async change(change: (before: unknown) => unknown) {
      json = JSON.stringify(change(parsed()))
    },
  }
}

test('what was changed is there after a start, and gone when the file counts again', async () => {
  const state = kept()
  const filters = await recallFilters({ state })
  await filters.put('desk', changed(5))
  await filters.put('mail', changed(7))
  expect((await recallFilters({ state })).of('desk')).toEqual(changed(5))
  await filters.put('desk', undefined)
  const after = await recallFilters({ state })
  expect([after.of('desk'), after.of('mail')]).toEqual([undefined, changed(7)])
})

test('two processes that change different channels keep both, and each has the other’s when it is told', async () => {
  const state = kept()
  const [one, other] = [await recallFilters({ state }), await recallFilters({ state })]
  await one.put('desk', changed(5))
  await other.put('mail', changed(7))
  await one.refresh()
  expect([one.of('desk'), one.of('mail')]).toEqual([changed(5), changed(7)])
  expect(other.of('desk')).toEqual(changed(5))
})

test.each([
  ['text'],
  [[1]],
  [null],
  [{ desk: { filters: { direction: 'up' } } }],
  [{ desk: { ...changed(5), at: 1 } }],
])('of what cannot be read (%j) nothing is in force', async (stored) => {
  expect((await recallFilters({ state: kept(stored) })).of('desk')).toBeUndefined()
})
