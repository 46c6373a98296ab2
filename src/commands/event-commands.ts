import { InvalidArgumentError, Option } from 'commander'
import { exportTableNames } from '../record/export/table-names.ts'
import type { CommandMakers } from './make.ts'

/** What came in, what became of it, and what would have. */
export function addEventCommands({ asking, run }: CommandMakers): void {
  asking(
    'events',
    'received alerts, newest first',
    'bluepencil events',
    'bluepencil events --failed',
    'bluepencil events --json --limit 1000',
  )
    .option('-n, --limit <N>', 'show at most this many', wholeNumberFromOne, 20)
    .option('--failed', 'only those that failed on a channel')
    .action(run(async () => (await import('./events.ts')).events))

  asking(
    'explain',
    'what happened to one event on every channel, and why',
    'bluepencil explain evt_01HZX',
    'bluepencil explain evt_01HZX --messages',
  )
    .argument('<event-id>')
    .option('--messages', 'and what was sent, word for word; --json has it in any case')
    .action(run(async () => (await import('./explain.ts')).explain))

  asking(
    'ledger',
    'count the changes that came by webhook, by polling or by both, for a methods section',
    'bluepencil ledger --from 2026-11-01 --to 2026-11-30',
    'bluepencil ledger --csv > ledger.csv',
  )
    .option('--csv', 'a row for each day')
    .option('--from <DAY>', 'the first day, in UTC (default: thirty days in all)')
    .option('--to <DAY>', 'the last day, in UTC (default: today)')
    .action(run(async () => (await import('./ledger.ts')).ledger))

  asking(
    'methods',
    'how this installation finds and sends changes, as a methods section for what you publish',
    'bluepencil methods --from 2026-11-01 --to 2026-11-30',
  )
    .option('--from <DAY>', 'the first day that is counted, in UTC (default: thirty days in all)')
    .option('--to <DAY>', 'the last day, in UTC (default: today)')
    .action(run(async () => (await import('./methods.ts')).methods))

  asking(
    'backtest',
    'show what a configuration would have sent of recent alerts; compare two; sends nothing',
    'bluepencil backtest --config new.yaml --days 90',
    'bluepencil backtest --config new.yaml --against config/bluepencil.yaml',
  )
    .option('--against <FILE>', 'compare with another configuration, such as the current one')
    .option('--days <N>', 'how far back', days, 90)
    .option('--published', 'with what polling would have found in the history that the service publishes')
    .action(run(async () => (await import('./backtest.ts')).backtestCommand))

  asking(
    'replay',
    'send an event again, to the channels on which it failed or to one channel',
    'bluepencil replay evt_01HZX',
    'bluepencil replay evt_01HZX ai-desk',
  )
    .argument('<event-id>')
    .argument('[channel]')
    .option('--by <NAME>', 'who does this (default: the name of this account)')
    .action(run(async () => (await import('./events.ts')).replay))
}

/** What is kept: proof of an alert, and the store as a whole. */
export function addKeepingCommands({ asking, command, run }: CommandMakers): void {
  asking(
    'evidence',
    'write one evidence file for an alert: its exact bytes, its signature, what was sent to whom, its place in the hash chain',
    'bluepencil evidence evt_01HZX',
    'bluepencil evidence evt_01HZX --output spike.evidence.json',
  )
    .argument('<event-id>')
    .option('-o, --output <FILE>', 'else EVENT_ID.evidence.json')
    .action(run(async () => (await import('./evidence.ts')).evidence))

  command(
    'verify',
    'check a file of evidence: by itself, without a store, a configuration or a network',
    'bluepencil verify evt_01HZX.evidence.json',
    'bluepencil verify evt_01HZX.evidence.json --head 5e1c… --secret-file secret.txt',
  )
    .argument('<file>')
    .option(
      '--secret-file <FILE>',
      'the signing secret, to check the signature itself (else BLUEPENCIL_VERIFY_SECRET)',
    )
    .option('--head <HEAD>', 'a head of the chain that was published: does it stand for this event')
    .option('--json', 'for machines')
    .action(run(async () => (await import('./verify.ts')).verify))

  asking(
    'chain',
    'the newest head of the hash chain over what was accepted, to be published',
    'bluepencil chain',
    'bluepencil chain --json',
  ).action(run(async () => (await import('./evidence.ts')).chain))

  const figures = command(
    'figures',
    'the published figures that were read, the changes in them and what was sent, for analysis',
    'bluepencil figures export --from 2026-11-01 --to 2026-11-30 > figures.csv',
    'bluepencil figures export --package november --from 2026-11-01 --to 2026-11-30',
  )
  figures
    .command('export')
    .description('CSV or JSON Lines, with each later revision of a figure; or a data package with a codebook')
    .option(
      '-c, --config <FILE>',
      'the configuration (default: BLUEPENCIL_CONFIG, then config/bluepencil.yaml)',
    )
    .addOption(
      new Option('--table <NAME>', 'what is in the rows').choices(exportTableNames).default('figures'),
    )
    .option('--from <DAY>', 'the first day, in UTC (default: the oldest stored)')
    .option('--to <DAY>', 'the last day, in UTC (default: today)')
    .option('--model <MODEL>', 'of this model only')
    .option('--category <CATEGORY>', 'of this category only')
    .option('--jsonl', 'JSON Lines instead of CSV')
    .option('-o, --output <FILE>', 'write to this file (default: print it)')
    .option('--package <FOLDER>', 'all tables as CSV, with datapackage.json and codebook.md')
    .action(run(async () => (await import('./figures.ts')).exportFigures))

  asking(
    'backup',
    'back up the store into one file; works while serve is running',
    'bluepencil backup bluepencil-2026-11-23.tar.gz',
  )
    .argument('<file>')
    .action(run(async () => (await import('./backup.ts')).backup))

  asking(
    'restore',
    'restore a backup into the empty place that "store" in the configuration names; stop serve first',
    'bluepencil restore bluepencil-2026-11-23.tar.gz',
  )
    .argument('<file>')
    .option(
      '--send-held',
      'also send held alerts that have fallen due since; only if the old service could not have sent them',
    )
    .action(run(async () => (await import('./restore.ts')).restore))

  const store = command(
    'store',
    'the store of a stopped service',
    'bluepencil store migrate file:./data "postgres://bluepencil:$PASSWORD@db.example/bluepencil"',
  )
  store
    .command('migrate')
    .description('copy one store into another, empty one, and compare them; continues after an interruption')
    .argument('<from>', 'as "store" of the configuration names it: file:… or postgres://…')
    .argument('<to>', 'likewise')
    .option('--json', 'for machines')
    .action(run(async () => (await import('./store-migrate.ts')).storeMigrate))
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
