import type { Outcome } from '../../event/outcome.ts'
import { createNearIndex, type Near } from '../near.ts'
import { keyOf } from './keys.ts'
import type { NearRow, Wanted } from './near-rows.ts'

/**
 * The neighbours of the events of one commit. What a decision asks for and was not read is answered with nothing and noted:
 * it is read, and the decision made again.
 */
export interface Nearby {
  near: Near
  /** What was asked for in vain since the last call; undefined where there was nothing. */
  wanted(): Wanted | undefined
  /** What was read of it: rows, and that there are no others. */
  read(wanted: Wanted, rows: readonly NearRow[]): void
  /** An event of this commit; undone by what it answers. */
  add(row: NearRow): () => void
  settle(id: string, channel: string, outcome: Outcome): void
}

export function createNearby(): Nearby {
  const rows = new Map<string, NearRow>()
  /** What this commit makes of outcomes: a row that is read after that has it not yet. */
  const settled = new Map<string, Record<string, Outcome>>()
  const known = {
    of: new Set<string>(),
    ids: new Set<string>(),
    about: new Set<string>(),
    on: new Set<string>(),
  }
  let asked: Wanted = { of: [], ids: [], about: [], on: [] }
  let index = createNearIndex()

  function rebuild(): void {
    index = createNearIndex()
    for (const row of [...rows.values()].toSorted((one, other) => one.seq - other.seq)) index.add(row)
  }

  const near: Near = {
    of(model, by) {
      const key = keyOf(model)
      if (!known.of.has(place(key, by))) asked.of.push([key, by])
      return index.of(model, by)
    },
    find(id) {
      const found = index.find(id)
      if (found === undefined && !known.ids.has(keyOf(id))) asked.ids.push(keyOf(id))
      return found
    },
    about(id) {
      if (!known.about.has(keyOf(id))) asked.about.push(keyOf(id))
      return index.about(id)
    },
    on(channel) {
      if (!known.on.has(channel)) asked.on.push(channel)
      return index.on(channel)
    },
  }

  return {
    near,
    wanted() {
      const { of, ids, about, on } = asked
      asked = { of: [], ids: [], about: [], on: [] }
      return of.length + ids.length + about.length + on.length === 0 ? undefined : { of, ids, about, on }
    },
    read(wanted, found) {
      for (const [model, by] of wanted.of) known.of.add(place(model, by))
      for (const id of wanted.ids) known.ids.add(id)
      for (const id of wanted.about) known.about.add(id)
      for (const channel of wanted.on) known.on.add(channel)
      const added = found.filter(({ entry }) => !rows.has(entry.id))
      for (const row of added) {
        const outcomes = { ...row.outcomes, ...settled.get(row.entry.id) }
        rows.set(row.entry.id, { ...row, outcomes })
      }
      if (added.length > 0) rebuild()
    },
    add(row) {
      rows.set(row.entry.id, row)
      const undo = index.add(row)
      return () => {
        rows.delete(row.entry.id)
        undo()
      }
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
