import { join } from 'node:path'
import { openLowdbStore } from '../../../src/store/lowdb/open.ts'
import { describeStore } from '../../contract/store.ts'
import { copyOf, temporaryFolder } from '../../unit/store/folder.ts'

/** What every store promises, of one with so many events to a segment. */
export function describeLowdbStore(segmentSize: number): void {
  describeStore(`lowdb store, ${segmentSize} to a segment`, async ({ now }) => {
    const folder = join(await temporaryFolder(), 'data')
    const options = { now, segmentSize, onTrouble: failOn }
    return {
      open: () => openLowdbStore(folder, options),
      openAfterCrash: async () => openLowdbStore(await copyOf(folder), options),
    }
  })
}

function failOn(trouble: string): void {
  throw new Error(trouble)
}
