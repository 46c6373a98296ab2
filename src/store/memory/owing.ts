import type { Row } from './rows.ts'

/** Which events wait for which channel: who asks what is due does not go through all that ever came. */
export interface Owing {
  /** The outcomes of this row have changed. */
  note(row: Row): void
  forget(row: Row): void
  /** Oldest first. */
  of(channel: string): Row[]
}

export function createOwing(rows: Iterable<Row>): Owing {
  const waiting = new Map<string, Set<Row>>()

  function forget(row: Row): void {
    for (const channel of Object.keys(row.outcomes)) waiting.get(channel)?.delete(row)
  }

  function note(row: Row): void {
    forget(row)
    for (const [channel, { state }] of Object.entries(row.outcomes)) {
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
  }
}
