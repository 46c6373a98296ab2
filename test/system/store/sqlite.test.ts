import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { describeStore } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

describeStore('SQLite store', async ({ now }) => {
  const folder = join(await temporaryFolder(), 'data')
  return {
    open: () => openSqliteStore(folder, { now, onTrouble: failOn }),
    openAfterCrash: async () => openSqliteStore(await copyOf(folder), { now, onTrouble: failOn }),
  }
})

function failOn(trouble: string): void {
  throw new Error(trouble)
}
