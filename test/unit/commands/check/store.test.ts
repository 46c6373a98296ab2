import { expect, test } from 'vitest'
import { durability } from '../../../../src/commands/check/store.ts'
import type { InspectedDatabase } from '../../../../src/store/postgres/inspect.ts'

const sound: InspectedDatabase = {
  version: '18.4',
  versionNumber: 180_004,
  hasTables: true,
  processes: 1,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousStandbyNames: 'FIRST 1 (b)',
  synchronousCommit: 'on',
  standbys: 1,
  isPooled: false,
  guard: 'verified',
  aheadMs: 0,
}
const rows = (changes: Partial<InspectedDatabase>) => durability({ ...sound, ...changes })
const levels = (changes: Partial<InspectedDatabase>) =>
  rows(changes).map(({ what, level }) => `${what} ${level}`)

test('a database that waits for its disk and for a standby loses nothing', () => {
  expect(levels({})).toEqual(['crash ok', 'failover ok', 'connection ok'])
})

test('without a standby that it waits for, a failover may lose what was acknowledged', () => {
  expect(levels({ synchronousStandbyNames: '' })).toEqual(['crash ok', 'failover warn', 'connection ok'])
  const [, known] = rows({ synchronousStandbyNames: '', standbys: 2 })
  expect(known?.text).toContain('2 standbys of the database, and it commits without waiting for any')
})

test('a standby that it waits for and that is not there is a warning: no commit would end', () => {
  expect(rows({ standbys: 0 })[1]).toMatchObject({
    level: 'warn',
    text: expect.stringContaining('nothing can be stored'),
  })
})

test.each([{ fsync: 'off' }, { fullPageWrites: 'off' }])('with %j a crash may lose what is stored', (off) => {
  expect(levels(off)).toEqual(['crash fail', 'failover ok', 'connection ok'])
})

test('synchronous_commit that is off costs nothing, since each commit asks for it', () => {
  const [crash] = rows({ synchronousCommit: 'off' })
  expect(crash).toMatchObject({ level: 'ok', text: expect.stringContaining('each commit asks for on') })
})

test.each(['in the clear', 'not verified'] as const)('a connection that is %s is a warning', (guard) => {
  expect(levels({ guard })).toContain('connection warn')
})

test('a version that is too old fails, and a pooler is named', () => {
  expect(levels({ versionNumber: 140_011, isPooled: true })).toEqual([
    'version fail',
    'crash ok',
    'failover ok',
    'connection ok',
    'pooler ok',
  ])
})

test('clocks that are more than a few seconds apart are a warning', () => {
  expect(levels({ aheadMs: 4_000 })).not.toContain('clock warn')
  expect(rows({ aheadMs: -600_000 }).at(-1)).toMatchObject({
    level: 'warn',
    text: 'this machine’s clock is 600 seconds ahead of the database’s; what is due goes by the database’s',
  })
})
