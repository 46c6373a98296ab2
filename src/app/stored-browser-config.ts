import * as z from 'zod'
import { BrowserConfig, type MadeInBrowser } from '../config/browser-config.ts'
import { type ConfigFile, composeUsable, newProblems } from '../config/compose.ts'
import { ConfigError, type ConfigProblem } from '../config/error.ts'
import type { Config } from '../config/schema.ts'
import type { Act } from '../event/act.ts'
import type { Settings } from '../people/converse/settings.ts'

/** As it is stored: what was made, and the number of changes so far. */
const Stored = BrowserConfig.extend({
  revision: z.int().min(0),
  /** The document of the settings was damaged or missing. */
  lost: z.string().optional(),
  withoutAccounts: z.literal(true).optional(),
})
const newest = new Set(Object.keys(Stored.shape))

export interface BrowserConfigState extends MadeInBrowser {
  /** Counts changes of the configuration alone. */
  revision: number
}

/** What people made of the configuration in the browser, kept in the store for all processes. */
export async function recallBrowserConfig(settings: Pick<Settings, 'read' | 'change'>) {
  let current = stateFrom(await settings.read('config'))
  let unusable: readonly ConfigProblem[] = []
  let writes = 0
  /** Why nothing of it can be changed; a sentence. */
  const unreadable = () => {
    const { lost, newer } = current
    return lost === undefined ? newer : `${lost}. To start over instead, run bluepencil config clear`
  }
  return {
    current: () => current,
    hasChannel: (name: string) => current.made.channels?.some((channel) => channel.name === name) === true,
    /** The configuration in force. What cannot be used is left out, and is trouble. Throws `ConfigError` if the file is at fault. */
    compose(file: ConfigFile): Config {
      const { config, problems } = composeUsable(file, current)
      unusable = problems
      return config
    },
    /** Throws `ConfigError` if this file needs something to be left out that is in force now, or is at fault itself. */
    refuseNewProblems(file: ConfigFile): void {
      const problems = newProblems(unusable, composeUsable(file, current).problems)
      if (problems.length > 0) throw new ConfigError(problems)
    },
    /** What is left out now. */
    unusable: () => unusable,
    unreadable,
    /** Why nobody can sign in, if accounts are missing; free of what strangers must not read. */
    whyLockedOut(): string {
      const { lost, newer } = current
      if (newer !== undefined && lost === undefined) return `${newer}. Start the newer Bluepencil to sign in`
      return unreadable() ?? unusableAccounts
    },
    /** Why what was made is not in force as a whole; a sentence, or a line for each problem. */
    trouble(): string | undefined {
      const why = unreadable()
      return why !== undefined || unusable.length === 0 ? why : new ConfigError(unusable).message
    },
    /** Returns `outrun` if somebody else made a change after `revision`. Rejects as `Settings.change`. */
    async put(made: BrowserConfig, revision: number, act: Act) {
      let isOutrun = false
      const next = { ...made, revision: revision + 1 }
      const result = await settings.change(
        'config',
        (stored) => {
          isOutrun = stateFrom(stored).revision !== revision
          return isOutrun ? undefined : next
        },
        act,
      )
      writes += 1
      current = result === 'changed' ? stateFrom(next) : stateFrom(await settings.read('config'))
      return isOutrun ? 'outrun' : result
    },
    /** Another process changed it. */
    async refresh(): Promise<void> {
      const before = writes
      const next = stateFrom(await settings.read('config'))
      // What was written meanwhile is newer than what was read.
      if (writes === before) current = next
    },
  }
}

const unusableAccounts =
  'The accounts made in the browser cannot be used; the log says why. Save what was made with bluepencil config export FILE. Then run bluepencil config clear, correct the file, and run bluepencil config import FILE'

export function stateFrom(stored: unknown): BrowserConfigState {
  if (stored === undefined) return { made: {}, revision: 0 }
  const { data } = Stored.safeParse(stored)
  if (data === undefined) {
    return {
      made: {},
      revision: 0,
      lost: 'The configuration made in the browser is damaged, so Bluepencil does not use it',
    }
  }
  const { revision, lost, withoutAccounts, ...made } = data
  const newer = Object.keys(Object(stored)).filter((key) => !newest.has(key))
  return {
    made,
    revision,
    ...(lost !== undefined && { lost }),
    ...(withoutAccounts && { withoutAccounts }),
    ...(newer.length > 0 && {
      newer: `Part of the configuration (${newer.join(', ')}) was made in the browser with a newer Bluepencil, and this version does not use it`,
    }),
  }
}
