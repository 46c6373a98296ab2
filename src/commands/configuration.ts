import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { type BrowserConfigState, stateFrom } from '../app/stored-browser-config.ts'
import type { BrowserConfig } from '../config/browser-config.ts'
import { type ConfigFile, composeUsable, withoutFile } from '../config/compose.ts'
import { ConfigError } from '../config/error.ts'
import { readConfigFile } from '../config/load.ts'
import { Config, ConfigForAsking } from '../config/schema.ts'
import { type ReleaseParts, sendHeld } from '../decide/digest/release.ts'
import { route } from '../decide/route/route.ts'
import { replay } from '../deliver/replay.ts'
import { connectControl } from '../people/control/connect.ts'
import { type Control, localControl } from '../people/control/control.ts'
import { actsOn, sendingsOn } from '../people/converse/acts.ts'
import { tokensOn } from '../people/converse/tokens.ts'
import { systemClock } from '../platform/clock.ts'
import { errorCode } from '../platform/unknown.ts'
import { type StorePlace, storePlace } from '../store/place.ts'
import { settingsName } from '../store/sqlite/files.ts'
import { holdsStore } from '../store/sqlite/folder.ts'
import { openSqliteStore } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'
import { inspect, openDatabaseOf } from './database.ts'
import { readEnvironmentFiles } from './environment-file.ts'
import { CommandFailure, noChannel } from './failure.ts'
import { processTerminal, type Terminal } from './terminal.ts'

/** What nearly every command accepts. */
export interface CommandOptions {
  config?: string
  json?: boolean
}

/** Without one named, this is where it would be. */
export function configFile(options: Pick<CommandOptions, 'config'>): string {
  const { BLUEPENCIL_CONFIG, BLUEPENCIL_CONFIG_DEFAULT } = process.env
  return options.config ?? (BLUEPENCIL_CONFIG || BLUEPENCIL_CONFIG_DEFAULT || 'config/bluepencil.yaml')
}

/** Whether there is no file, and nobody named one. */
function isWithoutFile(options: Pick<CommandOptions, 'config'>): boolean {
  const isNamed = options.config !== undefined || Boolean(process.env.BLUEPENCIL_CONFIG)
  return !isNamed && !existsSync(configFile(options))
}

/** The file as it is, or what counts without one. Throws `ConfigError`. */
export function configFileOf(
  options: Pick<CommandOptions, 'config'>,
  schema: z.ZodType<Config> = Config,
): ConfigFile {
  if (isWithoutFile(options)) return withoutFile(process.env.BLUEPENCIL_CONSOLE_HOST || undefined, schema)
  return load(configFile(options), schema)
}

/** The configuration with what was made in the browser. Throws `ConfigError`. */
export async function configOf(
  options: Pick<CommandOptions, 'config'>,
  schema: z.ZodType<Config> = Config,
): Promise<Config> {
  return (await checkedConfigOf(options, schema)).config
}

/** The same, with why a part of what was made in the browser is not in use: a sentence for each. */
export async function checkedConfigOf(
  options: Pick<CommandOptions, 'config'>,
  schema: z.ZodType<Config> = Config,
): Promise<{ config: Config; unused: string[] }> {
  const file = configFileOf(options, schema)
  const place = storePlace(file.base.store)
  // Without both, a command was most likely started in the wrong folder.
  if (file.path === undefined && place.is === 'folder' && !(await holdsStore(place.folder))) {
    return { config: load(configFile(options), schema).compose({}), unused: [] }
  }
  const { browser } = await settingsAt(place)
  const { lost, newer } = browser
  if (lost !== undefined) processTerminal().note(`bluepencil: ${lost}. Only the configuration file counts\n`)
  const { config, problems } = composeUsable(file, browser)
  const unused = [lost, newer, ...problems.map((problem) => new ConfigError([problem]).message)]
  return { config, unused: unused.filter((sentence) => sentence !== undefined) }
}

