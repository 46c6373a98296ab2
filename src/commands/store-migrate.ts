import { counted } from '../platform/text.ts'
import {
  type CopySource,
  type CopyTarget,
  copyStore,
  NotACopy,
  type StoreTally,
  tallyOf,
} from '../store/copy.ts'
import { nameOf, type StorePlace, storePlace } from '../store/place.ts'
import { holdsStore } from '../store/sqlite/folder.ts'
import { openSqlite } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { inspect } from './database.ts'
import { CommandFailure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Progress is reported after so many entries. */
const reportEvery = 10_000

/** Copies one store into another. No process may work on either; the first stays as it is. */
export async function storeMigrate(
  from: string,
  to: string,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<void> {
  const [source, target] = [placeOf(from), placeOf(to)]
  if (nameOf(source) === nameOf(target)) throw new CommandFailure('both are the same store', 2)
  await mustBeAtRest(source, 'from')
  await mustBeAtRest(target, 'to')
  const { store: reading } = await openStoreAt(source, terminal)
  try {
    const tally = await copyInto(target, reading, terminal)
    if (options.json)
      return terminal.out(`${JSON.stringify({ from: nameOf(source), to: nameOf(target), ...tally })}\n`)
    const what = `${counted(tally.entries, 'entry', 'entries')} with ${counted(tally.outcomes, 'outcome')}`
    terminal.out(
      `${what}, the settings and all other data are now in ${nameOf(target)}, exactly as in ${nameOf(source)}.\n`,
    )
    terminal.out(`sha256 of both: ${tally.hash}\n`)
  } finally {
    await reading.close()
  }
}

function placeOf(store: string): StorePlace {
  if (/^(file:.|postgres(ql)?:\/\/.)/.test(store)) return storePlace(store)
  throw new CommandFailure(
    `${store} is not a store: write file: and a folder, or postgres:// and a database`,
    2,
  )
}

/** A folder says so itself when it is opened. */
async function mustBeAtRest(place: StorePlace, role: 'from' | 'to'): Promise<void> {
  if (place.is === 'folder') {
    if (role === 'from' && !(await holdsStore(place.folder)))
      throw new CommandFailure(`there is no store in ${place.folder}`)
    return
  }
  const { hasTables, processes } = await inspect(place)
  if (role === 'from' && !hasTables) throw new CommandFailure(`there is no store in ${place.name}`)
  if (processes === 0) return
  const who = counted(processes, 'process works', 'processes work')
  throw new CommandFailure(
    `${who} on ${place.name}; stop them first (one that was killed counts as running for half a minute)`,
  )
}

export async function openStoreAt(
  place: StorePlace,
  terminal: Terminal,
): Promise<CopyTarget & { store: Store }> {
  const onTrouble = (sentence: string) => terminal.note(`bluepencil: ${sentence}\n`)
  if (place.is === 'folder') return await openSqlite(place.folder, { now: Date.now, onTrouble })
  return await (await import('../store/postgres/open.ts')).openPostgres(place.url)
}

/** Copies all of it, and compares what then stands there. Returns what that is. */
export async function copyInto(place: StorePlace, from: CopySource, terminal: Terminal): Promise<StoreTally> {
  const target = await openStoreAt(place, terminal)
  let reported = 0
  try {
    await copyStore(from, target, (copied) => {
      if (copied - reported < reportEvery) return
      reported = copied
      terminal.note(`${copied} entries copied\n`)
    })
  } catch (error) {
    if (error instanceof NotACopy)
      throw new CommandFailure(`cannot copy into ${nameOf(place)}: ${error.message}`)
    throw error
  } finally {
    await target.store.close()
  }
  // As a start reads it.
  const { store: copied } = await openStoreAt(place, terminal)
  try {
    const [before, after] = [await tallyOf(from), await tallyOf(copied)]
    if (before.hash === after.hash) return after
    throw new CommandFailure(
      `the copy differs from the original: ${JSON.stringify(before)} there, ${JSON.stringify(after)} in ${nameOf(place)}; do not use the copy`,
    )
  } finally {
    await copied.close()
  }
}
