import { closeSync, openSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Outcome } from '../../event/outcome.ts'

/** Another layout is built anew from the store. */
const version = 1

/**
 * One row for each entry: what lists show and are filtered by. `open`: something of it waits or is held. `text` is searched
 * and not kept, since it would be here twice; `at`, `why` and `attempts` are those of what has failed.
 */
const layout = `
CREATE TABLE entry (
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, received TEXT NOT NULL,
  type TEXT, model TEXT, category TEXT, tone TEXT NOT NULL, way TEXT NOT NULL, title TEXT NOT NULL, open INTEGER NOT NULL
) STRICT;
CREATE INDEX entry_of_kind ON entry (kind, seq);
CREATE INDEX entry_of_model ON entry (kind, model, seq);
CREATE INDEX entry_of_category ON entry (kind, category, seq);
CREATE INDEX entry_of_type ON entry (kind, type, seq);
CREATE INDEX entry_received ON entry (kind, received);
CREATE INDEX entry_open ON entry (seq) WHERE open = 1;
CREATE TABLE channel (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE outcome (
  seq INTEGER NOT NULL, channel INTEGER NOT NULL, state INTEGER NOT NULL, at TEXT, why TEXT, attempts INTEGER,
  PRIMARY KEY (seq, channel)
) STRICT, WITHOUT ROWID;
CREATE INDEX outcome_of_state ON outcome (state, channel, seq);
CREATE TABLE progress (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (text, content='', contentless_delete=1, detail=none);
PRAGMA user_version = ${version};
`

/** What lists are read from. Everything in it comes from the store, and is made again where it is missing or cannot be read. */
export function openDatabase(path: string): DatabaseSync {
  try {
    return opened(path)
  } catch {
    return openAnew(path)
  }
}

/** It holds nothing of its own. */
export function openAnew(path: string): DatabaseSync {
  remove(path)
  return opened(path)
}

/** SQLITE_CORRUPT and SQLITE_NOTADB (https://sqlite.org/rescode.html). Most of a damaged file reads well. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return code === 11 || code === 26
}

function remove(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

function opened(path: string): DatabaseSync {
  // For its user only, as the store is.
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path)
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -4000')
    const found = database.prepare('PRAGMA user_version').get()?.user_version
    if (found === 0) database.exec(layout)
    else if (found !== version) throw new Error('it is of another version')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** As numbers, which is what makes the file small. */
export const states = [
  'waiting',
  'sent',
  'failed',
  'not_sent',
  'held',
  'told',
] as const satisfies readonly Outcome['state'][]
