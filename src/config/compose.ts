import type * as z from 'zod'
import { hintAt } from '../platform/text.ts'
import { isMapping } from '../platform/unknown.ts'
import {
  type BrowserConfig,
  type ConfigSection,
  configSections,
  type MadeInBrowser,
  type MadePart,
  RawChannel,
  sectionPaths,
} from './browser-config.ts'
import { ConfigError, type ConfigProblem, type FileEntry, inWords } from './error.ts'
import { allowedKeys } from './json-schema.ts'
import { Config } from './schema.ts'

/** The configuration file, or the configuration without one. */
export interface ConfigFile {
  /** Undefined if there is none. */
  path: string | undefined
  /** With `${…}` filled in. */
  value: unknown
  /** As it is written: nothing is filled in. */
  written: unknown
  /** What is needed before the store can be read. */
  base: Pick<Config, 'store' | 'log'>
  /** Where a value begins, or the nearest thing around it that is written down; counted from 1. */
  placeOf(path: readonly PropertyKey[], unknownKey?: string): { line: number; column: number } | undefined
  /** The whole configuration, of `value` if nothing else is given. Throws `ConfigError` with all that is wrong. */
  compose(made: BrowserConfig, value?: unknown): Config
}

type Composable = Pick<ConfigFile, 'path' | 'value' | 'placeOf'>

/** Without a file, the console is on: everything is made there. */
export function withoutFile(consoleHost: string | undefined, schema: z.ZodType<Config> = Config): ConfigFile {
  const value = { console: consoleHost === undefined ? {} : { listen: { host: consoleHost } } }
  const file = { path: undefined, value, placeOf: () => undefined }
  const base = { store: 'file:./data', log: 'info' } as const
  return {
    ...file,
    written: value,
    base,
    compose: (made, of = value) => composeConfig({ ...file, value: of }, made, schema),
  }
}

/**
 * The configuration in force: the file, and what was made in the browser. A section that the file has counts alone; channels of both
 * count. With `console.edit: false` only the file counts. Throws `ConfigError`.
 */
export function composeConfig(
  file: Composable,
  made: BrowserConfig,
  schema: z.ZodType<Config> = Config,
): Config {
  const value = composedValue(file.value, made)
  const parsed = schema.safeParse(value, { error: inWords })
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap((issue) => problemsOf(issue, value))
  throw new ConfigError(issues.map((issue) => problemAt(issue, file, made)))
}

/**
 * As `compose`, for a start: what was made in the browser and cannot be used is left out and named in `problems`. So is what the file
 * has and what needs that. If accounts may be among it, nobody can sign in. Throws `ConfigError` if the file is at fault.
 */
export function composeUsable(
  file: Pick<ConfigFile, 'value' | 'compose'>,
  stored: MadeInBrowser,
): { config: Config; usable: BrowserConfig; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  let [usable, value, first] = [stored.made, file.value, undefined as ConfigError | undefined]
  for (;;) {
    const isLocked = usable.users === undefined && mayLackAccounts(stored)
    try {
      const config = file.compose(isLocked ? { ...usable, users: [nobody] } : usable, value)
      return { config: isLocked ? lockedOut(config) : config, usable, problems }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const parts = error.problems.flatMap(({ made: part }) => (part === undefined ? [] : [part]))
      if (parts.length > 0) {
        problems.push(...error.problems.filter(({ made: part }) => part !== undefined))
        usable = without(usable, parts)
        continue
      }
      first ??= error
      const entries = error.problems.flatMap(({ needs }) => (needs === undefined ? [] : [needs]))
      const isIncomplete = isUnreadable(stored) || problems.some(({ made: part }) => part !== undefined)
      if (!isIncomplete || standsAlone(file.value) || entries.length < error.problems.length) throw first
      problems.push(...error.problems)
      value = withoutEntries(value, entries)
    }
  }
}

function isUnreadable({ lost, newer }: MadeInBrowser): boolean {
  return lost !== undefined || newer !== undefined
}

/** If they were made and are not in force, the console must not open to this machine as if there had never been any. */
function mayLackAccounts(stored: MadeInBrowser): boolean {
  if (stored.made.users !== undefined) return true
  return isUnreadable(stored) && stored.withoutAccounts !== true
}

/** In place of accounts that cannot be read, while the rest is checked. */
const nobody = {
  name: 'nobody',
  password: `$scrypt$ln=15,r=8,p=3$${'0'.repeat(22)}$${'0'.repeat(43)}`,
  role: 'reader',
}

/** With an empty list of accounts, unless people sign in at a provider or a proxy. */
function lockedOut(config: Config): Config {
  const { console } = config
  if (console?.users?.[0]?.password !== nobody.password) return config
  const { users: _, ...rest } = console
  const isElsewhere = console.oidc !== undefined || console.proxy !== undefined
  return { ...config, console: isElsewhere ? rest : { ...rest, users: [] } }
}

/** What of `after` was not left out before, or is in a part that was changed. */
export function newProblems(
  before: readonly ConfigProblem[],
  after: readonly ConfigProblem[],
  changed: readonly MadePart[] = [],
): ConfigProblem[] {
  const placeOf = ({ made, file, key }: ConfigProblem) =>
    made === undefined ? `${file} ${key}` : partName(made)
  const leftOut = new Set(before.map(placeOf))
  for (const part of changed) leftOut.delete(partName(part))
  return after.filter((problem) => !leftOut.has(placeOf(problem)))
}

function partName(part: MadePart): string {
  return 'section' in part ? `section ${part.section}` : `channel ${part.channel}`
}

