import { expect, test } from 'vitest'
import type { Act } from '../../../../src/event/act.ts'
import { type ChangedFilters, recallFilters } from '../../../../src/people/converse/filters.ts'
import type { Settings } from '../../../../src/people/converse/settings.ts'

const changed = (minDelta: number): ChangedFilters => ({
  filters: { direction: 'both', minDelta },
  file: { direction: 'both' },
  by: { name: 'Ana', via: 'console' },
  at: '2026-11-21T13:05:02.000Z',
})

/** Settings as a store keeps them: JSON. */
function kept(first?: unknown): Pick<Settings, 'read' | 'change'> {
  let json = JSON.stringify(first)
  const parsed = () => (json === undefined ? undefined : JSON.parse(json))
  return {
    read: async () => parsed(),
    async change(_key, change) {
      const next = JSON.stringify(change(parsed()))
      json = next ?? json
      return next === undefined ? 'unchanged' : 'changed'
    },
  }
}

let acts = 0
const act = (): Act => ({
  kind: 'act',
  id: `act_${++acts}`,
  does: 'test',
  about: null,
  channel: 'desk',
  by: changed(5).by,
  receivedAt: changed(5).at,
})

test('what was changed is there after a start, and gone when the file counts again', async () => {
  const settings = kept()
  const filters = await recallFilters(settings)
  await filters.put('desk', changed(5), undefined, act())
  await filters.put('mail', changed(7), undefined, act())
  expect((await recallFilters(settings)).of('desk')).toEqual(changed(5))
  const { filters: _, ...back } = changed(5)
  await filters.put('desk', { ...back, at: '2026-11-21T14:00:00.000Z' }, changed(5).at, act())
  const after = await recallFilters(settings)
  expect([after.of('desk'), after.of('mail')]).toEqual([undefined, changed(7)])
})

test('two processes that change different channels keep both, and each has the other’s after a refresh', async () => {
  const settings = kept()
  const [one, other] = [await recallFilters(settings), await recallFilters(settings)]
  await one.put('desk', changed(5), undefined, act())
  await other.put('mail', changed(7), undefined, act())
  await one.refresh()
  expect([one.of('desk'), one.of('mail')]).toEqual([changed(5), changed(7)])
  expect(other.of('desk')).toEqual(changed(5))
})

test('of two changes of one channel at once, the second is rejected as a whole', async () => {
  const settings = kept()
  const [one, other] = [await recallFilters(settings), await recallFilters(settings)]
  expect(await one.put('desk', changed(5), undefined, act())).toBe(true)
  expect(await other.put('desk', changed(7), undefined, act())).toBe(false)
  expect([one.of('desk'), other.of('desk')]).toEqual([changed(5), changed(5)])
})

test('what a newer version wrote of another channel stays', async () => {
  const newer = { filters: { direction: 'sideways' }, by: 'Ana', at: 1 }
  const settings = kept({ mail: newer })
  await (await recallFilters(settings)).put('desk', changed(5), undefined, act())
  expect(await settings.read('filters')).toEqual({ mail: newer, desk: changed(5) })
})

test('what is written while it is read anew stays', async () => {
  const settings = kept()
  let reading: Promise<unknown> | undefined
  const filters = await recallFilters({ ...settings, read: async () => reading })
  const answered = Promise.withResolvers<unknown>()
  reading = answered.promise
  const read = filters.refresh()
  await filters.put('desk', changed(5), undefined, act())
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
  expect((await recallFilters(kept(stored))).of('desk')).toBeUndefined()
})
