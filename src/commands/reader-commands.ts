import type { MakeCommand } from './act-commands.ts'
import type { ActOptions } from './acts.ts'
import type { CommandOptions } from './configuration.ts'
import type { Terminal } from './terminal.ts'

/** What is below `bluepencil readers`; `command` makes it, with its summary and the examples of its help. */
export function addReaderCommands(command: MakeCommand, terminal: Terminal): void {
  const readers = command(
    'readers',
    'the readers of mail: who unsubscribed, whom a server refuses',
    'bluepencil readers list',
    'bluepencil readers restore ombud@desk.example policy-mail',
  )
  const reader = (name: string, summary: string) =>
    readers
      .command(name)
      .description(summary)
      .option('-c, --config <FILE>', 'the configuration')
      .option('--json', 'for machines')
  reader('list', 'every reader of every channel of type email').action(async (options: CommandOptions) =>
    (await import('./readers.ts')).list(options, terminal),
  )
  reader('restore', 'mail goes there again: to who unsubscribed, at their wish, or was refused')
    .argument('<address>')
    .argument('[channel]', 'needed for who unsubscribed from it')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (address: string, channel: string | undefined, options: ActOptions) =>
      (await import('./readers.ts')).restore(address, channel, options, terminal),
    )
}
