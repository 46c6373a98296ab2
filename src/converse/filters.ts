import * as z from 'zod'
import { ChannelFilters } from '../channels/settings.ts'
import type { Person } from '../event/act.ts'
import { StoredPerson } from './silences.ts'

/** What people made of a channel's filters. It stands over the configuration file until somebody gives that back. */
export interface ChangedFilters {
  filters: ChannelFilters
  /** What the file said when they were changed. */
  file: ChannelFilters
  by: Person
  /** ISO 8601, UTC. */
  at: string
}

const Changed = z.object({
  filters: ChannelFilters,
  file: ChannelFilters,
  by: StoredPerson,
  at: z.string(),
}) satisfies z.ZodType<ChangedFilters>

const All = z.record(z.string(), z.unknown())

/** What people have changed of the channels' filters, kept in the store for all processes. */
export interface Filters {
  /** By the name of a channel; undefined where the file counts. */
  of(channel: string): ChangedFilters | undefined
  /** Undefined gives a channel back to the file. Resolves when it is on disk. */
  put(channel: string, changed: ChangedFilters | undefined): Promise<void>
  /** Another process changed them. */
  refresh(): Promise<void>
}

interface FiltersParts {
  state: { read(): Promise<unknown>; change(change: (before: unknown) => unknown): Promise<void> }
}

export async function recallFilters({ state }: FiltersParts): Promise<Filters> {
  let known = filtersFrom(await state.read())
  return {
    of: (channel) => known.get(channel),
    async put(channel, changed) {
      let next = known
      await state.change((before) => {
        next = filtersFrom(before)
        if (changed === undefined) next.delete(channel)
        else next.set(channel, changed)
        return Object.fromEntries(next)
      })
      known = next
    },
    async refresh() {
      known = filtersFrom(await state.read())
    },
  }
}

/** What cannot be read, of one channel, leaves the others as they are: for that one the file counts. */
function filtersFrom(stored: unknown): Map<string, ChangedFilters> {
  const rows = Object.entries(All.catch({}).parse(stored))
  return new Map(
    rows.flatMap(([channel, row]) => {
      const { data } = Changed.safeParse(row)
      return data === undefined ? [] : [[channel, data] as const]
    }),
  )
}
