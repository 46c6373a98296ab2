import { dayMs, hourMs } from '../platform/durations.ts'
import { nameOf, type StorePlace } from '../store/place.ts'
import { keepCopy } from '../store/sqlite/copies.ts'
import type { RunningApp } from './running-app.ts'
import type { SharedServices } from './shared-services.ts'

/** Of a store in a folder: each hour a copy, each day a check of all of it. Answers what each does, or undefined if there is no such store. */
export function createStoreCare(
  { store, incidents, log }: Pick<SharedServices, 'store' | 'incidents' | 'log'>,
  { place, reloadable }: { place: StorePlace; reloadable: Pick<RunningApp, 'current'> },
): { everyMs: number; work(): Promise<void> }[] {
  const { snapshotTo, verify } = store
  if (place.is === 'database' || snapshotTo === undefined || verify === undefined) return []

  async function copy(): Promise<void> {
    const { copies } = reloadable.current().config
    if (copies > 0 && snapshotTo !== undefined && place.is === 'folder')
      await keepCopy({ snapshotTo }, place.folder, copies)
  }

  async function check(): Promise<void> {
    const found = (await verify?.()) ?? []
    for (const what of found) {
      log.error({ store: nameOf(place) }, what)
      await incidents.once('damaged-rows', what, {
        title: 'Some of what is stored is damaged',
        text: `The daily check of the store found: ${what}. What is damaged is not shown or sent; everything else goes on. See docs/trouble.md, and check the disk.`,
      })
    }
  }

  return [
    { everyMs: hourMs, work: copy },
    { everyMs: dayMs, work: check },
  ]
}
