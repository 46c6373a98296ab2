import * as z from 'zod'
import type { CheckRow } from '../../channels/channel.ts'
import type { Config } from '../../config/schema.ts'
import { connectControl } from '../../people/control/socket.ts'
import { counted } from '../../platform/text.ts'
import { type HeldAlerts, heldByChannel } from '../../store/held.ts'
import { type StorePlace, storePlace } from '../../store/place.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { couldHoldStore, holdsStore } from '../../store/sqlite/place.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import { inspect, openDatabaseOf } from '../database.ts'
import { durability } from './durability.ts'
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

export interface StoreChecked {
  rows: CheckRow[]
  kept: StoreContents
}

/** So many of the newest events are read. */
const newest = 1_000

/** Asks the running service, or opens its store. Makes none where there is none. Rejects where there could be none. */
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
