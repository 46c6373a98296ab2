import type { Row } from './rows.ts'

/** Which events wait for which channel, and which are held: who asks what is due does not go through all that ever came. */
export interface Owing {
  /** The outcomes of this row have changed. */
  note(row: Row): void
  forget(row: Row): void
  /** Oldest first. */
  of(channel: string): Row[]
  /** Those that are held on any channel. */
  held(): Iterable<Row>
}

export function createOwing(rows: Iterable<Row>): Owing {
  const waiting = new Map<string, Set<Row>>()
  const held = new Set<Row>()

  function forget(row: Row): void {
    for (const channel of Object.keys(row.outcomes)) waiting.get(channel)?.delete(row)
    held.delete(row)
  }

  function note(row: Row): void {
    forget(row)
    for (const [channel, { state }] of Object.entries(row.outcomes)) {
      if (state === 'held') held.add(row)
      if (state !== 'waiting') continue
      const there = waiting.get(channel) ?? new Set()
      waiting.set(channel, there.add(row))
    }
  }

  for (const row of rows) note(row)
  return {
    note,
    forget,
    of: (channel) => [...(waiting.get(channel) ?? [])].toSorted((one, other) => one.seq - other.seq),
    held: () => held,
  }
}
