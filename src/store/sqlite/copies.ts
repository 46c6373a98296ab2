import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../platform/unknown.ts'
import type { Store } from '../store.ts'

const copiesName = 'copies'

/**
 * Makes a copy of the store in its folder, and keeps so many: `copies/1` is the newest. They help if a file is damaged, and not if the
 * disk is lost. Rejects with `StoreUnavailable`; the copies that were there stay.
 */
export async function keepCopy(
  store: Required<Pick<Store, 'snapshotTo'>>,
  folder: string,
  keep: number,
): Promise<void> {
  const nameOf = (name: string | number) => join(folder, copiesName, String(name))
  await mkdir(join(folder, copiesName), { recursive: true, mode: 0o700 })
  await rm(nameOf('new'), { recursive: true, force: true })
  await store.snapshotTo(nameOf('new'))
  await rm(nameOf(keep), { recursive: true, force: true })
  for (let number = keep - 1; number > 0; number--) {
    await rename(nameOf(number), nameOf(number + 1)).catch((error: unknown) => {
      if (errorCode(error) !== 'ENOENT') throw error
    })
  }
  await rename(nameOf('new'), nameOf(1))
}