function withoutEntries(value: unknown, entries: readonly FileEntry[]): unknown {
  if (!isMapping(value)) return value
  const rest = structuredClone(value)
  for (const list of ['channels', 'operators'] as const) {
    const before = rest[list]
    if (!Array.isArray(before)) continue
    rest[list] = before.filter((_, index) => !entries.some(([of, at]) => of === list && at === index))
  }
  if (entries.some(([of]) => of === 'webhook') && isMapping(rest.webhook)) delete rest.webhook.publicUrl
  return rest
}

function without(made: BrowserConfig, parts: readonly MadePart[]): BrowserConfig {
  const rest = { ...made }
  for (const part of parts) if ('section' in part) delete rest[part.section]
  const isKept = (channel: RawChannel) =>
    !parts.some((part) => 'channel' in part && part.channel === channel.name)
  return made.channels === undefined ? rest : { ...rest, channels: made.channels.filter(isKept) }
}

/** The raw value of the whole: sections of the file, and those that it does not have from the browser. */
export function composedValue(file: unknown, made: BrowserConfig): unknown {
  if (!isMapping(file)) return file
  const { console } = file
  const whole = structuredClone(file)
  if (standsAlone(file)) return whole
  if (isMapping(console)) whole.channels ??= []
  for (const name of configSections) {
    const [first, second] = sectionPaths[name]
    if (made[name] === undefined || fileSection(file, name) !== undefined) continue
    // Accounts alone do not turn on a console that the file does not have.
    if (name === 'users' && console === undefined) continue
    if (second === undefined) whole[first] = made[name]
    else {
      whole[first] ??= {}
      if (isMapping(whole[first])) whole[first][second] = made[name]
    }
  }
  const { channels } = file
  if (made.channels !== undefined && (channels === undefined || Array.isArray(channels))) {
    whole.channels = [...(channels ?? []), ...made.channels]
  }
  return whole
}

/** Nothing that was made in the browser counts. */
function standsAlone(file: unknown): boolean {
  return isMapping(file) && isMapping(file.console) && file.console.edit === false
}

/** What was made in the browser, as a file would say it: there, `${` begins a variable. */
export function asWritten(made: unknown): unknown {
  if (typeof made === 'string') return made.replaceAll('${', () => '$${')
  if (Array.isArray(made)) return made.map(asWritten)
  if (!isMapping(made)) return made
  return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, asWritten(value)]))
}

/** What the file itself has for a section; undefined if nothing. */
export function fileSection(file: unknown, name: ConfigSection): unknown {
  return sectionPaths[name].reduce<unknown>((value, key) => (isMapping(value) ? value[key] : undefined), file)
}

/** The channels of the file as they are written there, as far as they have a name. */
export function fileChannels(file: unknown): RawChannel[] {
  const channels = isMapping(file) ? file.channels : undefined
  if (!Array.isArray(channels)) return []
  return channels.map((channel) => RawChannel.catch({ name: '' }).parse(channel))
}

interface LocatedIssue {
  path: PropertyKey[]
  unknownKey?: string
  message: string
  /** What it is must fit what else there is. */
  isOfWhole?: boolean
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown): LocatedIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedKeys(issue.path, value)
    return issue.keys.map((unknownKey) => ({
      path: issue.path,
      unknownKey,
      message: `there is no such key${hintAt(unknownKey, allowed)}; there are ${allowed.join(', ')}`,
    }))
  }
  if (issue.code === 'invalid_type' && issue.expected === 'object') {
    const allowed = allowedKeys(issue.path, value).join(', ')
    return [{ path: issue.path, message: `${issue.message}: ${allowed}` }]
  }
  return [{ path: issue.path, message: issue.message, isOfWhole: issue.code === 'custom' }]
}

function problemAt(
  { path, unknownKey, message, isOfWhole = false }: LocatedIssue,
  file: Composable,
  made: BrowserConfig,
): ConfigProblem {
  const whole = [...path, ...(unknownKey === undefined ? [] : [unknownKey])]
  const part = madePartAt(whole, file.value, made)
  if (part === undefined) {
    const place = file.placeOf(path, unknownKey)
    const needs = isOfWhole ? fileEntryAt(path) : undefined
    const name = file.path ?? 'without a configuration file'
    return { file: name, ...place, key: written(whole), message, ...(needs && { needs }) }
  }
  const within = whole.slice('section' in part ? sectionPaths[part.section].length : 2)
  const start = 'section' in part ? sectionPaths[part.section].join('.') : part.channel
  return {
    file: 'made in the browser',
    key: written([start, ...within]),
    message,
    made: { ...part, path: within.filter((key) => typeof key !== 'symbol') },
  }
}

function madePartAt(path: readonly PropertyKey[], file: unknown, made: BrowserConfig): MadePart | undefined {
  const [first, index] = path
  if (first === 'channels' && typeof index === 'number') {
    const channel = made.channels?.[index - fileChannels(file).length]
    return channel && { channel: channel.name }
  }
  const section = configSections.find(
    (name) => made[name] !== undefined && sectionPaths[name].every((key, at) => key === path[at]),
  )
  return section === undefined || fileSection(file, section) !== undefined ? undefined : { section }
}

function fileEntryAt([first, second]: readonly PropertyKey[]): FileEntry | undefined {
  if (first === 'webhook') return second === 'publicUrl' ? [first, second] : undefined
  const isList = first === 'channels' || first === 'operators'
  return isList && typeof second === 'number' ? [first, second] : undefined
}

/** `channels[0].minDelta` */
function written(path: readonly PropertyKey[]): string {
  return path.reduce<string>((key, part) => {
    if (typeof part === 'number') return `${key}[${part}]`
    return key === '' ? String(part) : `${key}.${String(part)}`
  }, '')
}
