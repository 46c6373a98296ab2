import { knownCategories } from '../../event/event.ts'
import type { Store } from '../../store/store.ts'

/** Whether a category, in lower case, is one of the service's, or one that an alert had. A misspelt one would hold nothing. */
export async function isCategory(store: Pick<Store, 'list'>, category: string): Promise<boolean> {
  if (knownCategories.some((one) => one === category)) return true
  return (await store.list({ kind: 'alert', category, limit: 1, withoutOutcomes: true })).length > 0
}
