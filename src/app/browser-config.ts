import * as z from 'zod'
import { BrowserConfig } from '../config/browser-config.ts'
import { type ConfigFile, composeUsable } from '../config/compose.ts'
import { ConfigError, type ConfigProblem } from '../config/error.ts'
import type { Config } from '../config/schema.ts'
import type { Act } from '../event/act.ts'
import type { Settings } from '../people/converse/settings.ts'

/** As it is stored: what was made, and the number of changes so far. */
const Stored = BrowserConfig.extend({
  revision: z.int().min(0),
  /** The document of the settings was damaged or missing. */
  lost: z.string().optional(),
})
const newest = new Set(Object.keys(Stored.shape))

export interface BrowserConfigState {
  made: BrowserConfig
  /** Counts changes of the configuration alone. */
  revision: number
  /** Why it is gone; a sentence. A command begins anew. */
  lost?: string
  /** Why only a part of it can be read, so that nothing may be changed; a sentence. */
  newer?: string
}

/** What people made of the configuration in the browser, kept in the store for all processes. */
export async function recallBrowserConfig(settings: Pick<Settings, 'read' | 'change'>) {
  let current = stateFrom(await settings.read('config'))
  let unusable: readonly ConfigProblem[] = []
  let writes = 0
  return {
    current: () => current,
    hasChannel: (name: string) => current.made.channels?.some((channel) => channel.name === name) === true,
    /** The configuration in force. What cannot be used is left out, and is trouble. Throws `ConfigError` if the file is at fault. */
    compose(file: ConfigFile): Config {
      const { config, problems } = composeUsable(file, current.made)
      unusable = problems
      return config
    },
    /** Why what was made is not in force as a whole; a sentence, or a line for each problem. */
    trouble(): string | undefined {
      const { lost, newer } = current
      const why = lost === undefined ? newer : `${lost}. To begin anew instead, run bluepencil config clear`
      return why !== undefined || unusable.length === 0 ? why : new ConfigError(unusable).message
    },
    /** Answers `outrun` if somebody else made a change after `revision`. Rejects as `Settings.change`. */
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
  const { revision, lost, ...made } = data
  const newer = Object.keys(Object(stored)).filter((key) => !newest.has(key))
  return {
    made,
    revision,
    ...(lost !== undefined && { lost }),
    ...(newer.length > 0 && {
      newer: `Part of the configuration (${newer.join(', ')}) was made in the browser with a newer Bluepencil, and this version does not use it`,
    }),
  }
}
