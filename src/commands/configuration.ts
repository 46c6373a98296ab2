import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import type * as z from 'zod'
import { ConfigError, type ConfigProblem } from '../config/error.ts'
import { loadConfig } from '../config/load.ts'
import { Config, ConfigForAsking } from '../config/schema.ts'
import type { Control } from '../control/control.ts'
import { localControl } from '../control/local.ts'
import { connectControl } from '../control/socket.ts'
import { actsOn, sendingsOn } from '../converse/acts.ts'
import { tokensOn } from '../converse/tokens.ts'
import { replay } from '../deliver/replay.ts'
import { openLowdbStore } from '../store/lowdb/open.ts'
import { holdsStore } from '../store/lowdb/place.ts'
import { storePlace } from '../store/place.ts'
import type { Store } from '../store/store.ts'
import { openDatabaseOf } from './database.ts'
import { Failure } from './failure.ts'
import type { Terminal } from './terminal.ts'

/** Where a command is started. What stands in it counts as the environment, which wins. */
export const environmentFile = '.env'

export function configFile(options: { config?: string }): string {
  return options.config ?? process.env.BLUEPENCIL_CONFIG ?? 'config/bluepencil.yaml'
}

export function configOf(options: { config?: string }): Config {
  return load(configFile(options), Config)
}

/** Also takes a file with nothing but `monitor:`. */
export function configForAsking(options: { config?: string }): Config {
  return load(configFile(options), ConfigForAsking)
}

/** That `.env` cannot be read, or is not there, matters only where a variable is missing: others may come from elsewhere. */
function load(file: string, schema: z.ZodType<Config>): Config {
  const { variables, problem } = readEnvironmentFile()
  try {
    return loadConfig(file, { ...variables, ...process.env }, schema)
  } catch (error) {
    if (!(error instanceof ConfigError) || problem === undefined) throw error
    if (!error.problems.some(({ message }) => message.includes('environment variable'))) throw error
    throw new ConfigError([...error.problems, problem], error)
  }
}

function readEnvironmentFile(): { variables: NodeJS.Dict<string>; problem?: ConfigProblem } {
  try {
    return { variables: parseEnv(readFileSync(environmentFile, 'utf8')) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // Some keep a folder of that name.
    const message =
      code === 'ENOENT' || code === 'EISDIR'
        ? `is not in ${process.cwd()}, where variables are looked for, too`
        : `cannot be read (${code}), so no variable is known from it; change its owner or its mode`
    return { variables: {}, problem: { file: environmentFile, key: '', message } }
  }
}

/** Asks the running `serve`, or opens its store where none runs. */
export async function withControl<T>(
  config: Config,
  terminal: Terminal,
  use: (control: Control) => Promise<T>,
): Promise<T> {
  const control = await controlOf(config, terminal)
  try {
    return await use(control)
  } finally {
    await control.close()
  }
}

async function controlOf(config: Config, terminal: Terminal): Promise<Control> {
  const place = storePlace(config.store)
  if (place.is === 'database') return await controlIn(config, await openDatabaseOf(place))
  const running = await connectControl(place.folder)
  return running ?? controlIn(config, { store: await openFolder(place.folder, terminal), running: false })
}

/** Who asks does not make what they ask: an empty store at another place than the service's would answer for it. */
async function openFolder(folder: string, terminal: Terminal): Promise<Store> {
  if (!(await holdsStore(folder))) {
    throw new Failure(
      `there is no store in ${folder}: serve makes it where "store" of the configuration says, relative to the working directory`,
    )
  }
  return await openLowdbStore(folder, {
    now: Date.now,
    onTrouble: (sentence) => terminal.note(`bluepencil: ${sentence}\n`),
  })
}

async function controlIn(
  config: Config,
  { store, running }: { store: Store; running: boolean },
): Promise<Control> {
  return localControl({
    store,
    channels: () => config.channels.map(({ name }) => name),
    running,
    owe: (eventId, channel) => replay(store, eventId, channel, Date.now()),
    resting: () => [],
    acts: await actsOn(store, Date.now),
    sendings: sendingsOn(store, Date.now),
    tokens: tokensOn(store, Date.now),
    now: Date.now,
    close: () => store.close(),
  })
}
