import type { Outcome } from '../../event/outcome.ts'
import type { NearIndex, RecentAlerts } from '../near.ts'
import { createNearIndex } from '../near-index.ts'
import type { StoredEntry } from '../store.ts'
import { keyOf } from './keys.ts'
import type { RelatedQuery } from './related.ts'

/** The recent alerts that the decisions of one commit ask for. */
export interface Nearby {
  near: RecentAlerts
  /** What was asked for in vain since the last call; undefined if there was nothing. */
  missing(): RelatedQuery | undefined
  /** What was read of it: rows, and that there are no others. */
  read(query: RelatedQuery, rows: readonly StoredEntry[]): void
  /** An event of this commit. */
  add(row: StoredEntry): void
  remove(id: string): void
  settle(id: string, channel: string, outcome: Outcome): void
}

/** Of a process that is alone and remembers all of them from one commit to the next. */
export function nearbyIn(index: NearIndex): Nearby {
  return { ...index, near: index, missing: () => undefined, read: () => undefined }
}

/** What a decision asks for and was not read yet is answered with nothing and noted: it is read, and the decision made again. */
export function createNearby(): Nearby {
  const rows = new Map<string, StoredEntry>()
  /** What this commit makes of outcomes: a row that is read after that has it not yet. */
  const settled = new Map<string, Record<string, Outcome>>()
  const read = {
    of: new Set<string>(),
    ids: new Set<string>(),
    about: new Set<string>(),
    on: new Set<string>(),
  }
  let unread: RelatedQuery = { of: [], ids: [], about: [], on: [] }
  let index = createNearIndex()

  function rebuild(): void {
    index = createNearIndex()
    for (const row of [...rows.values()].toSorted((one, other) => one.seq - other.seq)) index.add(row)
  }

  const near: RecentAlerts = {
    of(model, by) {
      const key = keyOf(model)
      if (!read.of.has(place(key, by))) unread.of.push([key, by])
      return index.of(model, by)
    },
    find(id) {
      const alert = index.find(id)
      if (alert === undefined && !read.ids.has(keyOf(id))) unread.ids.push(keyOf(id))
      return alert
    },
    about(id) {
      if (!read.about.has(keyOf(id))) unread.about.push(keyOf(id))
      return index.about(id)
    },
    on(channel) {
      if (!read.on.has(channel)) unread.on.push(channel)
      return index.on(channel)
    },
  }

  return {
    near,
    missing() {
      const { of, ids, about, on } = unread
      unread = { of: [], ids: [], about: [], on: [] }
      return of.length + ids.length + about.length + on.length === 0 ? undefined : { of, ids, about, on }
    },
    read(query, found) {
      for (const [model, by] of query.of) read.of.add(place(model, by))
      for (const id of query.ids) read.ids.add(id)
      for (const id of query.about) read.about.add(id)
      for (const channel of query.on) read.on.add(channel)
      const added = found.filter(({ entry }) => !rows.has(entry.id))
      for (const row of added) {
        const outcomes = { ...row.outcomes, ...settled.get(row.entry.id) }
        rows.set(row.entry.id, { ...row, outcomes })
      }
      if (added.length > 0) rebuild()
    },
    add(row) {
      rows.set(row.entry.id, row)
      index.add(row)
    },
    remove(id) {
      rows.delete(id)
      index.remove(id)
    },
    settle(id, channel, outcome) {
      settled.set(id, { ...settled.get(id), [channel]: outcome })
      const row = rows.get(id)
      if (row === undefined) return
      rows.set(id, { ...row, outcomes: { ...row.outcomes, [channel]: outcome } })
      index.settle(id, channel, outcome)
    },
  }
}

function place(model: string, by: string): string {
  return `${by} ${model}`
}
