import type { Command } from 'commander'
import type { Terminal } from './terminal.ts'

interface Options {
  config?: string
  json?: boolean
}

/** What is below `bluepencil readers`. */
export function addReaderCommands(readers: Command, terminal: Terminal): void {
  const reader = (name: string, summary: string) =>
    readers
      .command(name)
      .description(summary)
      .option('-c, --config <FILE>', 'the configuration')
      .option('--json', 'for machines')
  reader('list', 'every reader of every channel of type email').action(async (options: Options) =>
    (await import('./readers.ts')).list(options, terminal),
  )
  reader('restore', 'mail goes there again: to who unsubscribed, at their wish, or was refused')
    .argument('<address>')
    .argument('[channel]', 'needed for who unsubscribed from it')
    .action(async (address: string, channel: string | undefined, options: Options) =>
      (await import('./readers.ts')).restore(address, channel, options, terminal),
    )
}
