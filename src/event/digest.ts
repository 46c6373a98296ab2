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
  /** Of how many changes it tells: an alert and its correction are one. */
  count: number
  /** All that it tells of, by their ids, oldest first. */
  of: string[]
  /** What it says of them, the largest first: of what was corrected meanwhile, the correction. The first fifty. */
  items: ShownAlert[]
  /** Where a silence held them. */
  silence?: Pick<Silence, 'by' | 'why' | 'scope'>
  receivedAt: string
}
