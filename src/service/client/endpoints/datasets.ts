import type { ServiceConnection } from '../http/connection.ts'
import { datasetNames } from '../names.ts'
import { firstOf, readCount, readText } from '../readers/fields.ts'
import { type Records, recordPlaces, records } from '../readers/records.ts'
import { readTime } from '../readers/time.ts'

/** One dataset to download by its id. Only the id must be there: no other field is specified. */
export interface Dataset {
  id: string
  title: string | null
  description: string | null
  /** As the service writes it: `csv`, `text/csv`; several are parted by commas. */
  format: string | null
  /** Size of the download. */
  bytes: number | null
  /** Records (rows) in it. */
  records: number | null
  /** ISO 8601, UTC. */
  updatedAt: string | null
}

/** GET /research/datasets ("Endpoints"), every page. A page is asked for when its first record is wanted. */
export function datasets(connection: ServiceConnection, signal?: AbortSignal): Records<Dataset> {
  return records(connection, { path: '/research/datasets', of: 'datasets', signal }, readDataset)
}

/** From a record in flat, nested (`attributes`, `metadata`, `file`) or camelCase form; undefined where it has no id. */
export function readDataset(record: unknown): Dataset | undefined {
  const places = recordPlaces(record)
  const id = firstOf(places, datasetNames.id, readText)
  if (id === null) return undefined
  return {
    id,
    title: firstOf(places, datasetNames.title, readText),
    description: firstOf(places, datasetNames.description, readText),
    format: firstOf(places, datasetNames.format, readFormat),
    bytes: firstOf(places, datasetNames.bytes, (value) => readCount(value, 0)),
    records: firstOf(places, datasetNames.records, (value) => readCount(value, 0)),
    updatedAt: firstOf(places, datasetNames.updated, readTime),
  }
}

function readFormat(value: unknown): string | null {
  if (!Array.isArray(value)) return readText(value)
  const formats = value.flatMap((one) => readText(one) ?? [])
  return formats.length === 0 ? null : formats.join(', ')
}
