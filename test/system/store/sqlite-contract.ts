import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { describeStore } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

/** Holds SQLite to the contract of the store, in the thread of the test or in threads of its own, as `serve` opens it. */
export function describeSqliteStore(threads: 'this thread' | 'threads of its own'): void {
  const onLost = threads === 'this thread' ? undefined : failOn
  describeStore(`SQLite store in ${threads}`, async ({ now }) => {
    const folder = join(await temporaryFolder(), 'data')
    const options = { now, onTrouble: failOn, onLost }
    return {
      open: () => openSqliteStore(folder, options),
      openAfterCrash: async () => openSqliteStore(await copyOf(folder), options),
    }
  })
}

function failOn(trouble: string): void {
  throw new Error(trouble)
}
