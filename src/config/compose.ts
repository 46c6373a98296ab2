import type * as z from 'zod'
import { nearest } from '../platform/text.ts'
import {
  type BrowserConfig,
  type ConfigSection,
  configSections,
  type MadePart,
  RawChannel,
  sectionPaths,
} from './browser-config.ts'
import { ConfigError, type ConfigProblem, inWords } from './error.ts'
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
  /** The whole configuration. Throws `ConfigError` with all that is wrong. */
  compose(made: BrowserConfig): Config
}

type Composable = Pick<ConfigFile, 'path' | 'value' | 'placeOf'>

/** Without a file, the console is on: everything is made there. */
export function withoutFile(consoleHost: string | undefined, schema: z.ZodType<Config> = Config): ConfigFile {
  const value = { console: consoleHost === undefined ? {} : { listen: { host: consoleHost } } }
  const file = { path: undefined, value, placeOf: () => undefined }
  const base = { store: 'file:./data', log: 'info' } as const
  return { ...file, written: value, base, compose: (made) => composeConfig(file, made, schema) }
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
 * As `compose`, for a start: what was made in the browser and cannot be used is left out and named in `problems`. Throws `ConfigError`
 * if the file is at fault.
 */
export function composeUsable(
  file: Pick<ConfigFile, 'value' | 'compose'>,
  made: BrowserConfig,
): { config: Config; usable: BrowserConfig; problems: readonly ConfigProblem[] } {
  const problems: ConfigProblem[] = []
  for (let usable = made; ; ) {
    try {
      return { config: file.compose(usable), usable, problems }
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      const parts = error.problems.flatMap(({ made: part }) => (part === undefined ? [] : [part]))
      if (parts.length === 0) throw error
      problems.push(...error.problems.filter(({ made: part }) => part !== undefined))
      usable = without(usable, parts)
    }
  }
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
  const isClosed = isMapping(console) && console.edit === false
  const whole = structuredClone(file)
  if (isMapping(console) && !isClosed) whole.channels ??= []
  if (isClosed) return whole
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

function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface LocatedIssue {
  path: PropertyKey[]
  unknownKey?: string
  message: string
}

function problemsOf(issue: z.core.$ZodIssue, value: unknown): LocatedIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const allowed = allowedKeys(issue.path, value)
    return issue.keys.map((unknownKey) => ({
      path: issue.path,
      unknownKey,
      message: `there is no such key${meant(unknownKey, allowed)}; there are ${allowed.join(', ')}`,
    }))
  }
  if (issue.code === 'invalid_type' && issue.expected === 'object') {
    const allowed = allowedKeys(issue.path, value).join(', ')
    return [{ path: issue.path, message: `${issue.message}: ${allowed}` }]
  }
  return [{ path: issue.path, message: issue.message }]
}

function meant(unknown: string, allowed: readonly string[]): string {
  const key = nearest(unknown, allowed)
  return key === undefined ? '' : ` (is ${key} meant?)`
}

function problemAt(
  { path, unknownKey, message }: LocatedIssue,
  file: Composable,
  made: BrowserConfig,
): ConfigProblem {
  const whole = [...path, ...(unknownKey === undefined ? [] : [unknownKey])]
  const part = madePartAt(whole, file.value, made)
  if (part === undefined) {
    const place = file.placeOf(path, unknownKey)
    return { file: file.path ?? 'without a configuration file', ...place, key: written(whole), message }
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

/** `channels[0].minDelta` */
function written(path: readonly PropertyKey[]): string {
  return path.reduce<string>((key, part) => {
    if (typeof part === 'number') return `${key}[${part}]`
    return key === '' ? String(part) : `${key}.${String(part)}`
  }, '')
}