/** Throws a `CommandFailure` if the configuration does not have it. */
export function channelNamed(name: string, { channels }: Config): Config['channels'][number] {
  const channel = channels.find((one) => one.name === name)
  const names = channels.map((one) => one.name)
  if (channel === undefined) throw noChannel(name, names)
  return channel
}

/** Also takes a file with nothing but `monitor:`. */
export function configForAsking(options: Pick<CommandOptions, 'config'>): Promise<Config> {
  return configOf(options, ConfigForAsking)
}

const SettingsDocument = z.looseObject({ revision: z.int().min(0) })

/** What people set while it ran. `browser.lost`: why it cannot be read now. */
export async function settingsAt(
  place: StorePlace,
): Promise<{ browser: BrowserConfigState; filters?: unknown }> {
  try {
    const document = SettingsDocument.parse((await readSettingsAt(place)) ?? { revision: 0 })
    return { browser: stateFrom(document.config), filters: document.filters }
  } catch (error) {
    // What cannot be parsed may quote a secret.
    const isDamaged = error instanceof SyntaxError || error instanceof z.ZodError
    const why = isDamaged || !(error instanceof Error) ? 'they are damaged' : error.message
    const lost = `The settings made in the browser could not be read: ${why}`
    return { browser: { made: {}, revision: 0, lost } }
  }
}

/** Undefined if nobody has set anything. */
async function readSettingsAt(place: StorePlace): Promise<unknown> {
  if (place.is === 'database') {
    return (await inspect(place)).hasTables ? await (await postgres()).readSettings(place.url) : undefined
  }
  try {
    return JSON.parse(await readFile(join(place.folder, settingsName), 'utf8'))
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

/** What people made in the browser. Throws a `CommandFailure` if there may be something, and it cannot be read. */
export async function browserConfigAt(place: StorePlace): Promise<BrowserConfig> {
  const { browser } = await settingsAt(place)
  const why = browser.lost ?? browser.newer
  if (why !== undefined) throw new CommandFailure(`${why}. Nothing was changed`)
  return browser.made
}

const postgres = () => import('../store/postgres/inspect.ts')

/** What is wrong with a `.env`, or that there is none, matters only if a variable is missing: others may come from elsewhere. */
function load(file: string, schema: z.ZodType<Config>): ConfigFile {
  const { variables, problemsFor } = readEnvironmentFiles(file)
  try {
    return readConfigFile(file, { ...variables, ...process.env }, schema)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const messages = error.problems.map(({ message }) => message).join(' ')
    const missing = Array.from(
      messages.matchAll(/environment variable (\w+) is not set/g),
      ([, name = '']) => name,
    )
    if (missing.length === 0) throw error
    throw new ConfigError([...error.problems, ...problemsFor([...new Set(missing)])], error)
  }
}

/** Asks the running `serve`, or opens its store if none runs. */
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
export async function openFolder(folder: string, terminal: Terminal): Promise<Store> {
  if (!(await holdsStore(folder))) {
    throw new CommandFailure(
      `there is no store in ${folder}; start serve once, or correct "store" of the configuration, which counts from the working directory`,
    )
  }
  return await openSqliteStore(folder, {
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
    makePending: (eventId, channel) => replay(store, eventId, channel, Date.now()),
    resting: () => [],
    acts: await actsOn(store, Date.now),
    sendings: sendingsOn(store, Date.now),
    sendHeld: (act) => sendHeld(act, releasingOn(store)),
    tokens: tokensOn(store, Date.now),
    now: Date.now,
    close: () => store.close(),
  })
}

/** For who has a store, and nothing that sends: what was held is pending, and goes out when something does. */
function releasingOn(store: Store): ReleaseParts {
  const noChannels = { channels: [], operators: [], retentionMs: 0 }
  return {
    store,
    clock: systemClock,
    silence: () => undefined,
    stillHeld: () => undefined,
    async accept(digest) {
      const [verdict] = await store.accept([
        { entry: digest, outcomes: route(digest, noChannels, Date.now()) },
      ])
      return verdict === 'new' ? 'new' : 'duplicate'
    },
    wake: () => {},
  }
}
