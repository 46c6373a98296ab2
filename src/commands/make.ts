import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

/** Makes a command, with its summary and the examples of its help. */
type MakeCommand = (name: string, summary: string, ...shown: string[]) => Command

/** How the commands of the command line are made. */
export interface CommandMakers {
  command: MakeCommand
  /** A command with --config and --json. */
  asking: MakeCommand
  /** A command below another, with --config and --json. */
  below: (parent: Command, name: string, summary: string) => Command
  run: ReturnType<typeof runIn>
}

/**
 * What a command runs: a function that is loaded only then, called with the command’s arguments, its options and the
 * terminal. If it answers a number, that is the exit code.
 */
export function runIn(terminal: Terminal, exit: (code: number) => void) {
  return (load: () => Promise<(...given: never[]) => unknown>) =>
    async (...given: unknown[]): Promise<void> => {
      const action = await load()
      // Commander adds the command itself behind the options, and knows no types.
      const code = await action(...([...given.slice(0, -1), terminal] as never[]))
      if (typeof code === 'number') exit(code)
    }
}

export function examples(...lines: string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join('')}`
}
