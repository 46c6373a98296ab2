import type { Dataset } from '../../service/client/endpoints/datasets.ts'
import type { Terminal } from '../terminal.ts'
import { type CsvCell, csv } from './csv.ts'
import { absent, bytesText, countText, dayText } from './numbers.ts'
import { write } from './output.ts'
import { gather, type MonitorOptions, serviceOf } from './service.ts'
import { tableText } from './table.ts'

export async function datasets(options: MonitorOptions, terminal: Terminal): Promise<void> {
  const { client } = serviceOf(options)
  const found = await gather(client.datasets(), terminal)
  write(options, terminal, {
    json: () => ({ datasets: found }),
    csv: () => datasetsCsv(found),
    text: () => datasetsText(found, terminal),
  })
}

export function datasetsCsv(all: readonly Dataset[]): string {
  const header = ['id', 'title', 'description', 'format', 'bytes', 'records', 'updated_at']
  const rows = all.map(({ id, title, description, format, bytes, records, updatedAt }): CsvCell[] => [
    id,
    title,
    description,
    format,
    bytes,
    records,
    updatedAt,
  ])
  return csv(header, rows)
}

export function datasetsText(all: readonly Dataset[], terminal: Terminal): string {
  if (all.length === 0) return 'The service has no dataset.\n'
  const rows = all.map(({ id, title, format, bytes, records, updatedAt }) => [
    id,
    title ?? absent,
    format ?? absent,
    bytesText(bytes),
    countText(records),
    dayText(updatedAt),
  ])
  const table = tableText(
    [
      { head: 'id' },
      { head: 'title', long: true },
      { head: 'format', long: true },
      { head: 'size', align: 'right' },
      { head: 'records', align: 'right', spare: true },
      { head: 'updated', spare: true },
    ],
    rows,
    terminal,
  )
  return `${table}bluepencil monitor download ID fetches one.\n`
}
