import { type Entry, isFinding } from '../../event/event.ts'
import { title } from '../../explain/title.ts'
import type { StoredEntry } from '../../store/store.ts'

/** What a list has of an entry. */
export interface ListedEntry {
  seq: number
  id: string
  kind: Entry['kind']
  /** ISO 8601, UTC. */
  received: string
  type: string | null
  model: string | null
  category: string | null
  tone: 'rise' | 'fall' | 'none'
  way: 'webhook' | 'list' | 'found' | 'own'
  title: string
  isOpen: boolean
}

export function listedOf({ seq, entry, outcomes }: StoredEntry): ListedEntry {
  const states = Object.values(outcomes).map(({ state }) => state)
  return {
    seq,
    id: entry.id,
    kind: entry.kind,
    received: entry.receivedAt,
    ...aboutOf(entry),
    title: title(entry),
    isOpen: states.some((state) => state === 'waiting' || state === 'held'),
  }
}

function aboutOf(entry: Entry): Pick<ListedEntry, 'type' | 'model' | 'category' | 'tone' | 'way'> {
  if (entry.kind !== 'alert') return { type: null, model: null, category: null, tone: 'none', way: 'own' }
  const { type, model, category, delta, source } = entry
  const way = isFinding(entry) ? 'found' : source === 'webhook' ? 'webhook' : 'list'
  const tone = delta === null || delta === 0 ? 'none' : delta > 0 ? 'rise' : 'fall'
  const lower = (text: string | null) => text?.toLowerCase() ?? null
  return { type: lower(type), model: lower(model), category: lower(category), tone, way }
}

/** The words by which it is found: of what it is, and of what the service wrote. */
export function searchedOf({ entry }: StoredEntry): string {
  const more = entry.kind === 'alert' ? [entry.model, entry.category, entry.type, entry.body.text] : []
  return [entry.id, title(entry), ...(entry.kind === 'notice' ? [entry.text] : []), ...more]
    .map((text) => (text ?? '').toWellFormed().slice(0, longest))
    .join(' ')
}

/** Of each text, in UTF-16 units; nobody searches for what stands behind it. */
const longest = 4_000
