import { Low } from 'lowdb'
import * as z from 'zod'
import { oneAtATime } from '../platform/one-at-a-time.ts'
import type { SqliteConnection } from './sqlite/engine.ts'
import { type Store, StoreUnavailable } from './store.ts'

/** Readable and portable: what people set while Bluepencil runs. */
const StoredSettings = z.looseObject({ revision: z.int().min(0) })
type StoredSettings = z.infer<typeof StoredSettings>

interface SettingsFileOptions {
  /** Reads and writes the file, on disk (fsync) when it resolves. */
  document: SqliteConnection['document']
  /** Reports in a sentence what a person should look at. */
  onTrouble(sentence: string): void
}

const onlyFile =
  'only the configuration file is used: channels, accounts, filters and tokens that were made in the browser are missing'

/**
 * The database remembers the revision, so that a file that is gone or older is noticed. It remembers that no account was in it: only then
 * the console stays open without it.
 */
const Remembered = z
  .object({ revision: z.int(), withoutAccounts: z.literal(true).optional() })
  .catch({ revision: 0 })

const WithoutAccounts = z.object({
  config: z
    .union([
      z.looseObject({ withoutAccounts: z.literal(true) }),
      z.looseObject({ users: z.undefined().optional(), lost: z.undefined().optional() }),
    ])
    .optional(),
})

/**
 * A store whose state `settings` is `settings.json` in the folder, mode 0600. One process writes it: the one that has the store's lock. Each
 * change is on disk (fsync) before it resolves. An edit while the process runs is kept beside it and reported; it does not count.
 */
export async function withSettingsFile(
  store: Store,
  { document: step, onTrouble }: SettingsFileOptions,
): Promise<Store> {
  const adapter = {
    read: async () => null,
    write: async (data: StoredSettings) => void (await step({ does: 'write', text: textOf(data) })),
  }
  const document = new Low<StoredSettings>(adapter, { revision: 0 })
  let written: string | undefined
  const inTurn = oneAtATime()
  await readAtStart()

  async function readAtStart(): Promise<void> {
    const remembered = Remembered.parse(await store.readState('settings'))
    let lost: string | undefined
    const text = await step({ does: 'read' })
    const parsed = text === undefined ? undefined : parse(text)
    if (text !== undefined && parsed === undefined) {
      const kept = await step({ does: 'keep', as: 'damaged' })
      lost = `settings.json cannot be read and is kept as ${kept}; ${onlyFile}. To restore it, stop Bluepencil, correct that file and rename it to settings.json`
    } else if (text === undefined && remembered.revision > 0) {
      lost = `settings.json is missing; ${onlyFile}. To restore it, stop Bluepencil and copy the file from a backup`
    } else if (parsed !== undefined && parsed.revision < remembered.revision) {
      onTrouble(
        `settings.json has revision ${parsed.revision}, but the last one was ${remembered.revision}: its filters and tokens are older. The audit log shows what changed since`,
      )
    }
    // A revision that an act names is never made again.
    const revision = Math.max(parsed?.revision ?? 0, remembered.revision)
    const { withoutAccounts } = remembered
    const gone = { revision: 0, lost, ...(withoutAccounts && { withoutAccounts }) }
    document.data = { ...parsed, revision, ...(lost !== undefined && { config: gone }) }
    written = revision === parsed?.revision ? text : undefined
    if (lost !== undefined) onTrouble(lost)
    // If it cannot be written, the same is found at the next start.
    if (text !== undefined && parsed === undefined) await write().catch(() => undefined)
  }

  /** Somebody may have edited the file, or removed it. */
  async function keepEdit(): Promise<void> {
    if (written === undefined) return
    const now = await step({ does: 'read' })
    if (now === written) return
    const kept = now === undefined ? undefined : await step({ does: 'keep', as: 'edited' })
    await write()
    onTrouble(
      kept === undefined
        ? 'settings.json was removed while Bluepencil was running, and was written again'
        : `settings.json was edited while Bluepencil was running. The edit is ignored and kept as ${kept}. Stop Bluepencil before you edit it`,
    )
  }

  async function write(): Promise<void> {
    try {
      await document.write()
    } catch (cause) {
      throw new StoreUnavailable('settings.json could not be written', { cause })
    }
    written = textOf(document.data)
  }

  /** Also without a revision there may be something: that what there was is lost. */
  function contents(): StoredSettings | undefined {
    const { revision, config } = document.data
    return revision === 0 && config === undefined ? undefined : structuredClone(document.data)
  }

  async function change(how: (before: unknown) => unknown): Promise<void> {
    await keepEdit()
    const before = document.data
    const next = how(contents())
    if (next === undefined) return
    document.data = StoredSettings.parse(JSON.parse(JSON.stringify(next)))
    try {
      await write()
    } catch (error) {
      document.data = before
      throw error
    }
    const { revision } = document.data
    const { success } = WithoutAccounts.safeParse(document.data)
    await store.changeState('settings', () => ({ revision, ...(success && { withoutAccounts: true }) }))
  }

  return {
    ...store,
    async readState(key) {
      if (key !== 'settings') return await store.readState(key)
      return contents()
    },
    changeState: (key, how) => (key === 'settings' ? inTurn(() => change(how)) : store.changeState(key, how)),
    async probe() {
      await inTurn(keepEdit)
      await store.probe()
    },
    ...(store.snapshotTo && {
      /** The database and the settings are of one revision. */
      snapshotTo: (to: string) =>
        inTurn(async () => {
          await store.snapshotTo?.(to)
          if (written !== undefined) await step({ does: 'write', text: written, folder: to })
        }),
    }),
    async close() {
      await inTurn(async () => {})
      await store.close()
    },
  }
}

function parse(text: string): StoredSettings | undefined {
  try {
    return StoredSettings.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function textOf(data: StoredSettings): string {
  return `${JSON.stringify(data, null, 2)}\n`
}
