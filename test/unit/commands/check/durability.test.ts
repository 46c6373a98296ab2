import { expect, test } from 'vitest'
import { durability } from '../../../../src/commands/check/durability.ts'

const sound = {
  version: '18.4',
  hasTables: true,
  processes: 1,
  fsync: 'on',
  fullPageWrites: 'on',
  synchronousStandbyNames: 'FIRST 1 (b)',
}
const levels = (changes: Partial<typeof sound>) =>
  durability({ ...sound, ...changes }).map(({ what, level }) => `${what} ${level}`)

test('a database that waits for its disk and for a standby loses nothing', () => {
  expect(levels({})).toEqual(['crash ok', 'failover ok'])
})

test('without a standby that it waits for, a failover may lose what was acknowledged', () => {
  expect(levels({ synchronousStandbyNames: '' })).toEqual(['crash ok', 'failover warn'])
})

test.each([{ fsync: 'off' }, { fullPageWrites: 'off' }])('with %j a crash may lose what is stored', (off) => {
  expect(levels(off)).toEqual(['crash fail', 'failover ok'])
})
