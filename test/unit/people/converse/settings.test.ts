import { expect, test } from 'vitest'
import type { Act } from '../../../../src/event/act.ts'
import { acceptInto } from '../../../../src/people/converse/acts.ts'
import { createFiltering, recallFilters } from '../../../../src/people/converse/filters.ts'
import { createSettings } from '../../../../src/people/converse/settings.ts'
import { openTokens } from '../../../../src/people/converse/tokens.ts'
import { hourlyUses } from '../../../../src/people/converse/uses.ts'
import { type Store, StoreUnavailable, stateOf } from '../../../../src/store/store.ts'
import { createManualClock } from '../../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../../support/memory-store.ts'

const clock = createManualClock(Date.parse('2026-11-21T13:05:02Z'))
const doer = (key: string, name = 'Ana') => ({ by: { name, via: 'console' as const }, key })
const standing = {
  channel: 'desk',
  file: { direction: 'both' as const },
  inForce: { direction: 'both' as const },
  lastAt: undefined,
}

/** A store of one or several processes, and what one of them needs to change settings. */
function processOn(store: Store, accept: (act: Act) => Promise<unknown> = acceptInto(store)) {
  const settings = createSettings({ store, accept })
  const uses = hourlyUses({ stored: stateOf(store, 'token-uses'), now: clock.now, onError: () => {} })
  const tokens = openTokens({ settings, uses, now: clock.now })
  return {
    settings,
    tokens,
    async change(form: string, minDelta: number, lastAt?: string) {
      const filters = await recallFilters(settings)
      const filtering = createFiltering({ filters, now: clock.now, apply: async () => {} })
      return await filtering.change(doer(form), { ...standing, lastAt }, { direction: 'both', minDelta })
    },
  }
}

/** Who changed what, by the audit log, oldest first. */
async function logOf(store: Store) {
  const rows = await store.list({ limit: 100 })
  return rows
    .toReversed()
    .flatMap(({ entry }) => (entry.kind === 'act' ? [`${entry.does} ${entry.revision}`] : []))
}

test('each change of a setting is an act that names the revision it made', async () => {
  const store = createMemoryBacking(clock).open()
  const { change, tokens } = processOn(store)
  expect(await change('form-1', 5)).toBe(true)
  expect(await tokens.make(doer('form-2'), { name: 'archive', use: 'api' })).toMatchObject({
    token: /^bpapi_/,
  })
  const [token] = await tokens.list()
  expect(await tokens.revoke(doer('form-3'), token?.id ?? '')).toBe('done')
  expect(await logOf(store)).toEqual(['change-filters 1', 'make-token 2', 'revoke-token 3'])
  expect(await store.readState('settings')).toMatchObject({ revision: 3, tokens: [] })
})

test('who comes second changes nothing, and the audit log does not say so', async () => {
  const store = createMemoryBacking(clock).open()
  const { change } = processOn(store)
  expect(await change('form-1', 5)).toBe(true)
  expect(await change('form-2', 7)).toBe(false)
  expect(await logOf(store)).toEqual(['change-filters 1'])
})

test('the same click again is one act and one revision', async () => {
  const store = createMemoryBacking(clock).open()
  const { change, tokens } = processOn(store)
  expect([await change('form-1', 5), await change('form-1', 5)]).toEqual([true, true])
  const made = { name: 'archive', use: 'api' as const }
  await tokens.make(doer('form-2'), made)
  expect(await tokens.make(doer('form-2'), made)).toBe('already')
  const [token] = await tokens.list()
  await tokens.revoke(doer('form-3'), token?.id ?? '')
  expect(await tokens.make(doer('form-2'), made)).toBe('already')
  expect(await logOf(store)).toEqual(['change-filters 1', 'make-token 2', 'revoke-token 3'])
})

test('an act that could not be recorded is recorded by the next start, or by the next change of any process', async () => {
  const backing = createMemoryBacking(clock)
  const store = backing.open()
  const failing = async () => {
    throw new StoreUnavailable('the disk is full')
  }
  await expect(processOn(store, failing).change('form-1', 5)).rejects.toThrow('the disk is full')
  expect(await logOf(store)).toEqual([])
  await processOn(store).settings.recordMissing()
  expect(await logOf(store)).toEqual(['change-filters 1'])
  const { at } = (await recallFilters(processOn(store).settings)).of('desk') ?? {}
  await expect(processOn(store, failing).change('form-2', 7, at)).rejects.toThrow('the disk is full')
  await processOn(backing.open()).tokens.make(doer('form-3', 'Ben'), { name: 'archive', use: 'feeds' })
  expect(await logOf(store)).toEqual(['change-filters 1', 'change-filters 2', 'make-token 3'])
})

test('many changes at once by two processes are one revision each, with one act each', async () => {
  const backing = createMemoryBacking(clock)
  const processes = [processOn(backing.open()), processOn(backing.open())]
  const names = Array.from({ length: 20 }, (_, index) => `token-${index}`)
  await Promise.all(
    names.map(async (name, index) => processes[index % 2]?.tokens.make(doer(name), { name, use: 'api' })),
  )
  const log = await logOf(backing.open())
  expect(log.toSorted()).toEqual(names.map((_, index) => `make-token ${index + 1}`).toSorted())
  expect((await processes[0]?.tokens.list())?.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
})

test('what is no settings document is none: the configuration file counts, and no token opens anything', async () => {
  const store = createMemoryBacking(clock).open()
  await store.changeState('settings', () => ['no document'])
  const { settings, tokens, change } = processOn(store)
  expect([await settings.read('filters'), await tokens.list()]).toEqual([undefined, []])
  expect(await change('form-1', 5)).toBe(true)
})
