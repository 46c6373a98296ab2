import { mkdir, mkdtemp, open as openFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extract } from 'tar'
import { type Tally, tallyOf } from '../store/copy.ts'
import { openLowdbStore } from '../store/lowdb/open.ts'
import { nameOf, type StorePlace, storePlace } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import { archived, Manifest, manifestName } from './backup-file.ts'
import { configOf } from './configuration.ts'
import { inspect, openDatabaseOf } from './database.ts'
import { Failure } from './failure.ts'
import { compared, copy } from './store-migrate.ts'
import { tallyText } from './tally-text.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  config?: string
  json?: boolean
}

/** Puts a backup where the configuration says that the store is; nothing may be there. */
export async function restore(file: string, options: Options, terminal: Terminal): Promise<void> {
  const place = storePlace(configOf(options).store)
  await mustBeEmpty(place)
  const folder = await folderFor(place)
  try {
    const { at, tally } = await unpacked(file, folder)
    const store = await openLowdbStore(folder, {
      now: Date.now,
      onTrouble: (sentence) => terminal.note(`bluepencil: ${sentence}\n`),
    })
    try {
      await check(store, tally, file)
      if (place.is === 'database') {
        await copy(store, place, terminal)
        await compared(store, place, terminal)
        const { store: target } = await openDatabaseOf(place)
        try {
          await doubt(target)
        } finally {
          await target.close()
        }
      } else await doubt(store)
    } finally {
      await store.close()
    }
    if (place.is === 'folder') await moveUp(folder, place.folder)
    if (options.json) return terminal.out(`${JSON.stringify({ file, to: nameOf(place), at, ...tally })}\n`)
    terminal.out(`${nameOf(place)} has the store as it was at ${at}.\n${tallyText(tally)}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function mustBeEmpty(place: StorePlace): Promise<void> {
  const never = 'a backup is put into an empty place, and never over what is there'
  if (place.is === 'folder') {
    const names = await readdir(place.folder).catch((error: unknown) => {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
      throw new Failure(`${place.folder} cannot be read`, 1, error)
    })
    // A file system's own.
    if (names.some((name) => name !== 'lost+found'))
      throw new Failure(`${place.folder} is not empty; ${never}`)
    return
  }
  const { hasTables } = await inspect(place)
  if (hasTables) throw new Failure(`there is a store in ${place.name} (schema bluepencil); ${never}`)
}

/** On the disk where it is to stay. */
async function folderFor(place: StorePlace): Promise<string> {
  if (place.is === 'database') return await mkdtemp(join(tmpdir(), 'bluepencil-restore-'))
  await mkdir(place.folder, { recursive: true, mode: 0o700 })
  return await mkdtemp(join(place.folder, 'restoring-'))
}

async function unpacked(file: string, folder: string): Promise<Manifest> {
  try {
    await extract({
      file,
      cwd: folder,
      strict: true,
      preserveOwner: false,
      filter: (path) => archived.test(path),
    })
    return Manifest.parse(JSON.parse(await readFile(join(folder, manifestName), 'utf8')))
  } catch (cause) {
    throw new Failure(`${file} is no backup of Bluepencil’s, or is damaged; nothing was restored`, 1, cause)
  }
}

async function check(store: Store, expected: Tally, file: string): Promise<void> {
  const { hash } = await tallyOf(store)
  if (hash === expected.hash) return
  throw new Failure(
    `${file} is damaged: what is in it has another hash than when it was made; nothing was restored`,
  )
}

/** What was still to be sent may have been sent since: the providers that can be asked are asked first. */
async function doubt(store: Store): Promise<void> {
  for (const { channel } of await store.backlog()) {
    const waiting = await store.pending(channel)
    await Promise.all(
      waiting.map(({ eventId }) =>
        store.alter(eventId, channel, (outcome) =>
          outcome?.state === 'waiting' ? { ...outcome, uncertain: true } : undefined,
        ),
      ),
    )
  }
}

/** Each by one step; the events last, so that what was broken off is no store that looks whole. */
async function moveUp(from: string, to: string): Promise<void> {
  const order = ['state.json', 'chain.journal', 'segments']
  const there = new Set(await readdir(from))
  for (const name of order.filter((one) => there.has(one))) await rename(join(from, name), join(to, name))
  const folder = await openFile(to)
  await folder.sync()
  await folder.close()
}
