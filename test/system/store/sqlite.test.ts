import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { describeStore } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

for (const threads of ['this thread', 'threads of its own']) {
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
