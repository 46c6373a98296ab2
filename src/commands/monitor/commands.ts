import { type Command, InvalidArgumentError, Option } from 'commander'
import type { HistoryQuery } from '../../service/client/endpoints/history.ts'
import { type CommandMakers, examples } from '../make.ts'

// As the client has them, which is not loaded before it is needed: it takes as long as all else at the start.
const periods = ['7d', '30d', '90d', '1y'] satisfies HistoryQuery['period'][]
const categories = ['political', 'safety', 'social', 'all'] satisfies HistoryQuery['category'][]

/** Adds a command for each endpoint of data below `monitor`. */
export function addMonitorCommands(monitor: Command, run: CommandMakers['run']): void {
  const asking = (name: string, summary: string, ...shown: string[]) =>
    monitor
      .command(name)
      .description(summary)
      .option(
        '-c, --config <FILE>',
        'the configuration; only its section monitor: is needed (default: BLUEPENCIL_CONFIG, then config/bluepencil.yaml)',
      )
      .addHelpText('after', examples(...shown.map((line) => `bluepencil monitor ${line}`)))
  const figures = (name: string, summary: string, ...shown: string[]) =>
    asking(name, summary, ...shown)
      .addOption(new Option('--json', 'one JSON document').conflicts('csv'))
      .addOption(new Option('--csv', 'a table for spreadsheets (RFC 4180)'))

  figures('metrics', 'what one model refuses now', 'metrics claude', 'metrics claude --json')
    .argument('<model>')
    .action(run(async () => (await import('./metrics.ts')).metrics))

  figures(
    'history',
    'what one model refused over time, as a chart',
    'history claude --period 90d --category political',
    'history claude --period 1y --csv > claude.csv',
    'history claude --period 90d --chart claude.png --dark',
  )
    .argument('<model>')
    .addOption(new Option('--period <P>', 'how far back').choices(periods).default('30d'))
    .addOption(new Option('--category <C>', 'category of the prompts').choices(categories).default('all'))
    .option('--chart <FILE>', 'also write the chart as a picture: FILE.svg or FILE.png')
    .option('--dark', 'the picture in light colours on dark')
    .action(run(async () => (await import('./history.ts')).history))

  figures('compare', 'compare models', 'compare claude,gemini', 'compare chatgpt,qwen --csv')
    .argument('<models>', 'their names, with commas between', names)
    .action(run(async () => (await import('./metrics.ts')).compare))

  figures(
    'bias',
    'which way one model leans, by topic',
    'bias claude',
    'bias claude --topics political,economic',
  )
    .argument('<model>')
    .option('--topics <TOPICS>', 'with commas between; political, social and economic occur', names)
    .action(run(async () => (await import('./bias.ts')).bias))

  figures('publications', 'publications about the data', 'publications', 'publications --year 2026')
    .option('--year <YYYY>', 'only of this year', year)
    .action(run(async () => (await import('./publications.ts')).publications))

  figures('datasets', 'datasets that you can download', 'datasets', 'datasets --json').action(
    run(async () => (await import('./datasets.ts')).datasets),
  )

  asking(
    'download',
    'download one dataset to a file; resumes after an interruption',
    'download daily-rates-csv',
    'download daily-rates-csv --output - | head',
  )
    .argument('<dataset-id>')
    .option('-o, --output <FILE>', 'where to; - is standard output (else a file named after the dataset)')
    .option('--force', 'replace the file if it exists')
    .action(run(async () => (await import('./datasets.ts')).download))
}

function names(text: string): string[] {
  const all = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '')
  if (all.length === 0) throw new InvalidArgumentError('Write names with commas between, such as a,b.')
  return all
}

function year(text: string): number {
  if (!/^[12]\d{3}$/.test(text)) throw new InvalidArgumentError('It must be a year of four digits.')
  return Number(text)
}
