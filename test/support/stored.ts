import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** What a store in a folder remembers under its keys, as text, also beside a running service. */
export function storedState(data: string): string {
  return rowsIn(data, 'select key, value from state order by key')
}

/** All entries, as text. */
export function storedEntries(data: string): string {
  return rowsIn(data, 'select entry from entries order by seq')
}

/** How many entries were stored, dropped ones included. */
export function storedCount(data: string): number {
  return Number(rowsIn(data, 'select coalesce(max(seq), 0) from entries'))
}

/** How many batches the chain has. */
export function storedBatches(data: string): number {
  return Number(rowsIn(data, 'select count(*) from chain'))
}

function rowsIn(data: string, statement: string): string {
  const database = new DatabaseSync(join(data, 'bluepencil.sqlite'), { readOnly: true })
  try {
    const rows = database.prepare(statement).all()
    return rows.map((row) => Object.values(row).join(' ')).join('\n')
  } finally {
    database.close()
  }
}

/** Changes what is stored behind the store's back, as a disk does: no checksum is made again. */
export function damageStored(data: string, statement: string): void {
  // A process that writes may have it locked for a moment.
  const database = new DatabaseSync(join(data, 'bluepencil.sqlite'), { timeout: 10_000 })
  database.exec(statement)
  database.close()
}
