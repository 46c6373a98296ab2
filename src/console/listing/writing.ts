import type { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { states } from './database.ts'
import type { ListedRow } from './rows.ts'

const Seq = z.object({ seq: z.number() })
const Id = z.object({ id: z.string() })
const Progress = z.object({ value: z.number() })

/** What changes the list. Each call is one transaction. */
export interface Writing {
  put(rows: readonly ListedRow[]): void
  remove(seqs: readonly number[]): void
  clear(): void
  /** Everything up to this `seq` was written; 0 at the beginning. */
  through(): number
  isThrough(seq: number): void
  newest(): { seq: number; id: string } | undefined
  /** Ids of what may have changed since it was written, and nobody said so. */
  open(): string[]
  /** The lowest so many. */
  oldest(count: number): number[]
}

export function createWriting(database: DatabaseSync): Writing {
  const put = database.prepare(
    `INSERT INTO entry (seq, id, kind, received, type, model, category, tone, way, title, open) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (seq) DO UPDATE SET open = excluded.open, title = excluded.title`,
  )
  const isThere = database.prepare('SELECT 1 FROM entry WHERE seq = ?')
  const putText = database.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)')
  const putOutcome = database.prepare(
    'INSERT INTO outcome (seq, channel, state, at, why, attempts) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const putChannel = database.prepare('INSERT OR IGNORE INTO channel (name) VALUES (?)')
  const findChannel = database.prepare('SELECT id FROM channel WHERE name = ?')
  const channels = new Map<string, number>()
  const removals = ['entry WHERE seq', 'outcome WHERE seq', 'search WHERE rowid'].map((of) =>
    database.prepare(`DELETE FROM ${of} = ?`),
  )
  const removeOutcomes = database.prepare('DELETE FROM outcome WHERE seq = ?')

  function inOne(work: () => void): void {
    database.exec('BEGIN IMMEDIATE')
    try {
      work()
      database.exec('COMMIT')
    } catch (error) {
      // With a full disk, SQLite has rolled back by itself (https://sqlite.org/lang_transaction.html).
      if (database.isTransaction) database.exec('ROLLBACK')
      channels.clear()
      throw error
    }
  }

  function channelOf(name: string): number {
    const known = channels.get(name)
    if (known !== undefined) return known
    putChannel.run(name)
    const { id } = z.object({ id: z.number() }).parse(findChannel.get(name))
    channels.set(name, id)
    return id
  }

  /** What it says does not change: only what became of it. */
  function putOne(row: ListedRow): void {
    const { seq, id, kind, received, type, model, category, tone, way, title, isOpen } = row
    if (isThere.get(seq) === undefined) putText.run(seq, row.text)
    else removeOutcomes.run(seq)
    put.run(seq, id, kind, received, type, model, category, tone, way, title, isOpen ? 1 : 0)
    for (const { channel, state, at, why, attempts } of row.outcomes) {
      putOutcome.run(seq, channelOf(channel), states.indexOf(state), at, why, attempts)
    }
  }

  return {
    put: (rows) => inOne(() => rows.forEach(putOne)),
    remove: (seqs) =>
      inOne(() => {
        for (const seq of seqs) for (const removal of removals) removal.run(seq)
      }),
    clear: () =>
      inOne(() => {
        for (const table of ['entry', 'outcome', 'search', 'progress']) database.exec(`DELETE FROM ${table}`)
      }),
    through() {
      const row = database.prepare("SELECT value FROM progress WHERE key = 'through'").get()
      return row === undefined ? 0 : Progress.parse(row).value
    },
    isThrough(seq) {
      database.prepare("INSERT OR REPLACE INTO progress (key, value) VALUES ('through', ?)").run(seq)
    },
    newest() {
      const row = database.prepare('SELECT seq, id FROM entry ORDER BY seq DESC LIMIT 1').get()
      return row === undefined ? undefined : z.object({ ...Seq.shape, ...Id.shape }).parse(row)
    },
    open: () =>
      database
        .prepare('SELECT id FROM entry WHERE open = 1')
        .all()
        .map((row) => Id.parse(row).id),
    oldest: (count) =>
      database
        .prepare('SELECT seq FROM entry ORDER BY seq LIMIT ?')
        .all(count)
        .map((row) => Seq.parse(row).seq),
  }
}
