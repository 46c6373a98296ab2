import type { Store, StoredEntry } from './store.ts'

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
