import { postgres } from '../sql/dialect.ts'
import { refused } from '../sql/failure.ts'
import { readState } from '../sql/state.ts'
import { type ConnectionSecurity, guardOf } from './address.ts'
import { openDatabase } from './database.ts'
import { createClockOffset } from './sessions.ts'

/** What a database is like, before anything is made in it. */
export interface InspectedDatabase {
  /** As the server names itself, and as a number: 150018 is 15.18. */
  version: string
  versionNumber: number
  /** Whether Bluepencil's tables are there. */
  hasTables: boolean
  /** Processes that gave a sign of life within the last half minute. */
  processes: number
  /** Settings that say whether a commit outlives a crash, and a failover. */
  fsync: string
  fullPageWrites: string
  synchronousStandbyNames: string
  /** What the database has if nothing else is asked for; each commit of ours asks for `on`. */
  synchronousCommit: string
  /** Standbys that are connected, as far as this user may see. */
  standbys: number
  /** A pooler stands between: the server is another than the one that took the connection. */
  isPooled: boolean
  guard: ConnectionSecurity
  /** How far its clock is ahead of this machine's, milliseconds. */
  aheadMs: number
}

const settings = `
select current_setting('server_version') as version, current_setting('fsync') as fsync,
  current_setting('full_page_writes') as "fullPageWrites",
  current_setting('synchronous_standby_names') as "synchronousStandbyNames",
  current_setting('synchronous_commit') as "synchronousCommit",
  current_setting('server_version_num')::int as "versionNumber",
  (select count(*)::int from pg_stat_replication) as standbys,
  to_regclass('bluepencil.sessions') is not null as "hasTables"`

const alive = `
select count(*)::int as processes from bluepencil.sessions
where seen > clock_timestamp() - interval '30 seconds'`

/** Rejects with `StoreRefused` if it cannot be asked. */
export async function inspectDatabase(url: string): Promise<InspectedDatabase> {
  const database = openDatabase(url)
  try {
    const [found] =
      await database.ask<Omit<InspectedDatabase, 'processes' | 'isPooled' | 'guard' | 'aheadMs'>>(settings)
    if (found === undefined) throw new Error('the database answers nothing')
    const [counted] = found.hasTables ? await database.ask<{ processes: number }>(alive) : []
    const offset = createClockOffset(database.ask, Date.now)
    await offset.measure()
    const isPooled = await database.isPooled()
    const aheadMs = offset.aheadMs()
    return { ...found, processes: counted?.processes ?? 0, isPooled, guard: guardOf(url), aheadMs }
  } catch (cause) {
    throw refused('the store in Postgres cannot be queried', cause)
  } finally {
    await database.close()
  }
}

/** What people set, without opening the store; undefined if nothing was set. Rejects if it cannot be read. */
export async function readSettings(url: string): Promise<unknown> {
  const database = openDatabase(url)
  try {
    const [table] = await database.ask<{ isThere: boolean }>(
      `select to_regclass('bluepencil.state') is not null as "isThere"`,
    )
    if (table?.isThere !== true) return undefined
    return await readState(database.ask, postgres, 'settings')
  } finally {
    await database.close()
  }
}
