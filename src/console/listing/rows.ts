import { type Entry, isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
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

/** What is written into the list, made where the store is read: it is a tenth of what is stored. */
export interface ListedRow extends ListedEntry {
  /** Searched, and not kept. */
  text: string
  outcomes: ListedOutcome[]
}

/** `at`, `why` and `attempts` are those of what has failed. */
interface ListedOutcome {
  channel: string
  state: Outcome['state']
  at: string | null
  why: string | null
  attempts: number | null
}

export function listedOf(stored: StoredEntry): ListedRow {
  const { seq, entry, outcomes } = stored
  const states = Object.values(outcomes).map(({ state }) => state)
  const said = title(entry)
  return {
    seq,
    id: entry.id,
    kind: entry.kind,
    received: entry.receivedAt,
    ...aboutOf(entry),
    title: said,
    isOpen: states.some((state) => state === 'waiting' || state === 'held'),
    text: searchedOf(entry, said),
    outcomes: Object.entries(outcomes).map(([channel, outcome]) => listedOutcome(channel, outcome)),
  }
}

function listedOutcome(channel: string, outcome: Outcome): ListedOutcome {
  const { at, why, attempts } = outcome.state === 'failed' ? outcome : { at: null, why: null, attempts: null }
  return { channel, state: outcome.state, at, why, attempts }
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
function searchedOf(entry: Entry, said: string): string {
  const more = entry.kind === 'alert' ? [entry.model, entry.category, entry.type, entry.body.text] : []
  return [entry.id, said, ...(entry.kind === 'notice' ? [entry.text] : []), ...more]
    .map((text) => (text ?? '').toWellFormed().slice(0, longest))
    .join(' ')
}

/** Of each text, in UTF-16 units; nobody searches for what stands behind it. */
const longest = 4_000
