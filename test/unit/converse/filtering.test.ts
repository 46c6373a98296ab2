import { expect, test } from 'vitest'
import { createFiltering } from '../../../src/converse/filtering.ts'
import type { Filters } from '../../../src/converse/filters.ts'
import type { Act } from '../../../src/event/act.ts'

const doer = { by: { name: 'Ana', via: 'console' as const }, key: 'form-1' }
const standing = {
  channel: 'desk',
  file: { direction: 'both' as const },
  inForce: { direction: 'both' as const },
  lastAt: undefined,
}
const wanted = { direction: 'rise' as const }

/** A store that takes the act, and fails once behind it. */
function failingOnce() {
  const acts = new Map<string, Act>()
  const stored: Parameters<Filters['put']>[1][] = []
  let fails = 1
  const filtering = createFiltering({
    now: () => Date.parse('2026-11-21T13:05:02Z'),
    async take(act) {
      acts.set(act.id, act)
    },
    filters: {
      async put(_, change) {
        if (fails-- > 0) throw new Error('the store fails')
        stored.push(change)
        return true
      },
    },
    apply: async () => {},
  })
  return { filtering, acts, stored }
}

test('a change that failed behind its act is put in force by the same click, as the one act', async () => {
  const { filtering, acts, stored } = failingOnce()
  await expect(filtering.change(doer, standing, wanted)).rejects.toThrow('the store fails')
  await filtering.change(doer, standing, wanted)
  expect(stored.map(({ filters }) => filters)).toEqual([wanted])
  expect([...acts.values()].map(({ does }) => does)).toEqual(['change-filters'])
})

test('the file is given back likewise', async () => {
  const { filtering, acts, stored } = failingOnce()
  await expect(filtering.restore(doer, standing)).rejects.toThrow('the store fails')
  await filtering.restore(doer, standing)
  expect(stored).toEqual([{ file: standing.file, by: doer.by, at: '2026-11-21T13:05:02.000Z' }])
  expect([...acts.values()].map(({ does }) => does)).toEqual(['restore-filters'])
})
