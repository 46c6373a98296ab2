import type { Silence } from './act.ts'
import type { ShownAlert } from './event.ts'

/** What a channel is told of several alerts at once that were held for it. */
export interface Digest {
  kind: 'digest'
  /** `dgs_…`, the same for the same channel and wait: it is made once. */
  id: string
  channel: string
  /** What held them: see `Held`. */
  by: string
  /** When the first of them came, and when the wait ended; ISO 8601, UTC. */
  from: string
  until: string
  /** All that it tells of, by their ids, oldest first. */
  of: string[]
  /** What it says of them, oldest first: of what was corrected meanwhile, the correction. */
  items: ShownAlert[]
  /** Where a silence held them. */
  silence?: Pick<Silence, 'by' | 'why' | 'scope'>
  receivedAt: string
}
