import { knownCategories } from '../event/event.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Store } from '../store/store.ts'

/** So many entries are searched for a category that is not known: a slip of the pen must not read a million. */
const mostSearched = 20_000

/** Whether a category, in lower case, is one of the service's, or one that an alert had. A misspelt one would hold nothing. */
export async function isCategory(store: Pick<Store, 'list'>, category: string): Promise<boolean> {
  if (knownCategories.some((one) => one === category)) return true
  let searched = 0
  for await (const rows of newestFirst(store)) {
    const had = rows.some(({ entry }) => entry.kind === 'alert' && entry.category?.toLowerCase() === category)
    if (had) return true
    searched += rows.length
    if (searched >= mostSearched) return false
  }
  return false
}
