import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withSettingsFile } from '../../../src/store/settings-file.ts'
import { stepDocument } from '../../../src/store/sqlite/files.ts'
import { createManualClock } from '../../support/fakes/manual-clock.ts'
import { createMemoryBacking } from '../../support/memory-store.ts'

/** A database that stays, and the processes that have it one after the other. */
function place() {
  const folder = mkdtempSync(join(tmpdir(), 'settings-'))
  const backing = createMemoryBacking(createManualClock(0))
  const troubles: string[] = []
  const file = join(folder, 'settings.json')
  return {
    folder,
    file,
    troubles,
    stored: () => JSON.parse(readFileSync(file, 'utf8')) as unknown,
    open: () =>
      withSettingsFile(backing.open(), {
        document: async (step) => stepDocument(folder, step),
        onTrouble: (trouble) => troubles.push(trouble),
      }),
  }
}

const set = (revision: number, more: object = {}) => ({
  revision,
  filters: { desk: { minDelta: 5 } },
  ...more,
})

test('what people set is a readable file for its user alone, and there after a start', async () => {
  const { file, open, stored, troubles } = place()
  const store = await open()
  expect(await store.readState('settings')).toBeUndefined()
  await store.changeState('settings', () => set(1))
  expect(stored()).toEqual(set(1))
  expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(3)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await store.close()
  expect(await (await open()).readState('settings')).toEqual(set(1))
  expect(troubles).toEqual([])
})

test('other state stays in the database', async () => {
  const { folder, open } = place()
  const store = await open()
  await store.changeState('polling', () => ({ some: 'state' }))
  expect(await store.readState('polling')).toEqual({ some: 'state' })
  expect(readdirSync(folder)).toEqual([])
})

test('changes at once each see the one before', async () => {
  const { open, stored } = place()
  const store = await open()
  const next = (before: unknown) => {
    const { revision } = (before ?? { revision: 0 }) as { revision: number }
    return { revision: revision + 1 }
  }
  await Promise.all(Array.from({ length: 20 }, () => store.changeState('settings', next)))
  expect(stored()).toEqual({ revision: 20 })
})

test('an edit while it runs is kept beside, reported, and does not count', async () => {
  const { folder, file, open, stored, troubles } = place()
  const store = await open()
  await store.changeState('settings', () => set(1))
  writeFileSync(file, JSON.stringify(set(1, { filters: {} })))
  await store.probe()
  expect(troubles).toEqual([
    expect.stringContaining('kept as settings.json.edited-1. Stop Bluepencil before'),
  ])
  expect([stored(), await store.readState('settings')]).toEqual([set(1), set(1)])
  expect(JSON.parse(readFileSync(join(folder, 'settings.json.edited-1'), 'utf8'))).toEqual(
    set(1, { filters: {} }),
  )
  rmSync(file)
  await store.changeState('settings', (before) => ({ ...(before as object), revision: 2 }))
  expect(stored()).toEqual(set(2))
  expect(troubles[1]).toContain('was removed while Bluepencil was running, and was written again')
})

test('an edit while it is stopped counts', async () => {
  const { file, open, troubles } = place()
  const store = await open()
  await store.changeState('settings', () => set(1))
  await store.close()
  writeFileSync(file, JSON.stringify(set(1, { filters: {} })))
  expect(await (await open()).readState('settings')).toEqual(set(1, { filters: {} }))
  expect(troubles).toEqual([])
})

test.each([
  ['not JSON', 'cannot be read and is kept as settings.json.damaged-1'],
  ['{"filters":{}}', 'cannot be read and is kept as settings.json.damaged-1'],
  [undefined, 'settings.json is missing'],
  [JSON.stringify(set(1)), 'has revision 1, but the last one was 3'],
])('a start with %s reports it, and makes no revision twice', async (content, trouble) => {
  const { file, open, stored, troubles } = place()
  const store = await open()
  await store.changeState('settings', () => set(3))
  await store.close()
  if (content === undefined) rmSync(file)
  else writeFileSync(file, content)
  const again = await open()
  expect(troubles).toEqual([expect.stringContaining(trouble)])
  await again.changeState('settings', (before) => {
    const { revision } = before as { revision: number }
    return { revision: revision + 1 }
  })
  expect(stored()).toEqual({ revision: 4 })
})

test('a change that cannot be written is none, and rejects', async () => {
  const { folder, open, stored } = place()
  const store = await open()
  await store.changeState('settings', () => set(1))
  rmSync(folder, { recursive: true })
  await expect(store.changeState('settings', () => set(2))).rejects.toThrow(
    'settings.json could not be written',
  )
  expect(await store.readState('settings')).toEqual(set(1))
  expect(stored).toThrow('ENOENT')
})

test('a leftover of a crash is written over, for its user alone', async () => {
  const { file, open } = place()
  writeFileSync(`${file}.new`, 'half of')
  await chmod(`${file}.new`, 0o666)
  await (await open()).changeState('settings', () => set(1))
  expect(statSync(file).mode & 0o777).toBe(0o600)
})
