import { listed } from '../../platform/text.ts'
import { configFile } from '../configuration.ts'
import { environmentFile } from '../environment-file.ts'
import { CommandFailure } from '../failure.ts'
import { stopSignal } from '../stop-signal.ts'
import type { Terminal } from '../terminal.ts'
import { type Answers, given } from './answers.ts'
import type { Prompter } from './ask.ts'
import { compose } from './compose.ts'
import { differing, withVariables } from './env-file.ts'
import { textOf, writeAll } from './files.ts'
import { interview } from './interview.ts'
import { withoutAsking } from './offers.ts'

export interface InitOptions extends Answers {
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
  if (given(answers, 'service') !== undefined) return `Next: ${serve}\n`
  return [
    'Next:',
    '  name the monitoring service in the configuration: its last lines say how',
    `  npx bluepencil check${where}`,
    `  ${serve}`,
    '',
  ].join('\n')
}
