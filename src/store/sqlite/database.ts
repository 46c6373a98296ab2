import type { Database, RunQuery } from '../sql/database.ts'
import { sqlite } from '../sql/dialect.ts'
import type { SqliteConnection } from './engine.ts'

interface DatabaseParts {
  writing: SqliteConnection
  /** For queries that no decision depends on. */
  reading: SqliteConnection
  /** Its connections are threads: see `Database.gathersTurns`. */
  gathersTurns?: boolean
  /** Gets the kind and the entry of a row that is not as it was written. The row is not returned. */
  onDamage(what: string, seq: number | undefined): void
  onClosed(): void
}

interface ReadRow {
  seq?: number
  damaged?: string | null
}

/**
 * One process on one file. A transaction decides by what it reads from the thread that writes, and sends all that it writes as one
 * message: none is open between two messages. The next one reads behind that message, and so sees what came of it.
 */
export function databaseOn({
  writing,
  reading,
  gathersTurns = false,
  onDamage,
  onClosed,
}: DatabaseParts): Database {
  let turn: Promise<unknown> = Promise.resolve()

  const asking =
    (connection: SqliteConnection): RunQuery =>
    async <Row>(text: string, values: readonly unknown[] = []) => {
      const rows = (await connection.read(text, values)) as ReadRow[]
      const whole = rows.filter(({ damaged = null, seq }) => {
        if (damaged !== null) onDamage(damaged, seq)
        return damaged === null
      })
      return whole as Row[]
    }

  return {
    dialect: sqlite,
    isAlone: true,
    gathersTurns,
    ask: asking(reading),
    async transaction(work) {
      const batch: { text: string; rows: readonly (readonly unknown[])[] }[] = []
      const decided = turn.then(() =>
        work({
          ask: asking(writing),
          write: (text, values = []) => void batch.push({ text, rows: [values] }),
          writeRows: (text, rows) => void (rows.length > 0 && batch.push({ text, rows })),
          lock: () => undefined,
        }),
      )
      const committed = decided.then(() => (batch.length === 0 ? undefined : writing.commit(batch)))
      turn = decided.catch(() => undefined)
      await committed
      return await decided
    },
    async close() {
      await turn
      try {
        await reading.close()
        if (writing !== reading) await writing.close()
      } finally {
        onClosed()
      }
    },
  }
}
