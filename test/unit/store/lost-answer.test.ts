import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DatabaseFailure } from '../../../src/store/sql/failure.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { event, start, waiting } from '../../contract/store.ts'
import { temporaryFolder } from './folder.ts'

test.each([
  { kind: 'unknown', mayBeStored: true },
  { kind: 'undone', mayBeStored: false },
] as const)(
  'an event whose commit ends as $kind: may it be stored? $mayBeStored',
  async ({ kind, mayBeStored }) => {
    let isSick = false
    const store = await openSqliteStore(join(await temporaryFolder(), 'data'), {
      now: () => start,
      onTrouble() {},
      disk: (connection) => ({
        ...connection,
        async commit(batch) {
          if (!isSick) return connection.commit(batch)
          if (mayBeStored) await connection.commit(batch)
          throw new DatabaseFailure('the disk reports an error (EIO)', kind)
        },
      }),
    })
    onTestFinished(() => store.close())
    isSick = true
    await expect(store.accept([event('evt_1', { desk: waiting() })])).rejects.toMatchObject({
      name: 'StoreUnavailable',
      mayBeStored,
    })
    isSick = false
    expect((await store.find('evt_1')) !== undefined).toBe(mayBeStored)
  },
)
