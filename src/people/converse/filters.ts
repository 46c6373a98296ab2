import * as z from 'zod'
import { ChannelFilters } from '../../channels/settings.ts'
import type { Act, Person } from '../../event/act.ts'
import { actBy, actId, type Doer } from './acts.ts'
import type { Settings } from './settings.ts'
import { StoredPerson } from './silences.ts'

/** What people made of a channel's filters. It stands over the configuration file until somebody gives that back. */
export interface ChangedFilters extends LastChange {
  filters: ChannelFilters
}

/** The last that somebody did about a channel's filters; without filters, they gave the file back. */
interface LastChange {
  filters?: ChannelFilters | undefined
  /** What the file said when they were changed. */
  file: ChannelFilters
  by: Person
  /** ISO 8601, UTC. */
  at: string
}

const Last = z.object({
  filters: ChannelFilters.optional(),
  file: ChannelFilters,
  by: StoredPerson,
  at: z.string(),
}) satisfies z.ZodType<LastChange>

const All = z.record(z.string(), z.unknown())

export type FilterOverrides = Awaited<ReturnType<typeof recallFilters>>

/** What people have changed of the channels' filters, kept in the store for all processes. */
export async function recallFilters(settings: Pick<Settings, 'read' | 'change'>) {
  let overrides = changesFrom(rowsOf(await settings.read('filters')))
  let written = 0
  return {
    /** By the name of a channel; undefined if the file counts. */
    of(channel: string): ChangedFilters | undefined {
      const last = overrides.get(channel)
      return last?.filters === undefined ? undefined : { ...last, filters: last.filters }
    },
    /** When somebody last changed a channel's filters, or gave the file back; undefined if nobody has. */
    lastAt: (channel: string): string | undefined => overrides.get(channel)?.at,
    /**
     * Without filters, a channel is given back to the file. Resolves when it is on disk: with false if somebody else
     * made a change after `before`, the last that the caller knew of. The act is recorded only with the change.
     */
    async put(channel: string, change: LastChange, before: string | undefined, act: Act): Promise<boolean> {
      let next = overrides
      const put = (stored: unknown) => {
        const rows = rowsOf(stored)
        next = changesFrom(rows)
        if (next.get(channel)?.at !== before) return undefined
        next.set(channel, change)
        // What a newer version wrote of other channels stays.
        return { ...rows, [channel]: change }
      }
      const result = await settings.change('filters', put, act)
      overrides = result === 'repeated' ? changesFrom(rowsOf(await settings.read('filters'))) : next
      written += 1
      return result !== 'unchanged'
    },
    /** Another process changed them. */
    async refresh(): Promise<void> {
      const before = written
      const next = changesFrom(rowsOf(await settings.read('filters')))
      // What was written meanwhile is newer than what was read.
      if (written === before) overrides = next
    },
  }
}

function rowsOf(stored: unknown): Record<string, unknown> {
  return All.catch({}).parse(stored)
}

/** What cannot be read, of one channel, leaves the others as they are: for that one the file counts. */
function changesFrom(rows: Record<string, unknown>): Map<string, LastChange> {
  return new Map(
    Object.entries(rows).flatMap(([channel, row]) => {
      const { data } = Last.safeParse(row)
      return data === undefined ? [] : [[channel, data] as const]
    }),
  )
}

/** A channel's filters, as the file says them and as they are in force. */
interface StandingFilters {
  channel: string
  file: ChannelFilters
  inForce: ChannelFilters
  /** When somebody last changed them; undefined if nobody has. */
  lastAt: string | undefined
}

/** Changes what channels get. A second click is the same act. Returns false if somebody else was quicker. */
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
  return {
    async change({ by, key }, { channel, file, inForce, lastAt }, becomes) {
      const id = actId('change-filters', by.via, key, channel)
      const act: Act = { ...actBy(by, now), id, does: 'change-filters', channel, was: inForce, becomes }
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
      const act: Act = { ...actBy(by, now), id, does: 'restore-filters', channel, was: inForce }
      const isFirst = await filters.put(channel, { file, by, at: act.receivedAt }, lastAt, act)
      await apply()
      return isFirst
    },
  }
}
