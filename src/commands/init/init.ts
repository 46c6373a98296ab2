import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { type Answers, answered } from '../../config/setup/answers.ts'
import { compose } from '../../config/setup/compose.ts'
import { listed } from '../../platform/text.ts'
import { configFile } from '../configuration.ts'
import { environmentFile } from '../environment-file.ts'
import { CommandFailure } from '../failure.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import type { Prompter } from './ask.ts'
import { interview, withoutAsking } from './interview.ts'

interface InitOptions extends Answers {
  config?: string
  overwrite?: boolean
  /** False for `--no-try`. */
  try: boolean
}

/** As shells say it of a process that Ctrl-C ended. */
const interrupted = 130

/** A guided set-up: asks, tries, sends a test alert, and writes the configuration and `.env`. Answers the exit code. */
export async function init(options: InitOptions, terminal: Terminal): Promise<number> {
  const person = process.stdin.isTTY && process.stdout.isTTY ? (await import('./ask.ts')).person : undefined
  const stopped = () => {
    terminal.note('\nStopped; nothing was written.\n')
    return interrupted
  }
  // While something is tried, Ctrl-C is a signal; while something is asked, the prompt's.
  void stopSignal().then(() => process.exit(stopped()))
  try {
    return await setUp(options, person, terminal)
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') return stopped()
    throw error
  }
}

/** The files are written at the very end and at once: until then nothing has changed. */
async function setUp(
  options: InitOptions,
  person: Prompter | undefined,
  terminal: Terminal,
): Promise<number> {
  const file = configFile(options)
  const mayReplace = async (what: string) => {
    if (options.overwrite) return true
    if (person === undefined) throw new CommandFailure(`${what}; --overwrite replaces it`, 2)
    return await person.yes(`${what}. Replace it?`)
  }
  const unchanged = () => {
    terminal.out('Nothing was changed.\n')
    return 1
  }

  if (textOf(file) !== undefined && !(await mayReplace(`${file} is there already`))) return unchanged()
  const known = person === undefined ? withoutAsking(options, process.env) : options
  const before = textOf(environmentFile) ?? ''
  const others = (answers: Answers) => differing(before, compose(answers).variables)
  const conflict = (names: string[]) => `${environmentFile} has another ${listed(names, 'and')} already`
  // A script learns it before anything is sent.
  if (person === undefined && others(known).length > 0) await mayReplace(conflict(others(known)))

  const answers = await interview({ offers: known, person, terminal, isTried: options.try })
  const { yaml, variables } = compose(answers)
  const replaced = others(answers)
  if (person !== undefined && replaced.length > 0 && !(await mayReplace(conflict(replaced))))
    return unchanged()

  writeAll([
    // First what the other names.
    { file: environmentFile, text: withVariables(before, variables), mode: 0o600 },
    { file, text: yaml, mode: 0o644 },
  ])
  terminal.out(`${file} and ${environmentFile} are written; the secrets are in ${environmentFile} alone.\n`)
  terminal.out(next(answers, options))
  return 0
}

function next(answers: Answers, { config }: InitOptions): string {
  const where = config === undefined ? '' : ` --config ${config}`
  const serve = `npx bluepencil serve${where}`
  if (answered(answers, 'service') !== undefined) return `Next: ${serve}\n`
  return [
    'Next:',
    '  name the monitoring service in the configuration: its last lines say how',
    `  npx bluepencil check${where}`,
    `  ${serve}`,
    '',
  ].join('\n')
}

interface NewFile {
  file: string
  text: string
  mode: number
}

/** The text of a file, or undefined where there is none. */
function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Writes all of them or, where one cannot be written, none: what was there before is there again. */
function writeAll(files: readonly NewFile[]): void {
  const undo: (() => void)[] = []
  for (const one of files) {
    try {
      const before = textOf(one.file)
      mkdirSync(dirname(one.file), { recursive: true })
      writeWhole(one)
      undo.push(() => (before === undefined ? rmSync(one.file) : writeWhole({ ...one, text: before })))
    } catch (error) {
      for (const step of undo) step()
      const why = error instanceof Error && 'code' in error ? String(error.code) : String(error)
      throw new CommandFailure(`${one.file} cannot be written (${why}); nothing was changed`, 1, error)
    }
  }
}

/** Whoever reads it meets the whole text of before or of after. A link keeps leading where it led. */
function writeWhole({ file, text, mode }: NewFile): void {
  const target = existsSync(file) ? realpathSync(file) : file
  const next = `${target}.new-${process.pid}`
  try {
    writeFileSync(next, text, { mode, flag: 'wx', flush: true })
    renameSync(next, target)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/**
 * The text of a `.env` with these variables in it. Lines of others stay as they are; a line of one of ours is replaced
 * in its place. Throws where a value cannot be written.
 */
export function withVariables(before: string, variables: Record<string, string>): string {
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const open = new Map(Object.entries(variables))
  const kept = lines.flatMap((line) => {
    const name = nameOn(line)
    if (name === undefined || variables[name] === undefined) return [line]
    const value = open.get(name)
    open.delete(name)
    return value === undefined ? [] : [lineOf(name, value)]
  })
  const text = `${[...kept, ...Array.from(open, ([name, value]) => lineOf(name, value))].join('\n')}\n`
  const read = parseEnv(text)
  // Also of the others: a value may have several lines, and one of them may look like ours.
  const wanted = { ...parseEnv(before), ...variables }
  const lost = Object.keys(wanted).find((name) => read[name] !== wanted[name])
  if (lost !== undefined)
    throw new Error(`the value of ${lost} cannot be written to .env; write it there by hand`)
  return text
}

/** Of these names, those that a `.env` gives another value. */
export function differing(before: string, variables: Record<string, string>): string[] {
  const read = parseEnv(before)
  return Object.entries(variables).flatMap(([name, value]) =>
    read[name] === undefined || read[name] === value ? [] : [name],
  )
}

function nameOn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]
}

/** In the first quotes that give it back: within double ones, `\n` is a new line. Quoted only where it must be: `docker run --env-file` takes quotes as part of the value. */
function lineOf(name: string, value: string): string {
  if (/^[\w.:/@%+=,~?&-]+$/.test(value)) return `${name}=${value}`
  const quoted = ["'", '`', '"'].map((mark) => `${name}=${mark}${value}${mark}`)
  return quoted.find((line) => parseEnv(line)[name] === value) ?? `${name}=${value}`
}
