import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { parseEnv } from 'node:util'
import { type Answers, answered } from '../../config/setup/answers.ts'
import { compose } from '../../config/setup/config-from-answers.ts'
import { errorCode } from '../../platform/unknown.ts'
import { configFile } from '../configuration.ts'
import { environmentFileFor } from '../environment-file.ts'
import { CommandFailure } from '../failure.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { type Addition, addTo, textBesideBrowser } from './again.ts'
import type { Prompter } from './ask.ts'
import { interview, withoutAsking } from './interview.ts'

interface InitOptions extends Answers {
  config?: string
  /** What to do with a configuration that is there. */
  add?: Addition
  overwrite?: boolean
  /** False for `--no-try`. */
  try: boolean
}

/** As shells say it of a process that Ctrl-C ended. */
const interrupted = 130

/** A guided set-up: asks, tries, sends a test alert, and writes the configuration and `.env`. Returns the exit code. */
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
  const unchanged = () => {
    terminal.out('Nothing was changed.\n')
    return 1
  }
  const { add: _add, config: _config, overwrite, try: isTried, ...offers } = options
  const there = configFile(options)
  const beginning = existsSync(there) ? undefined : await textBesideBrowser()
  const task = await taskFor(there, { ...options, isInBrowser: beginning !== undefined }, person)
  if (task === 'nothing') return unchanged()
  const file = task === 'elsewhere' && person !== undefined ? await newFile(person) : there
  const secrets = environmentFileFor(file)
  // Before anybody is asked, and before anything is sent.
  tryWriting(file)
  tryWriting(secrets)

  const before = new Map([file, secrets].map((name) => [name, textOf(name)]))
  const variables = parseEnv(before.get(secrets) ?? '')
  const parts = { offers, person, terminal, isTried }
  if (task === 'channel' || task === 'service' || task === 'account') {
    const text = before.get(file) ?? beginning ?? ''
    const added = await addTo(task, { ...parts, file, before: text, variables })
    if (added === undefined) return unchanged()
    writeConfig(file, { ...added, secrets, before })
    terminal.out(`${added.made}\n`)
    return 0
  }
  const answers = await interview({
    ...parts,
    offers: person === undefined ? withoutAsking(offers, process.env) : offers,
  })
  writeConfig(file, { ...compose(answers, overwrite ? {} : variables, process.env), secrets, before })
  terminal.out(`${file} and ${secrets} are written; the secrets are in ${secrets} alone.\n`)
  terminal.out(next(answers, file))
  return 0
}

const tasks = [
  { value: 'channel', name: 'Add a channel' },
  { value: 'service', name: 'Name the monitoring service, or change it' },
  { value: 'account', name: 'Add an account for the console' },
  { value: 'elsewhere', name: 'Start anew, in another file' },
  { value: 'nothing', name: 'Leave it as it is' },
] as const
type Task = (typeof tasks)[number]['value'] | 'write'

async function taskFor(
  file: string,
  { add, overwrite, isInBrowser }: InitOptions & { isInBrowser: boolean },
  person: Prompter | undefined,
): Promise<Task> {
  if (!existsSync(file) && !isInBrowser) {
    if (add === undefined) return 'write'
    throw new CommandFailure(`${file} is not there; init without --add makes it`, 2)
  }
  if (add !== undefined) return add
  if (overwrite && !isInBrowser) return 'write'
  const there = isInBrowser
    ? 'Bluepencil was set up in the browser, and serve needs no file'
    : `${file} is there already`
  if (person === undefined) {
    const advice = isInBrowser
      ? `${file} is not there: ${there}. Change it in the console, under Settings; --add channel writes a file with one more channel, and keeps the rest`
      : `${there}; --add channel adds a channel to it, --overwrite replaces it`
    throw new CommandFailure(advice, 2)
  }
  const offered = isInBrowser ? tasks.filter(({ value }) => value !== 'elsewhere') : tasks
  const chosen = await person.choice(`${there}. What do you want to do?`, offered)
  return tasks.find(({ value }) => value === chosen)?.value ?? 'nothing'
}

async function newFile(person: Prompter): Promise<string> {
  for (let ask = 'Another file:'; ; ask = 'That is there already. Another file:') {
    const file = (await person.text(ask, 'config/another.yaml')).trim()
    if (file !== '' && !existsSync(file)) return file
  }
}

