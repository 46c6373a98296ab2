import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Environment } from '../../../src/app/environment.ts'
import { DatabaseFailure } from '../../../src/store/sql/failure.ts'
import type { Batch, SqliteConnection } from '../../../src/store/sqlite/engine.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { copyNow } from '../../unit/store/folder.ts'
import { between, type Chance } from '../detector/chance.ts'
import type { Timeline } from './timeline.ts'

/** How the disk is at the moment: the chance of each mishap at a step, from 0 to 1. */
export interface DiskWeather {
  /** Steps that write fail: full, or sick. */
  failing: number
  /** A step takes up to five seconds. */
  slow: number
}

export const soundDisk: DiskWeather = { failing: 0, slow: 0 }

const reasons = ['the disk is full (ENOSPC)', 'the disk reports an error (EIO)'] as const

interface DiskParts {
  timeline: Timeline
  random: Chance
  weather(): DiskWeather
  note(what: string): void
}

/** The disk of the machine: a killed process leaves it as its last commit left it. */
export interface MachineDisk {
  /** A process comes to it. `onStep` is called before and after each step. */
  mount(onStep: () => void): { openStore: Environment['openStore']; kill(): void }
  /** One bit of one row turns. */
  rot(): void
  /** Where it all lies now. */
  folder(): string
  remove(): void
}

export function createMachineDisk(parts: DiskParts): MachineDisk {
  const root = mkdtempSync(join(process.platform === 'linux' ? '/dev/shm' : tmpdir(), 'life-'))
  let copies = 0
  let folder = join(root, '0')

  function mount(onStep: () => void): ReturnType<MachineDisk['mount']> {
    const process = { isKilled: false }
    const mountedFolder = folder
    let mounted: SqliteConnection | undefined
    return {
      openStore: (_place, options) =>
        openSqliteStore(mountedFolder, {
          ...options,
          // Its real folder is another in each life, and would make each life another.
          onTrouble: (sentence) => options.onTrouble(sentence.replaceAll(mountedFolder, '/data')),
          disk(connection) {
            mounted = connection
            // A kill leaves what the system has of the files: nothing here waits for the real disk.
            void connection.read('pragma synchronous = off', [])
            const seen = weathered(connection, process, { ...parts, onStep })
            return {
              ...seen,
              async close() {
                await seen.close()
                mounted = undefined
              },
            }
          },
        }),
      kill() {
        if (process.isKilled) return
        process.isKilled = true
        // It had ended by itself.
        if (mounted === undefined) return
        copies += 1
        folder = join(root, String(copies))
        copyNow(mountedFolder, folder)
        void mounted.close()
        rmSync(mountedFolder, { recursive: true })
      },
    }
  }

  return {
    mount,
    folder: () => folder,
    rot() {
      const database = new DatabaseSync(join(folder, 'bluepencil.sqlite'))
      const [table, column] = parts.random() < 0.5 ? ['entries', 'entry'] : ['outcomes', 'outcome']
      const rows = database
        .prepare(`select rowid as row, ${column} as text from ${table} order by rowid`)
        .all()
      const row = rows[Math.floor(parts.random() * rows.length)]
      if (row !== undefined) {
        const bytes = Buffer.from(String(row.text))
        const at = Math.floor(parts.random() * bytes.length)
        // A text stays one.
        bytes[at] = (bytes[at] ?? 0) ^ 1
        database
          .prepare(`update ${table} set ${column} = ? where rowid = ?`)
          .run(bytes.toString(), Number(row.row))
        parts.note(`rot: ${table} ${String(row.row)} byte ${at}`)
      }
      database.close()
    },
    remove: () => rmSync(root, { recursive: true }),
  }
}

/** Each minute the program writes 64 KB, to see that there is room. To hash them took a tenth of a life, and here is always room. */
function light(batch: Batch): Batch {
  return batch.map(({ text, rows }) => ({
    text,
    rows: rows.map((row) => (row[0] === 'probe' ? ['probe', '0'] : row)),
  }))
}

/** A process that is killed gets no answer. */
function weathered(
  connection: SqliteConnection,
  process: { isKilled: boolean },
  { timeline, random, weather, note, onStep }: DiskParts & { onStep(): void },
): SqliteConnection {
  async function step<T>(what: string, isChange: boolean, work: () => Promise<T>): Promise<T> {
    const { failing, slow } = weather()
    if (random() < slow) {
      await new Promise<void>((resolve) => void timeline.after(between(random, 1, 5_000), resolve))
    }
    const isFailing = isChange && random() < failing
    // Some of what fails is stored all the same.
    const isLost = isFailing && random() < 0.2
    onStep()
    if (process.isKilled) return await new Promise(() => undefined)
    const done = isFailing && !isLost ? undefined : await work()
    if (process.isKilled) return await new Promise(() => undefined)
    if (isFailing) {
      const reason = reasons[Math.floor(random() * reasons.length)] ?? reasons[0]
      note(`disk: ${what} ${reason}`)
      throw new DatabaseFailure(reason, isLost ? 'unknown' : 'undone')
    }
    onStep()
    if (process.isKilled) return await new Promise(() => undefined)
    return done as T
  }

  // One after the other, as a thread does it.
  let turn: Promise<unknown> = Promise.resolve()
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  return {
    read: (text, values) => inTurn(() => step('read', false, () => connection.read(text, values))),
    commit: (batch) => inTurn(() => step('commit', true, () => connection.commit(light(batch)))),
    copyTo: (path) => inTurn(() => step('copy', true, () => connection.copyTo(path))),
    document: (asked) =>
      inTurn(() => step('document', asked.does !== 'read', () => connection.document(asked))),
    close: () => inTurn(() => connection.close()),
  }
}
