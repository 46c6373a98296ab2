import { type Command, Option } from 'commander'
import type { Terminal } from '../terminal.ts'
import { flagOf, questions } from './questions.ts'

/** `init` with an option for each answer. What it does is loaded only when it is run. */
export function addInitOptions(command: Command, terminal: Terminal, exit: (code: number) => void): void {
  for (const { id, argument, summary, variable } of questions) {
    const also = variable === undefined ? '' : ` (without a terminal, else ${variable} of the environment)`
    command.addOption(new Option(`${flagOf(id)} ${argument}`, `${summary}${also}`))
  }
  command
    .option('--overwrite', 'replace what is there, without asking')
    .option('--no-try', 'write the files without trying the answers; no test alert is sent')
    .action(async (options) => exit(await (await import('./init.ts')).init(options, terminal)))
}
