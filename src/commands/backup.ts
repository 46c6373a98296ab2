import { randomUUID } from 'node:crypto'
import { link, mkdtemp, open as openFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { create } from 'tar'
import * as z from 'zod'
import { hourMs } from '../platform/durations.ts'
import { errorCode } from '../platform/unknown.ts'
import { type StoreTally, tallyOf } from '../store/copy.ts'
import { nameOf, type StorePlace, storePlace } from '../store/place.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { inspect } from './database.ts'
import { CommandFailure } from './failure.ts'
import { copyInto, openStoreAt } from './store-migrate.ts'
import { tallyText } from './tally-text.ts'
import type { Terminal } from './terminal.ts'

/** A backup is a gzipped tar of a store in a folder, with this file before it. */
export const manifestName = 'backup.json'

/** What is in the archive, by its names. */
export const archived = /^(backup\.json|bluepencil\.sqlite|settings\.json)$/

export const Manifest = z.object({
  format: z.literal('bluepencil-backup'),
  version: z.literal(1),
  /** When it was asked for; ISO 8601, UTC. */
  at: z.string(),
  tally: z.object({
    entries: z.int(),
    outcomes: z.int(),
    batches: z.int(),
    figures: z.int(),
    state: z.int(),
    hash: z.string(),
  }) satisfies z.ZodType<StoreTally>,
})
export type Manifest = z.infer<typeof Manifest>

/** Copies the store as it is at one moment, beside a running `serve` or without one, into one file that is not there yet. */
export async function backup(file: string, options: CommandOptions, terminal: Terminal): Promise<void> {
  const place = storePlace((await configOf(options)).store)
  if (await isThere(file)) throw isThereAlready(file)
  const at = new Date().toISOString()
  const { folder, remove } = await folderFor(place, file)
  try {
    const tally = await (place.is === 'folder'
      ? copyFolder(options, folder, terminal)
      : copyDatabase(place, folder, terminal))
    await write(file, folder, { format: 'bluepencil-backup', version: 1, at, tally })
    if (options.json) return terminal.out(`${JSON.stringify({ file, from: nameOf(place), at, ...tally })}\n`)
    terminal.out(`${file} has the store in ${nameOf(place)} as it was at ${at}.\n${tallyText(tally)}`)
    terminal.note(
      `${file} contains secrets, also those that were entered in the browser. Keep it where only you can read it.\n`,
    )
  } finally {
    await remove()
  }
}

function isThereAlready(file: string, cause?: unknown): CommandFailure {
  return new CommandFailure(`${file} exists already; choose another name`, 2, cause)
}

async function isThere(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

/** A store in a folder is copied inside that folder, which only its user can read. */
async function folderFor(
  place: StorePlace,
  file: string,
): Promise<{ folder: string; remove(): Promise<void> }> {
  const removing = (path: string) => () => rm(path, { recursive: true, force: true })
  if (place.is === 'database') {
    const parent = await mkdtemp(join(dirname(resolve(file)), '.backup-'))
    return { folder: join(parent, 'store'), remove: removing(parent) }
  }
  for (const name of await readdir(place.folder).catch(() => [])) {
    const path = join(place.folder, name)
    // Of a backup that was killed.
    if (name.startsWith('snapshot-') && (await stat(path)).mtimeMs < Date.now() - hourMs)
      await removing(path)()
  }
  const folder = join(place.folder, `snapshot-${randomUUID()}`)
  return { folder, remove: removing(folder) }
}

async function copyDatabase(
  place: Extract<StorePlace, { is: 'database' }>,
  folder: string,
  terminal: Terminal,
): Promise<StoreTally> {
  const { hasTables } = await inspect(place)
  if (!hasTables) throw new CommandFailure(`there is no store in ${place.name}`)
  const { openPostgresSnapshot } = await import('../store/postgres/open.ts')
  const from = await openPostgresSnapshot(place.url)
  try {
    return await copyInto({ is: 'folder', folder }, from, terminal)
  } finally {
    await from.close()
  }
}

/** Returns what is in the copy, read as a start reads it. */
async function copyFolder(options: CommandOptions, folder: string, terminal: Terminal): Promise<StoreTally> {
  await withControl(await configOf(options), terminal, (control) => control.snapshotTo(folder))
  const { store } = await openStoreAt({ is: 'folder', folder }, terminal)
  try {
    return await tallyOf(store)
  } finally {
    await store.close()
  }
}

/** The file is there whole, or not at all; it has what the store has, secrets too, and is for its user alone. */
async function write(file: string, folder: string, manifest: Manifest): Promise<void> {
  const partial = `${file}.partial`
  await writeFile(join(folder, manifestName), JSON.stringify(manifest), { mode: 0o600 })
  const names = (await readdir(folder)).filter((name) => archived.test(name))
  try {
    await writeFile(partial, '', { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    throw new CommandFailure(
      `${partial} cannot be written; another backup may be running, or was interrupted. If none is running, delete that file`,
      1,
      cause,
    )
  }
  try {
    const first = names.filter((name) => name === manifestName)
    const others = names.filter((name) => name !== manifestName)
    await create({ file: partial, cwd: folder, gzip: true, portable: true }, [...first, ...others])
    const written = await openFile(partial)
    await written.sync()
    await written.close()
    // Nothing is written over: of two backups to one file, one fails.
    await link(partial, file).catch((cause: unknown) => {
      throw errorCode(cause) === 'EEXIST' ? isThereAlready(file, cause) : cause
    })
    await rm(partial)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}
