import { mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { extract } from 'tar'
import { endAllSessions } from '../console/access/sessions.ts'
import { beforeOf } from '../event/outcome.ts'
import { type KnownToken, tokensOn } from '../people/converse/tokens.ts'
import { counted, plain } from '../platform/text.ts'
import { errorCode } from '../platform/unknown.ts'
import { breakOff } from '../record/evidence/chain.ts'
import { type StoreTally, tallyOf } from '../store/copy.ts'
import { nameOf, type StorePlace, storePlace } from '../store/place.ts'
import { databaseName, lockName, settingsName, syncFolder } from '../store/sqlite/files.ts'
import { lockFolder } from '../store/sqlite/folder.ts'
import { type Store, stateOf } from '../store/store.ts'
import { archived, Manifest, manifestName } from './backup.ts'
import { type CommandOptions, configOf } from './configuration.ts'
import { inspect, openDatabaseOf } from './database.ts'
import { CommandFailure } from './failure.ts'
import { copyInto, openStoreAt } from './store-migrate.ts'
import { tallyText } from './tally-text.ts'
import type { Terminal } from './terminal.ts'

interface RestoreOptions extends CommandOptions {
  /** What was held and has fallen due since goes out: nobody else has sent it. */
  sendHeld?: boolean
}

/** Puts a backup where the configuration says that the store is; nothing may be there. */
export async function restore(file: string, options: RestoreOptions, terminal: Terminal): Promise<void> {
  const place = storePlace((await configOf(options)).store)
  await mustBeEmpty(place)
  // From the first look to the end: beside a supervisor that starts `serve` again, that one is refused.
  const lock = place.is === 'folder' ? lockFolder(place.folder, () => undefined) : undefined
  const folder = await folderFor(place)
  try {
    await mustBeEmpty(place, basename(folder))
    const { at, tally } = await unpacked(file, folder)
    let resumed: ResumeResult
    const { store } = await openStoreAt({ is: 'folder', folder }, terminal)
    try {
      await check(store, tally, file)
      if (place.is === 'database') {
        await copyInto(place, store, terminal)
        const { store: target } = await openDatabaseOf(place)
        try {
          resumed = await resume(target, at, options)
        } finally {
          await target.close()
        }
      } else resumed = await resume(store, at, options)
    } finally {
      await store.close()
    }
    if (place.is === 'folder') await moveUp(folder, place.folder)
    const { failed, tokens } = resumed
    if (options.json) {
      const named = tokens.map(({ id, name, use }) => ({ id, name, use }))
      const done = { file, to: nameOf(place), at, ...tally, failed, tokens: named }
      return terminal.out(`${JSON.stringify(done)}\n`)
    }
    terminal.out(`${nameOf(place)} has the store as it was at ${at}.\n${tallyText(tally)}`)
    if (failed > 0) terminal.out(failedText(failed))
    if (tokens.length > 0) terminal.out(tokensText(tokens, at))
  } finally {
    await rm(folder, { recursive: true, force: true })
    lock?.release()
  }
}

/** `own`: what we have made there ourselves. */
async function mustBeEmpty(place: StorePlace, own?: string): Promise<void> {
  const never = 'a backup can only be restored into an empty folder or database'
  if (place.is === 'folder') {
    const names = await readdir(place.folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw new CommandFailure(`${place.folder} cannot be read`, 1, error)
    })
    // A file system's own, and what a start leaves that was refused.
    if (names.some((name) => ![own, 'lost+found', lockName].includes(name)))
      throw new CommandFailure(`${place.folder} is not empty; ${never}`)
    return
  }
  const { hasTables } = await inspect(place)
  if (hasTables) throw new CommandFailure(`${place.name} already has a store (schema bluepencil); ${never}`)
}

/** On the disk where it is to stay. */
async function folderFor(place: StorePlace): Promise<string> {
  if (place.is === 'database') return await mkdtemp(join(tmpdir(), 'bluepencil-restore-'))
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
    throw new CommandFailure(
      `${file} is not a Bluepencil backup, or is damaged; nothing was restored`,
      1,
      cause,
    )
  }
}

async function check(store: Store, expected: StoreTally, file: string): Promise<void> {
  const { hash } = await tallyOf(store)
  if (hash === expected.hash) return
  throw new CommandFailure(
    `${file} is damaged: its contents no longer match their hash; nothing was restored`,
  )
}

interface ResumeResult {
  /** How many notifications count as failed now. */
  failed: number
  /** Those that can be read with: some may have been revoked since. */
  tokens: readonly KnownToken[]
}

/** The service that is gone may have gone on after the backup. */
async function resume(store: Store, at: string, { sendHeld = false }: RestoreOptions): Promise<ResumeResult> {
  await breakOff(store, `a backup of ${at} was restored: what was added to the chain after it is missing`)
  await doubt(store)
  // A session that was signed out after the backup would be good again.
  await endAllSessions(stateOf(store, 'console'))
  const tokens = await tokensOn(store, Date.now).list()
  return { failed: sendHeld ? 0 : await failHeld(store, at), tokens }
}

/**
 * What was held until a time that has come since may have been sent, with other alerts in one message that cannot be searched for. What is
 * held for longer cannot have been.
 */
async function failHeld(store: Store, at: string): Promise<number> {
  const now = Date.now()
  const due = (await store.held()).filter(({ until }) => until <= now)
  const why = `it was held when the backup of ${at} was made; the old installation may have sent it after that`
  for (const { eventId, channel } of due) {
    await store.alter(eventId, channel, (outcome) =>
      outcome?.state === 'held'
        ? { state: 'failed', at: new Date(now).toISOString(), attempts: 0, why, ...beforeOf(outcome) }
        : undefined,
    )
  }
  return due.length
}

function failedText(count: number): string {
  const was = count === 1 ? 'was held and has' : 'were held and have'
  return `${counted(count, 'notification')} ${was} fallen due since. The old service may have sent them, so they are not sent and count as failed. bluepencil events --failed lists them; bluepencil replay EVENT_ID CHANNEL sends one. If the old service had stopped before, restore again with --send-held.\n`
}

function tokensText(tokens: readonly KnownToken[], at: string): string {
  const lines = tokens.map(({ id, name, use }) => `  ${id}  ${plain(name)}, for ${use}\n`)
  const works = tokens.length === 1 ? 'works' : 'work'
  return `${counted(tokens.length, 'token')} of the console ${works} again. If you revoked any of them after ${at}, revoke it again: bluepencil token revoke ID:\n${lines.join('')}`
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

/** The database last: by that step the store is there whole, or not at all. */
async function moveUp(from: string, to: string): Promise<void> {
  const names = (await readdir(from)).filter((name) => name === settingsName)
  for (const name of [...names, databaseName]) await rename(join(from, name), join(to, name))
  syncFolder(to)
}
