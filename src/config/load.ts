import { readFileSync } from 'node:fs'
import {
  type Document,
  type ErrorCode,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml'
import * as z from 'zod'
import { errorCode } from '../platform/unknown.ts'
import { type ConfigFile, composeConfig } from './compose.ts'
import { ConfigError, type ConfigProblem } from './error.ts'
import { Config } from './schema.ts'

/**
 * Reads the file and fills in `${…}`; checked is the whole only when it is composed. Throws `ConfigError` with file, line and key
 * of everything that is wrong.
 */
export function readConfigFile(
  file: string,
  environment: Record<string, string | undefined>,
  schema: z.ZodType<Config> = Config,
): ConfigFile {
  return parseConfigFile(read(file), file, environment, schema)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const code = errorCode(cause) ?? ''
    throw new ConfigError(
      [{ file, key: '', message: unreadableConfig[code] ?? `cannot be read (${code})` }],
      cause,
    )
  }
}

const unreadableConfig: Record<string, string> = {
  ENOENT: 'does not exist; make one with npx bluepencil init, or name your file with --config',
  EACCES: 'cannot be read by this user; change its owner or mode (chown, chmod)',
  EISDIR: 'is a folder; name the file in it with --config',
  ENOTDIR: 'is inside something that is not a folder; name your file with --config',
}

/** What must be right before anything else can be read. */
const Base = z.looseObject({ store: Config.shape.store, log: Config.shape.log })

/** As `readConfigFile`, of a text. Throws `ConfigError`. */
export function parseConfigFile(
  text: string,
  path: string,
  environment: Record<string, string | undefined>,
  schema: z.ZodType<Config> = Config,
): ConfigFile {
  const lines = new LineCounter()
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const wrong = (offset: number, message: string) => ({ file: path, ...at(offset), key: '', message })
  const document = documentOf(text, lines, wrong)
  const flaws = [...document.errors, ...document.warnings]
  // What is said of the lines behind it mostly follows from it.
  const [first] = flaws.toSorted((one, other) => one.pos[0] - other.pos[0])
  if (first !== undefined) throw new ConfigError([wrong(first.pos[0], `is not YAML: ${inOurWords(first)}`)])
  const written = contentOf(document, wrong)
  const unset: ConfigProblem[] = []
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return
      try {
        node.value = substitute(node.value, environment)
      } catch (error) {
        if (!(error instanceof SubstitutionError)) throw error
        unset.push(wrong(node.range?.[0] ?? 0, error.message))
      }
    },
  })
  if (unset.length > 0) throw new ConfigError(unset)
  const file = {
    path,
    value: contentOf(document, wrong),
    placeOf(path: readonly PropertyKey[], unknownKey?: string) {
      const offset = offsetOf(document, path, unknownKey)
      return offset === undefined ? undefined : at(offset)
    },
  }
  const compose: ConfigFile['compose'] = (made, value = file.value) =>
    composeConfig({ ...file, value }, made, schema)
  const base = Base.safeParse(file.value)
  // It says all that is wrong, these two among it.
  const { store, log } = base.data ?? compose({})
  return { ...file, written, base: { store, log }, compose }
}

type ProblemAt = (offset: number, message: string) => ConfigProblem

function documentOf(text: string, lineCounter: LineCounter, wrong: ProblemAt): Document {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
  } catch (cause) {
    throw new ConfigError([wrong(0, 'is not YAML that can be read; is it nested too deeply?')], cause)
  }
}

/** In place of the parser's messages: some quote the file, and with it perhaps a secret without quotes. */
const notYaml: Partial<Record<ErrorCode, string>> = {
  BAD_COLLECTION_TYPE: 'there is a tag (!name); put text that begins with ! in quotes',
  BAD_INDENT: 'the indentation is wrong: keys of one thing begin in the same column',
  BAD_SCALAR_START: 'this begins with @, ` or %; put it in quotes',
  BLOCK_AS_IMPLICIT_KEY: 'there is one colon too many; put text with a colon in it in quotes',
  DUPLICATE_KEY: 'this key is here twice; keep one of them',
  MISSING_CHAR: 'a hyphen, a quote, a comma or a bracket is missing, or the indentation is wrong',
  TAB_AS_INDENT: 'there is a tab; indent with spaces',
  BAD_DIRECTIVE: 'there is a directive; put text that begins with % in quotes',
  BAD_DQ_ESCAPE: 'a backslash in double quotes begins an escape; use single quotes',
  TAG_RESOLVE_FAILED: 'there is a tag (!name); put text that begins with ! in quotes',
  UNEXPECTED_TOKEN: 'this cannot stand here; is a quote, a comma, a space or a line end missing?',
}

