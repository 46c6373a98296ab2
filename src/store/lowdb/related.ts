import { createNearIndex, type Later, namedIn } from '../near.ts'
import type { Store, StoredEntry } from '../store.ts'

/** A message tells of some; of a chain without end that somebody made, the rest is left out. */
const mostRelated = 500

/** What is known of an event that is older than the neighbours: by what names what, each read where it lies. */
export async function laterOf(
  id: string,
  { naming, find }: { naming: ReadonlyMap<string, readonly string[]>; find: Store['find'] },
): Promise<Later> {
  const rows: StoredEntry[] = []
  const ids = new Set([id])
  for (const one of ids) {
    const row = await find(one)
    if (row !== undefined) rows.push(row)
    const others = [...(row === undefined ? [] : namedIn(row.entry)), ...(naming.get(one) ?? [])]
    for (const other of others.slice(0, mostRelated - ids.size)) ids.add(other)
  }
  const index = createNearIndex()
  for (const row of rows.toSorted((first, second) => first.seq - second.seq)) index.add(row)
  return index.laterOf(id)
}
