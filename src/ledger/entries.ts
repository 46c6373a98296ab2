import * as z from 'zod'
import type { Entry } from '../event/event.ts'
import type { StoredEntry } from '../store/store.ts'
import type { AccountParts } from './account.ts'

const page = 1_000

/** Everything that came since then (milliseconds since the epoch), newest first. */
export async function entriesSince(
  since: number,
  list: (query: { limit: number; before?: number }) => Promise<StoredEntry[]>,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (let before: number | undefined; ; ) {
    const rows = await list({ limit: page, ...(before === undefined ? {} : { before }) })
    entries.push(...rows.map(({ entry }) => entry))
    const last = rows.at(-1)
    if (last === undefined || rows.length < page || Date.parse(last.entry.receivedAt) < since) return entries
    before = last.seq
  }
}

const Polling = z.object({ begunAt: z.number(), succeededAt: z.number() })

/** Since when the figures are read, from what polling remembers; null where they never were. */
export function pollingKnown(state: unknown): AccountParts['polling'] {
  const { data } = Polling.safeParse(state)
  return data === undefined ? null : { since: data.begunAt, lastRead: data.succeededAt }
}
