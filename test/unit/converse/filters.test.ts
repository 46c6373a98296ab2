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
      json = JSON.stringify(change(parsed())) ?? json
    },
  }
}

test('what was changed is there after a start, and gone when the file counts again', async () => {
  const state = kept()
  const filters = await recallFilters({ state })
  await filters.put('desk', changed(5), undefined)
  await filters.put('mail', changed(7), undefined)
  expect((await recallFilters({ state })).of('desk')).toEqual(changed(5))
  const { filters: _, ...back } = changed(5)
  await filters.put('desk', { ...back, at: '2026-11-21T14:00:00.000Z' }, changed(5).at)
  const after = await recallFilters({ state })
  expect([after.of('desk'), after.of('mail')]).toEqual([undefined, changed(7)])
})

test('two processes that change different channels keep both, and each has the other’s when it is told', async () => {
  const state = kept()
  const [one, other] = [await recallFilters({ state }), await recallFilters({ state })]
  await one.put('desk', changed(5), undefined)
  await other.put('mail', changed(7), undefined)
  await one.refresh()
  expect([one.of('desk'), one.of('mail')]).toEqual([changed(5), changed(7)])
  expect(other.of('desk')).toEqual(changed(5))
})

test('of two that change the same at once, the second is told, and nothing of it counts', async () => {
  const state = kept()
  const [one, other] = [await recallFilters({ state }), await recallFilters({ state })]
  expect(await one.put('desk', changed(5), undefined)).toBe(true)
  expect(await other.put('desk', changed(7), undefined)).toBe(false)
  expect([one.of('desk'), other.of('desk')]).toEqual([changed(5), changed(5)])
})

test('what a newer version wrote of another channel stays', async () => {
  const newer = { filters: { direction: 'sideways' }, by: 'Ana', at: 1 }
  const state = kept({ mail: newer })
  await (await recallFilters({ state })).put('desk', changed(5), undefined)
  expect(await state.read()).toEqual({ mail: newer, desk: changed(5) })
})

test('what is written while it is read anew stays', async () => {
  const state = kept()
  let reading: Promise<unknown> | undefined
  const filters = await recallFilters({ state: { ...state, read: async () => reading } })
  const answered = Promise.withResolvers<unknown>()
  reading = answered.promise
  const read = filters.refresh()
  await filters.put('desk', changed(5), undefined)
  answered.resolve(undefined)
  await read
  expect(filters.of('desk')).toEqual(changed(5))
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