function next(answers: Answers, file: string): string {
  // In the image, which alone names a default.
  if (process.env.BLUEPENCIL_CONFIG_DEFAULT === file)
    return `Next: start the container with the same folder at ${dirname(file)}.\n`
  const where = file === configFile({}) ? '' : ` --config ${file}`
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

interface NewConfig {
  yaml: string
  variables: Record<string, string>
  secrets: string
  /** The text of each file when the questions began. */
  before: ReadonlyMap<string, string | undefined>
}

/** Questions and trials take minutes: an edit by somebody else meanwhile stays. */
function writeConfig(file: string, { yaml, variables, secrets, before }: NewConfig): void {
  for (const [name, text] of before) {
    if (textOf(name) !== text)
      throw new CommandFailure(`${name} was changed meanwhile; nothing was written. Run init again`)
  }
  const withSecrets = withVariables(before.get(secrets) ?? '', variables)
  writeAll([
    // First what the other names.
    ...(Object.keys(variables).length === 0 ? [] : [{ file: secrets, text: withSecrets, mode: 0o600 }]),
    { file, text: yaml, mode: existsSync(file) ? statSync(file).mode & 0o777 : 0o644 },
  ])
}

interface NewFile {
  file: string
  text: string
  mode: number
}

/** The text of a file, or undefined if there is none. */
function textOf(file: string): string | undefined {
  try {
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  } catch (cause) {
    throw new CommandFailure(`${file} cannot be read (${errorCode(cause)}); nothing was changed`, 1, cause)
  }
}

/** Leaves nothing behind. Throws a `CommandFailure` if a file could not be written. */
function tryWriting(file: string): void {
  let folder: string | undefined
  try {
    folder = mkdirSync(dirname(file), { recursive: true })
    const trial = nextTo(realOf(file))
    writeFileSync(trial, '', { flag: 'wx' })
    rmSync(trial)
  } catch (error) {
    throw cannotBeWritten(file, error)
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true })
  }
}

function cannotBeWritten(file: string, cause: unknown): CommandFailure {
  const code = errorCode(cause) ?? ''
  const user = `user ${process.getuid?.()}`
  const why: Record<string, string> = {
    EACCES: `. ${dirname(file)} must be a folder that ${user} may write in; with docker, mount one there (-v)`,
    EROFS: `. ${dirname(file)} is read-only; with docker, mount it without :ro`,
  }
  return new CommandFailure(
    `${file} cannot be written (${code}); nothing was changed${why[code] ?? ''}`,
    1,
    cause,
  )
}

/** A link keeps leading where it led. */
function realOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file
}

function nextTo(file: string): string {
  return `${file}.new-${process.pid}`
}

/** Writes all of them. If one cannot be written, it restores what was there before. */
function writeAll(files: readonly NewFile[]): void {
  const undo: (() => void)[] = []
  for (const newFile of files) {
    try {
      const before = textOf(newFile.file)
      mkdirSync(dirname(newFile.file), { recursive: true })
      writeWhole(newFile)
      undo.push(() =>
        before === undefined ? rmSync(newFile.file) : writeWhole({ ...newFile, text: before }),
      )
    } catch (error) {
      for (const step of undo) step()
      throw cannotBeWritten(newFile.file, error)
    }
  }
}

/** A reader finds the whole text of before or of after. Root leaves a file to its owner. */
function writeWhole({ file, text, mode }: NewFile): void {
  const target = realOf(file)
  const next = nextTo(target)
  try {
    writeFileSync(next, text, { mode, flag: 'wx', flush: true })
    if (process.getuid?.() === 0 && existsSync(target)) {
      const { uid, gid } = statSync(target)
      chownSync(next, uid, gid)
    }
    renameSync(next, target)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/**
 * The text of a `.env` with these variables in it. Lines of others stay as they are; a line of one of ours is replaced
 * in its place. Throws if a value cannot be written.
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

function nameOn(line: string): string | undefined {
  return /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/.exec(line)?.[1]
}

/** Adds quotes only if needed: `docker run --env-file` makes them part of the value. Within double quotes `\n` is a new line, so it takes the first kind of quotes that gives the value back. */
function lineOf(name: string, value: string): string {
  if (/^[\w.:/@%+=,~?&-]+$/.test(value)) return `${name}=${value}`
  const quoted = ["'", '`', '"'].map((mark) => `${name}=${mark}${value}${mark}`)
  return quoted.find((line) => parseEnv(line)[name] === value) ?? `${name}=${value}`
}
