import { openDatabase } from './database.ts'
import { refused } from './failure.ts'

/** What a database is like, before anything is made in it. */
export interface Inspected {
  /** As the server names itself. */
  version: string
  /** Whether Bluepencil's tables are there. */
  hasTables: boolean
  /** Processes that gave a sign of life within the last half minute. */
  processes: number
  /** Settings that say whether a commit outlives a crash, and a failover. */
  fsync: string
  fullPageWrites: string
  synchronousStandbyNames: string
}

const settings = `
select current_setting('server_version') as version, current_setting('fsync') as fsync,
  current_setting('full_page_writes') as "fullPageWrites",
  current_setting('synchronous_standby_names') as "synchronousStandbyNames",
  to_regclass('bluepencil.sessions') is not null as "hasTables"`

const alive = `
select count(*)::int as processes from bluepencil.sessions
where seen > clock_timestamp() - interval '30 seconds'`

/** Rejects with `StoreRefused` where it cannot be asked. */
export async function inspectDatabase(url: string): Promise<Inspected> {
  const database = openDatabase(url)
  try {
    const [found] = await database.ask<Omit<Inspected, 'processes'>>(settings)
    if (found === undefined) throw new Error('the database answers nothing')
    const [counted] = found.hasTables ? await database.ask<{ processes: number }>(alive) : []
    return { ...found, processes: counted?.processes ?? 0 }
  } catch (cause) {
    throw refused('the store in Postgres cannot be asked', cause)
  } finally {
    await database.close()
  }
}

/** Of a store that was copied: what the other had dropped is not new here. Milliseconds since the epoch. */
export async function carryHorizon(url: string, horizon: number | undefined): Promise<void> {
  const database = openDatabase(url)
  try {
    await database.ask('update bluepencil.clock set horizon = $1', [horizon ?? null])
  } finally {
    await database.close()
  }
}
