import type { ChannelFilters } from '../../channels/settings.ts'
import type { Act } from '../../event/act.ts'
import { actId, type Doer } from './acts.ts'
import type { FilterOverrides } from './filters.ts'

/** A channel's filters, as the file says them and as they are in force. */
interface StandingFilters {
  channel: string
  file: ChannelFilters
  inForce: ChannelFilters
  /** When somebody last changed them; undefined where nobody has. */
  lastAt: string | undefined
}

/** What people may change of what channels get. Told again, it is one act. False where somebody else was quicker. */
export interface Filtering {
  change(doer: Doer, of: StandingFilters, becomes: ChannelFilters): Promise<boolean>
  restore(doer: Doer, of: StandingFilters): Promise<boolean>
}

interface FilteringParts {
  filters: Pick<FilterOverrides, 'put'>
  now(): number
  /** They are in the store: puts them in force in this process. */
  apply(): Promise<void>
}

/** If it failed between the two, the same click again changes nothing and puts in force what was stored. */
export function createFiltering({ filters, now, apply }: FilteringParts): Filtering {
  const done = ({ by }: Doer) => ({
    kind: 'act' as const,
    by,
    about: null,
    receivedAt: new Date(now()).toISOString(),
  })

  return {
    async change({ by, key }, { channel, file, inForce, lastAt }, becomes) {
      const id = actId('change-filters', by.via, key, channel)
      const act: Act = { ...done({ by, key }), id, does: 'change-filters', channel, was: inForce, becomes }
      const isFirst = await filters.put(
        channel,
        { filters: becomes, file, by, at: act.receivedAt },
        lastAt,
        act,
      )
      await apply()
      return isFirst
    },
    async restore({ by, key }, { channel, file, inForce, lastAt }) {
      const id = actId('restore-filters', by.via, key, channel)
      const act: Act = { ...done({ by, key }), id, does: 'restore-filters', channel, was: inForce }
      const isFirst = await filters.put(channel, { file, by, at: act.receivedAt }, lastAt, act)
      await apply()
      return isFirst
    },
  }
}
