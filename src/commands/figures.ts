import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { version } from '../config/version.ts'
import type { Control } from '../people/control/control.ts'
import { dayMs } from '../platform/durations.ts'
import { codebook, dataPackage } from '../record/export/package.ts'
import { type ExportTableName, exportTableNames } from '../record/export/table-names.ts'
import { csvOf, exportedRecords, jsonLinesOf } from '../record/export/tables.ts'
import { type CommandOptions, configOf, withControl } from './configuration.ts'
import { CommandFailure } from './failure.ts'
import { dayOf } from './ledger.ts'
import { writeNewFile } from './new-file.ts'
import type { Terminal } from './terminal.ts'

interface ExportOptions extends CommandOptions {
  table: ExportTableName
  /** Days in UTC, both included; all that is stored if they are missing. */
  from?: string
  to?: string
  model?: string
  category?: string
  jsonl?: boolean
  output?: string
  /** A folder for all tables, with their description. */
  package?: string
}

/** Writes what was published, what changed and what was sent, for analysis elsewhere. Never over a file that is there. */
export async function exportFigures(options: ExportOptions, terminal: Terminal): Promise<void> {
  const from = options.from === undefined ? 0 : Date.parse(dayOf(options.from).toString())
  const to =
    options.to === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(dayOf(options.to).toString()) + dayMs
  if (from >= to) throw new CommandFailure(`${options.from} is after ${options.to}`, 2)
  const selection = { from, to, model: options.model, category: options.category }
  const config = await configOf(options)
  await withControl(config, terminal, async (control) => {
    const text = (table: ExportTableName) => {
      const records = exportedRecords(table, sourceOf(control), selection)
      return options.jsonl ? jsonLinesOf(records) : csvOf(table, records)
    }
    if (options.package === undefined) return await writeTable(text(options.table), options.output, terminal)
    const context = {
      version: version(),
      now: Date.now(),
      from: options.from ?? 'the beginning',
      to: options.to ?? 'now',
      service: config.monitor?.name ?? 'Censorship Monitoring Service',
    }
    await mkdir(options.package, { recursive: true })
    for (const table of exportTableNames)
      await writeNewFile(join(options.package, `${table}.csv`), text(table))
    await writeNewFile(
      join(options.package, 'datapackage.json'),
      `${JSON.stringify(dataPackage(context), null, 2)}\n`,
    )
    await writeNewFile(join(options.package, 'codebook.md'), codebook(context))
    terminal.out(`${options.package} has the tables, their codebook and datapackage.json\n`)
  })
}

function sourceOf(control: Control) {
  return { list: control.events, actsAbout: control.actsAbout, figures: control.figures }
}

async function writeTable(
  text: AsyncIterable<string>,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output !== undefined) return await writeNewFile(output, text)
  for await (const part of text) terminal.out(part)
}
