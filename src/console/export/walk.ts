import type { Clock } from '../../clock.ts'
import type { Control } from '../../control/control.ts'
import type { Listing } from '../listing/listing.ts'
import type { ListFilter } from '../listing/query.ts'
import { type StoredAlert, storedOf } from '../stored.ts'

interface WalkParts {
  listing: Pick<Listing, 'page' | 'isWhole'>
  control: Pick<Control, 'event' | 'events'>
  clock: Clock
}

/** So many are in memory at once. */
const atOnce = 200

/**
 * All alerts of a filter, newest first: as many at a time as fit into memory, whoever reads them slowly. It takes half of the
 * time at most, so that alerts do not wait for it.
 */
export async function* alertsOf(
  filter: ListFilter,
  { listing, control, clock }: WalkParts,
  signal: AbortSignal,
): AsyncGenerator<StoredAlert[]> {
  for (let before: number | undefined; !signal.aborted; ) {
    const began = performance.now()
    const page = await listing.page(filter, { limit: atOnce, before })
    // A file that ends early must not look as if it had all.
    if (!listing.isWhole()) throw new Error('the list is being made anew')
    const alerts = await storedOf(page.rows, control)
    const tookMs = performance.now() - began
    yield alerts
    if (page.before === undefined) return
    before = page.before
    await clock.sleep(tookMs, signal)
  }
}
