import type { ChannelFilters } from '../channels/settings.ts'
import type { Act } from '../event/act.ts'
import { actId, type Doer } from './acts.ts'
import type { Filters } from './filters.ts'

/** A channel's filters, as the file says them and as they are in force. */
interface StandingFilters {
  channel: string
  file: ChannelFilters
  inForce: ChannelFilters
}

/** What people may change of what channels get. Told again, it is one act. */
export interface Filtering {
  change(doer: Doer, of: StandingFilters, becomes: ChannelFilters): Promise<void>
  restore(doer: Doer, of: StandingFilters): Promise<void>
}

interface FilteringParts {
  filters: Pick<Filters, 'put'>
  now(): number
  /** Stores an act; resolves when it is on disk. */
  take(act: Act): Promise<unknown>
  /** They are in the store: puts them in force in this process. */
  apply(): Promise<void>
}

/**
 * The act is stored first: nothing is in force of which nobody could say who asked for it. Where it failed behind that,
 * the same click told again finds its act there, and puts the rest in force.
 */
export function createFiltering({ filters, now, take, apply }: FilteringParts): Filtering {
  const done = ({ by }: Doer) => ({
    kind: 'act' as const,
    by,
    about: null,
    receivedAt: new Date(now()).toISOString(),
  })

  return {
    async change({ by, key }, { channel, file, inForce }, becomes) {
      const id = actId('change-filters', by.via, key, channel)
      const act: Act = { ...done({ by, key }), id, does: 'change-filters', channel, was: inForce, becomes }
      await take(act)
      await filters.put(channel, { filters: becomes, file, by, at: act.receivedAt })
      await apply()
    },
    async restore({ by, key }, { channel, inForce }) {
      const id = actId('restore-filters', by.via, key, channel)
      const act: Act = { ...done({ by, key }), id, does: 'restore-filters', channel, was: inForce }
      await take(act)
      await filters.put(channel, undefined)
      await apply()
    },
  }
}
