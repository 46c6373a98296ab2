import * as z from 'zod'
import type { CheckRow } from '../../channels/channel.ts'
import type { Config } from '../../config/schema.ts'
import { connectControl } from '../../people/control/connect.ts'
import { counted } from '../../platform/text.ts'
import { type HeldAlerts, heldByChannel } from '../../store/held.ts'
import { type StorePlace, storePlace } from '../../store/place.ts'
import type { InspectedDatabase } from '../../store/postgres/inspect.ts'
import { couldHoldStore, holdsStore } from '../../store/sqlite/folder.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { mostApartMs, type Store, type StoredEntry } from '../../store/store.ts'
import { withControl } from '../configuration.ts'
import { inspect, openDatabaseOf } from '../database.ts'
import type { Terminal } from '../terminal.ts'
import { fail, ok, warn } from './row.ts'

/** What the store has, as far as other checks need it. */
export interface StoreContents {
  isRunning: boolean
  /** There is no store yet: nothing has ever run on it. */
  isNew?: true
  subscription?: unknown
  signatures?: unknown
  troubles?: unknown
  polling?: unknown
  readers?: unknown
  /** By channel. */
  held?: Record<string, HeldAlerts[]>
  /** Newest first. */
  events: readonly StoredEntry[]
}

interface StoreChecked {
  rows: CheckRow[]
  kept: StoreContents
}

/** So many of the newest events are read. */
const newest = 1_000

/** Asks the running service, or opens its store. Makes none if there is none. Rejects if there could be none. */
export async function checkStore(config: Config): Promise<StoreChecked> {
  const place = storePlace(config.store)
  if (place.is === 'database') return await checkDatabase(place)
  const { folder } = place
  const running = await connectControl(folder)
  if (running !== undefined) {
    const { store, troubles } = await running.ready()
    const kept = {
      ...(await running.status()),
      troubles,
      readers: await running.readers(),
      isRunning: true,
      events: await running.events({ limit: newest }),
    }
    const disk = store.ok
      ? ok('disk', `${folder} is in use by the running service`)
      : fail('disk', `the running service cannot write to ${folder}: ${store.why}`)
    return { rows: [disk, ...troublesIn(kept)], kept }
  }
  if (await holdsStore(folder)) return await checkResting(folder)
  await couldHoldStore(folder)
  const text = `${folder} has no store yet; serve will make it`
  return { rows: [ok('disk', text)], kept: { isRunning: false, isNew: true, events: [] } }
}

async function checkResting(folder: string): Promise<StoreChecked> {
  const damage: CheckRow[] = []
  const store = await openSqliteStore(folder, {
    now: Date.now,
    onTrouble: (sentence) => damage.push(fail('files', sentence)),
  })
  try {
    await store.probe()
    const kept = await keptIn(store, false)
    const disk = ok('disk', `${folder} can be written`)
    return { rows: [disk, ...damage, ...troublesIn(kept)], kept }
  } finally {
    await store.close()
  }
}

async function checkDatabase(place: Extract<StorePlace, { is: 'database' }>): Promise<StoreChecked> {
  const inspected = await inspect(place)
  const rows = durability(inspected)
  const server = `${place.name} (Postgres ${inspected.version})`
  if (!inspected.hasTables) {
    const text = `${server} can be reached and has no store yet; serve will make it`
    return { rows: [ok('database', text), ...rows], kept: { isRunning: false, isNew: true, events: [] } }
  }
  const { store, running } = await openDatabaseOf(place)
  try {
    await store.probe()
    const kept = await keptIn(store, running)
    const by = `${counted(inspected.processes, 'process', 'processes')} of Bluepencil on it`
    const row = ok('database', `${server} can be written; ${by}`)
    return { rows: [row, ...rows, ...troublesIn(kept)], kept }
  } finally {
    await store.close()
  }
}

async function keptIn(store: Store, isRunning: boolean): Promise<StoreContents> {
  return {
    isRunning,
    subscription: await store.readState('subscription'),
    signatures: await store.readState('signatures'),
    troubles: await store.readState('troubles'),
    polling: await store.readState('polling'),
    readers: await store.readState('readers'),
    held: Object.fromEntries(heldByChannel(await store.held())),
    events: await store.list({ limit: newest }),
  }
}

const Troubles = z.array(z.object({ title: z.string(), text: z.string(), since: z.string() })).catch([])

