import type { Entry } from '../event/event.ts'
import type { Store } from '../store/store.ts'
import { changeOf } from './correlate.ts'
import type { Later, RecentChanges } from './recent.ts'

/**
 * What else is known of the change that a message tells of, when the message told of these events too: they may be older
 * than what is remembered.
 */
export async function laterOf(
  entry: Entry,
  alsoTells: readonly string[],
  { store, recent }: { store: Pick<Store, 'find'>; recent: Pick<RecentChanges, 'laterOf'> },
): Promise<Later> {
  const later = recent.laterOf(entry.id)
  if (later.other !== undefined || entry.kind !== 'alert') return later
  for (const id of alsoTells) {
    const other = (await store.find(id))?.entry
    if (other?.kind !== 'alert' || (other.sameAs !== entry.id && entry.sameAs !== id)) continue
    return { ...later, other: { ...changeOf(other), revision: recent.laterOf(id).revision } }
  }
  return later
}
