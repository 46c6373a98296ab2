import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { describeStore } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

// In threads of its own, as serve opens it: test/night/store/sqlite-threads.test.ts.
describeStore('SQLite store in this thread', async ({ now }) => {
  const folder = join(await temporaryFolder(), 'data')
  const options = { now, onTrouble: failOn }
  return {
    open: () => openSqliteStore(folder, options),
    openAfterCrash: async () => openSqliteStore(await copyOf(folder), options),
  }
})

function failOn(trouble: string): void {
  throw new Error(trouble)
}