function troublesIn({ troubles, isRunning }: StoreContents): CheckRow[] {
  return Troubles.parse(troubles).map(({ title, text, since }) =>
    isRunning
      ? fail('trouble', `${title} (since ${since}): ${text}`)
      : warn('trouble', `when the service last ran: ${title} (since ${since}): ${text}`),
  )
}

/** Reads all that is stored. */
export async function* checkWhole(config: Config, terminal: Terminal): AsyncGenerator<CheckRow, void> {
  const damage: string[] = []
  const noting = { ...terminal, note: (sentence: string) => void damage.push(sentence.trim()) }
  const faults = await withControl(config, noting, (control) => control.verify())
  const place = storePlace(config.store)
  if (faults === undefined) {
    yield ok('database', 'Postgres checks what it reads: see data_checksums, and pg_amcheck')
    return
  }
  const all = [...damage, ...faults]
  if (all.length === 0)
    yield ok('files', `nothing in ${place.is === 'folder' ? place.folder : place.name} is damaged`)
  for (const fault of all) yield fail('files', fault)
}

/** The oldest version that the store was tried with. */
const oldestVersion = 150_000

/** What of the database's settings may cost events, or show them to others. Pure. */
export function durability(database: InspectedDatabase): CheckRow[] {
  return [
    ...versionRows(database),
    crashRow(database),
    failoverRow(database),
    connectionRow(database),
    ...poolerRows(database),
    ...clockRows(database),
  ]
}

function versionRows({ versionNumber, version: name }: InspectedDatabase): CheckRow[] {
  if (versionNumber >= oldestVersion) return []
  return [fail('version', `Postgres ${name} is too old`, 'Bluepencil was tried with 15 and newer')]
}

/** Whether what it has taken outlives a crash of its machine. */
function crashRow({ fsync, fullPageWrites, synchronousCommit }: InspectedDatabase): CheckRow {
  const off = [fsync === 'off' && 'fsync', fullPageWrites === 'off' && 'full_page_writes'].filter(Boolean)
  if (off.length > 0) {
    const text = `${off.join(' and ')} of the database is off: a crash of its machine may lose or damage what it has stored`
    return fail('crash', text, 'turn it on; it is on by default')
  }
  const note =
    synchronousCommit === 'off' ? '; synchronous_commit is off there, and each commit asks for on' : ''
  return ok('crash', `stored data survives a crash of the database’s machine${note}`)
}

/** Whether it outlives the loss of that machine. */
function failoverRow({ synchronousStandbyNames: names, standbys }: InspectedDatabase): CheckRow {
  if (names !== '') {
    const text = `a commit waits for a standby (${names}): a failover to it loses nothing`
    if (standbys > 0) return ok('failover', text)
    return warn(
      'failover',
      `${text}; Bluepencil sees none now, and without one nothing can be stored`,
      'check that the standby runs, or that this user may see it (pg_monitor)',
    )
  }
  const lost = 'where one takes over, events that were answered 2xx in the last moments may be lost'
  if (standbys > 0) {
    return warn(
      'failover',
      `${counted(standbys, 'standby', 'standbys')} of the database, and it commits without waiting for any: ${lost}`,
      'set synchronous_standby_names',
    )
  }
  return warn(
    'failover',
    `the database commits without waiting for a standby: ${lost}`,
    'where there is a standby, set synchronous_standby_names',
  )
}

function connectionRow({ guard }: InspectedDatabase): CheckRow {
  switch (guard) {
    case 'here':
      return ok('connection', 'on this machine, without TLS')
    case 'verified':
      return ok('connection', 'by TLS; the certificate is verified')
    case 'not verified':
      return warn(
        'connection',
        'by TLS, but the certificate is not verified: others in the network can read and change everything',
        'leave sslmode out of the address, and name a private authority by sslrootcert',
      )
    case 'in the clear':
      return warn(
        'connection',
        'unencrypted: others in the network can read the password and everything in the store',
        'leave sslmode=disable out of the address',
      )
  }
}

function poolerRows({ isPooled }: InspectedDatabase): CheckRow[] {
  if (!isPooled) return []
  const text =
    'a pooler is in between; in transaction mode, changes reach other processes within three seconds instead of at once'
  return [ok('pooler', text)]
}

function clockRows({ aheadMs }: InspectedDatabase): CheckRow[] {
  if (Math.abs(aheadMs) <= mostApartMs) return []
  const far = counted(Math.round(Math.abs(aheadMs) / 1_000), 'second')
  const text = `this machine’s clock is ${far} ${aheadMs > 0 ? 'behind' : 'ahead of'} the database’s; what is due goes by the database’s`
  return [warn('clock', text, 'set both by NTP')]
}
