import type { Control } from '../../people/control/control.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ListFilter } from '../../store/list-filter.ts'
import { readAlerts, type StoredAlert } from '../list-page.ts'

interface WalkParts {
  control: Pick<Control, 'events'>
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
  { control, clock }: WalkParts,
  signal: AbortSignal,
): AsyncGenerator<StoredAlert[]> {
  for (let before: number | undefined; !signal.aborted; ) {
    const began = performance.now()
    const page = await readAlerts(control, { ...filter, limit: atOnce, before })
    const tookMs = performance.now() - began
    yield page.rows
    if (page.before === undefined) return
    before = page.before
    await clock.sleep(tookMs, signal)
  }
}