function inOurWords({ code, message }: { code: ErrorCode; message: string }): string {
  return notYaml[code] ?? message
}

/** An alias that points to nothing, or to too much, is found only now; its name may be half a secret. */
function contentOf(document: Document, wrong: ProblemAt): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {}
  } catch {
    const message =
      'has an alias (*name) that has no anchor (&name), or too many of them; quote text that begins with *'
    throw new ConfigError([wrong(culprit(document), message)])
  }
}

/** Where the first alias without an anchor stands, or else the last alias. */
function culprit(document: Document): number {
  let place = 0
  visit(document, {
    Alias(_key, alias) {
      place = alias.range?.[0] ?? place
      return alias.resolve(document) === undefined ? visit.BREAK : undefined
    },
  })
  return place
}

/** Where the value, or else the nearest thing around it that is written down, begins. */
function offsetOf(
  document: Document,
  path: readonly PropertyKey[],
  unknownKey: string | undefined,
): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = length === 0 ? document.contents : document.getIn(path.slice(0, length), true)
    if (!isNode(node)) continue
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && key.value === unknownKey)
      : undefined
    return isScalar(pair?.key) ? pair.key.range?.[0] : node.range?.[0]
  }
  return undefined
}

/** Why a `${…}` could not be filled in; a sentence for people. */
class SubstitutionError extends Error {
  override readonly name = 'SubstitutionError'
}

const variable = /\$\$\{|\$\{([^}]*)\}/g

/**
 * Fills in `${NAME}`, `${NAME:-default}` and `${file:/path}` (a file's content without the line end, as Docker
 * and Kubernetes mount secrets). `$${` is a literal `${`. Throws `SubstitutionError` with all that cannot be filled in.
 */
function substitute(text: string, environment: Record<string, string | undefined>): string {
  if (/^\$[A-Z][A-Z\d_]*$/.test(text)) {
    throw new SubstitutionError(`${text} is no variable as it stands; write \${${text.slice(1)}}`)
  }
  const wrong: string[] = []
  const filled = text.replace(variable, (whole, inside: string | undefined) => {
    if (inside === undefined || whole === '$${') return '${'
    const value = filling(inside, environment)
    if (typeof value === 'string') return value
    wrong.push(value.problem)
    return ''
  })
  if (wrong.length > 0) throw new SubstitutionError([...new Set(wrong)].join('; '))
  return filled
}

function filling(
  inside: string,
  environment: Record<string, string | undefined>,
): string | { problem: string } {
  if (inside.startsWith('file:')) return fileContent(inside.slice('file:'.length))
  const [, name = '', fallback] = /^([A-Za-z_]\w*)(?::-(.*))?$/s.exec(inside) ?? []
  if (name === '') return { problem: `\${${inside}} is not \${NAME}, \${NAME:-default} or \${file:/path}` }
  const value = Object.hasOwn(environment, name) ? environment[name] : undefined
  if (value !== undefined && value !== '') return value
  return fallback ?? { problem: `the environment variable ${name} is not set` }
}

function fileContent(path: string): string | { problem: string } {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const code = errorCode(error) ?? ''
    return { problem: `the file ${path} ${unreadableFile[code] ?? `cannot be read (${code})`}` }
  }
}

const unreadableFile: Record<string, string> = {
  ENOENT: 'is not there',
  EACCES: 'cannot be read by this user; change its owner or mode (chown, chmod)',
  EISDIR: 'is a folder; name the file in it',
  ENOTDIR: 'is inside something that is not a folder',
}
