import type { Config } from '../config/schema.ts'
import type { Entry } from '../event/event.ts'

/** What other filters of a channel would have meant for what came in lately, beside those in force. */
export interface FilterTrial {
  /** From when on it is counted; ISO 8601, UTC. Later than asked for where more came in than is tried. */
  from: string
  /** How many alerts came in since. */
  alerts: number
  /** Messages that readers would have got there. */
  messages: TrialAmount
  /** What would have become of the alerts, in words, by how many. */
  became: ({ what: string } & TrialAmount)[]
  /** Alerts that readers would have got by the new filters alone, and by the old ones alone; newest first. */
  added: TriedAlert[]
  dropped: TriedAlert[]
}

interface TrialAmount {
  asItIs: number
  changed: number
}

interface TriedAlert {
  id: string
  /** ISO 8601, UTC. */
  receivedAt: string
  headline: string
}

interface FilterComparison {
  /** With the channel alone: as it is, and as it would be. */
  asItIs: Config
  changed: Config
  /** What came in, newest first, from before `from` on. */
  entries: readonly Entry[]
  /** What is counted; milliseconds since the epoch. */
  from: number
  to: number
}

export type TryFilters = (asked: FilterComparison) => Promise<FilterTrial>
