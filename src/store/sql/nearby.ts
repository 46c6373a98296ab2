import type { Outcome } from '../../event/outcome.ts'
import { createNearIndex, type NearIndex, type RecentAlerts } from '../near.ts'
import type { RunQuery } from './database.ts'
import { keyOf } from './keys.ts'
import { type NearRow, type RelatedQuery, type RelatedStatements, readAllNear } from './related.ts'

/**
 * The neighbours of the events of one commit. What a decision asks for and was not read is answered with nothing and noted:
 * it is read, and the decision made again.
 */
export interface Nearby {
  near: RecentAlerts
  /** What was asked for in vain since the last call; undefined where there was nothing. */
  wanted(): RelatedQuery | undefined
  /** What was read of it: rows, and that there are no others. */
  read(wanted: RelatedQuery, rows: readonly NearRow[]): void
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
  let asked: RelatedQuery = { of: [], ids: [], about: [], on: [] }
  let index = createNearIndex()

  function rebuild(): void {
    index = createNearIndex()
    for (const row of [...rows.values()].toSorted((one, other) => one.seq - other.seq)) index.add(row)
  }

  const near: RecentAlerts = {
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

/** The neighbours of all that may come, which a process that is alone remembers from one commit to the next. */
export interface RememberedNearby {
  nearby: Nearby
  /** The number of the next entry. */
  nextSeq: number
  /** What was gathered is stored. */
  keep(): void
  /** What was gathered since is not stored. */
  undo(): void
  remove(id: string): void
}

export async function readRememberedNearby(
  ask: RunQuery,
  statements: RelatedStatements,
  { now, nextSeq }: { now: number; nextSeq: number },
): Promise<RememberedNearby> {
  const rows = new Map<number, NearRow>()
  for await (const page of readAllNear(ask, statements, now)) for (const row of page) rows.set(row.seq, row)
  const index = createNearIndex()
  for (const row of [...rows.values()].toSorted((one, other) => one.seq - other.seq)) index.add(row)
  return rememberedOf(index, nextSeq)
}

function rememberedOf(index: NearIndex, nextSeq: number): RememberedNearby {
  let undoing: (() => void)[] = []

  /** Undone once, whoever does it. */
  function undoable(undo: () => void): () => void {
    const once = () => {
      undoing = undoing.filter((one) => one !== once)
      undo()
    }
    undoing.push(once)
    return once
  }

  return {
    nextSeq,
    remove: index.remove,
    keep() {
      undoing = []
    },
    undo() {
      for (const one of undoing.toReversed()) one()
    },
    nearby: {
      near: index,
      wanted: () => undefined,
      read: () => undefined,
      add: (row) => undoable(index.add(row)),
      settle: (id, channel, outcome) => void undoable(index.settle(id, channel, outcome)),
    },
  }
}
