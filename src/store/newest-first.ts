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
