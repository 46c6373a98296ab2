import type { ListFilter } from './list-filter.ts'
import type { ListQuery, Store, StoredEntry } from './store.ts'

const page = 500

/** All that passes a filter, in pages. No page is empty. */
export async function* newestFirst(
  { list }: Pick<Store, 'list'>,
  filter: Omit<ListQuery, 'limit' | 'before'>,
): AsyncGenerator<StoredEntry[]> {
  for (let before: number | undefined; ; ) {
    const rows = await list({ ...filter, limit: page, before })
    if (rows.length > 0) yield rows
    if (rows.length < page) return
    before = rows.at(-1)?.seq
  }
}

/** What was received of these kinds from a time on (milliseconds since the epoch), newest first, without outcomes. */
export async function receivedSince(
  store: Pick<Store, 'list'>,
  kinds: readonly [EntryKind, ...EntryKind[]],
  since: number,
): Promise<StoredEntry[]> {
  const rows: StoredEntry[] = []
  const from = new Date(since).toISOString()
  for (const kind of kinds) {
    for await (const some of newestFirst(store, { kind, from, withoutOutcomes: true })) rows.push(...some)
  }
  return rows.toSorted((one, other) => other.seq - one.seq)
}

type EntryKind = NonNullable<ListFilter['kind']>

/** What is there now, in order of arrival: of what comes later than `after` (a `seq`), so many rows at once at most. */
export async function* oldestFirst(
  from: Pick<Store, 'list'>,
  { after = 0, atOnce }: { after?: number; atOnce: number },
): AsyncGenerator<StoredEntry[]> {
  const [newest] = await from.list({ limit: 1, withoutOutcomes: true })
  const last = newest?.seq ?? 0
  for (let start = after; start < last; start += atOnce) {
    const rows = await from.list({ limit: atOnce, before: start + atOnce + 1 })
    const inside = rows.filter(({ seq }) => seq > start).toReversed()
    if (inside.length > 0) yield inside
  }
}
