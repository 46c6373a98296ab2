import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import type { Act } from '../../event/act.ts'
import type { Store } from '../../store/store.ts'
import type { Doer } from './acts.ts'

/** What people set while Bluepencil runs. */
type SettingKey = 'filters' | 'tokens' | 'feeds' | 'config'

/** The document `settings` of the store. `act`: who made this revision; it may not be in the audit log yet. */
const SettingsDocument = z
  .looseObject({ revision: z.int().min(0), act: z.looseObject({ id: z.string() }).optional() })
  // What it had is lost, and the accounts with it.
  .catch({ revision: 0, config: 'damaged' })

function documentFrom(stored: unknown): z.infer<typeof SettingsDocument> {
  return SettingsDocument.parse(stored ?? { revision: 0 })
}

/** All settings are one document with one revision. Each change is an act in the audit log that names its revision. */
export interface Settings {
  read(key: SettingKey): Promise<unknown>
  /**
   * Changes a setting, then records the act. `change` gets JSON and answers what becomes JSON; if it answers undefined, nothing changes and
   * the answer is `unchanged`. `repeated`: this act made the present revision. Rejects with `StoreUnavailable`; the setting may have
   * changed then, and its act is recorded later.
   */
  change(
    key: SettingKey,
    change: (before: unknown) => unknown,
    act: Act,
  ): Promise<'changed' | 'unchanged' | 'repeated'>
  /** Whether the audit log has this act, or will have it. */
  isRecorded(actId: string): Promise<boolean>
  /** Records the act of the present revision, if a process ended before it could. */
  recordMissing(): Promise<void>
}

export interface SettingsParts {
  store: Pick<Store, 'readState' | 'changeState' | 'find'>
  /** Stores an act; resolves when it is on disk. */
  accept(act: Act): Promise<unknown>
}

export function createSettings({ store, accept }: SettingsParts): Settings {
  const readDocument = async () => documentFrom(await store.readState('settings'))

  /** Returns the revision whose act is in the log. */
  async function recordLast(): Promise<number> {
    const { revision, act } = await readDocument()
    if (act !== undefined && (await store.find(act.id)) === undefined) await accept(act as unknown as Act)
    return revision
  }

  return {
    read: async (key) => (await readDocument())[key],
    async change(key, change, act) {
      for (;;) {
        const recorded = await recordLast()
        let result: 'changed' | 'unchanged' | 'repeated' | 'outrun' = 'outrun'
        let made = act
        await store.changeState('settings', (stored) => {
          const before = documentFrom(stored)
          result = 'outrun'
          if (before.revision !== recorded) return undefined
          result = 'repeated'
          if (before.act?.id === act.id) return undefined
          const value = change(before[key])
          result = 'unchanged'
          if (value === undefined || isDeepStrictEqual(value, before[key])) return undefined
          result = 'changed'
          made = { ...act, revision: before.revision + 1 }
          return { ...before, revision: before.revision + 1, act: made, [key]: value }
        })
        // Another process was quicker, and its act may not be in the log.
        if (isOutrun(result)) continue
        if (result === 'changed') await accept(made)
        return result
      }
    },
    async isRecorded(actId) {
      return (await readDocument()).act?.id === actId || (await store.find(actId)) !== undefined
    },
    async recordMissing() {
      await recordLast()
    },
  }
}

/** The compiler does not see that the callback has assigned it. */
function isOutrun(result: string): result is 'outrun' {
  return result === 'outrun'
}

/** What came of a change. A path of a problem begins at the part that was changed; empty: the part as a whole. */
export type ConfigChanged =
  | { result: 'changed' | 'unchanged' | 'repeated' | 'outrun' }
  | { result: 'refused'; why: string }
  /** `elsewhere`: not in what was to be changed; the message begins with its key. */
  | { result: 'invalid'; problems: { path: (string | number)[]; message: string; elsewhere?: true }[] }

/** What commands do to the configuration that is made in the browser, also beside a running service. */
export interface ConfigCommands {
  /** Adds what a file has: raw, with `${…}` filled in. All or nothing; names that exist are refused. */
  add(doer: Doer, file: unknown): Promise<ConfigChanged>
  /** Removes all of it. */
  clear(doer: Doer): Promise<ConfigChanged>
  /** Another password for somebody who signs in with one. */
  setPassword(doer: Doer, name: string, hash: string): Promise<ConfigChanged>
}
