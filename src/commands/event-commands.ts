import { InvalidArgumentError } from 'commander'
import type { MakeCommand } from './act-commands.ts'
import type { ActOptions } from './acts.ts'
import type { CommandOptions } from './configuration.ts'
import type { Terminal } from './terminal.ts'

/** What came in, what became of it, and what would have. */
export function addEventCommands({ asking }: { asking: MakeCommand }, terminal: Terminal): void {
  asking(
    'events',
    'what came in, newest first',
    'bluepencil events',
    'bluepencil events --failed',
    'bluepencil events --json --limit 1000',
  )
    .option('-n, --limit <N>', 'at most so many', wholeNumberFromOne, 20)
    .option('--failed', 'only those that failed on a channel')
    .action(async (options: CommandOptions & { limit: number; failed?: boolean }) =>
      (await import('./events.ts')).events(options, terminal),
    )

  asking(
    'explain',
    'what became of one event on every channel, and why',
    'bluepencil explain evt_01HZX',
    'bluepencil explain evt_01HZX --messages',
  )
    .argument('<event-id>')
    .option('--messages', 'and what was sent, word for word; --json has it in any case')
    .action(async (id: string, options: CommandOptions & { messages?: boolean }) =>
      (await import('./explain.ts')).explain(id, options, terminal),
    )

  asking(
    'ledger',
    'how many changes came by webhook, by polling and by both; for a methods section',
    'bluepencil ledger --from 2026-11-01 --to 2026-11-30',
    'bluepencil ledger --csv > ledger.csv',
  )
    .option('--csv', 'a row for each day')
    .option('--from <DAY>', 'the first day, in UTC (else thirty days in all)')
    .option('--to <DAY>', 'the last day, in UTC (else today)')
    .action(async (options) => (await import('./ledger.ts')).ledger(options, terminal))

  asking(
    'backtest',
    'what a configuration would have sent of what came in lately, beside another one; sends nothing',
    'bluepencil backtest --config new.yaml --days 90',
    'bluepencil backtest --config new.yaml --against config/bluepencil.yaml',
  )
    .option('--against <FILE>', 'another configuration, such as the one in force: what is added and dropped')
    .option('--days <N>', 'how far back', days, 90)
    .option('--published', 'with what polling would have found in the history that the service publishes')
    .action(async (options: CommandOptions & { against?: string; days: number; published?: boolean }) =>
      (await import('./backtest.ts')).backtestCommand(options, terminal),
    )

  asking(
    'replay',
    'send an event again: where it failed, or to one channel',
    'bluepencil replay evt_01HZX',
    'bluepencil replay evt_01HZX ai-desk',
  )
    .argument('<event-id>')
    .argument('[channel]')
    .option('--by <NAME>', 'who (else the name of this account)')
    .action(async (id: string, channel: string | undefined, options: ActOptions) =>
      (await import('./events.ts')).replay(id, channel, options, terminal),
    )
}

/** As many as `retention` may be. */
function days(text: string): number {
  if (!/^0*[1-9]\d{0,3}$/.test(text) || Number(text) > 3650)
    throw new InvalidArgumentError('It must be a whole number of days, 1 to 3650.')
  return Number(text)
}

function wholeNumberFromOne(text: string): number {
  if (!/^0*[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(text)
}
