import { expect, test } from 'vitest'
import { createFiltering } from '../../../src/converse/filtering.ts'
import type { ChangedFilters } from '../../../src/converse/filters.ts'
import type { Act } from '../../../src/event/act.ts'

const doer = { by: { name: 'Ana', via: 'console' as const }, key: 'form-1' }
const standing = {
  channel: 'desk',
  file: { direction: 'both' as const },
  inForce: { direction: 'both' as const },
}
const wanted = { direction: 'rise' as const }

/** A store that takes the act, and fails once behind it. */
function failingOnce(first?: ChangedFilters) {
  const acts = new Map<string, Act>()
  let inForce: ChangedFilters | undefined = first
  let fails = 1
  const filtering = createFiltering({
    now: () => Date.parse('2026-11-21T13:05:02Z'),
    async take(act) {
      acts.set(act.id, act)
    },
    filters: {
      async put(_, changed) {
        if (fails-- > 0) throw new Error('the store fails')
        inForce = changed
      },
    },
    apply: async () => {},
  })
  return { filtering, acts, inForce: () => inForce }
}

test('a change that failed behind its act is put in force by the same click, as the one act', async () => {
  const { filtering, acts, inForce } = failingOnce()
  await expect(filtering.change(doer, standing, wanted)).rejects.toThrow('the store fails')
  await filtering.change(doer, standing, wanted)
  expect(inForce()?.filters).toEqual(wanted)
  expect([...acts.values()].map(({ does }) => does)).toEqual(['change-filters'])
})

test('the file is given back likewise', async () => {
  const before = { filters: wanted, file: standing.file, by: doer.by, at: '2026-11-20T00:00:00.000Z' }
  const { filtering, acts, inForce } = failingOnce(before)
  await expect(filtering.restore(doer, standing)).rejects.toThrow('the store fails')
  await filtering.restore(doer, standing)
  expect(inForce()).toBeUndefined()
  expect([...acts.values()].map(({ does }) => does)).toEqual(['restore-filters'])
})
