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

/** What people may change of what channels get. `already`: by this very click. */
export interface Filtering {
  change(doer: Doer, of: StandingFilters, becomes: ChannelFilters): Promise<'done' | 'already'>
  restore(doer: Doer, of: StandingFilters): Promise<'done' | 'already'>
}

interface FilteringParts {
  filters: Pick<Filters, 'put'>
  now(): number
  /** Stores an act; resolves when it is on disk. */
  take(act: Act): Promise<'new' | 'duplicate'>
  /** They are in the store: puts them in force in this process. */
  apply(): Promise<void>
}

/** The act is stored first: nothing is in force of which nobody could say who asked for it. */
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
      if ((await take(act)) === 'duplicate') return 'already'
      await filters.put(channel, { filters: becomes, file, by, at: act.receivedAt })
      await apply()
      return 'done'
    },
    async restore({ by, key }, { channel, inForce }) {
      const id = actId('restore-filters', by.via, key, channel)
      const act: Act = { ...done({ by, key }), id, does: 'restore-filters', channel, was: inForce }
      if ((await take(act)) === 'duplicate') return 'already'
      await filters.put(channel, undefined)
      await apply()
      return 'done'
    },
  }
}
