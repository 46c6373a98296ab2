import type { Connection } from '../http/connection.ts'
import { firstOf, readCount, readText, spellings } from '../readers/fields.ts'
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

const idNames = spellings('dataset_id', 'id', 'slug')
const titleNames = ['title', 'name']
const descriptionNames = ['description', 'summary', 'abstract']
const formatNames = spellings(
  'format',
  'formats',
  'file_format',
  'content_type',
  'mime_type',
  'media_type',
  'extension',
)
const bytesNames = spellings(
  'bytes',
  'size_bytes',
  'size_in_bytes',
  'file_size',
  'file_size_bytes',
  'byte_size',
  'content_length',
  'size',
)
const recordNames = spellings(
  'records',
  'record_count',
  'rows',
  'row_count',
  'num_rows',
  'n_rows',
  'num_records',
  'entries',
)
const updatedNames = spellings(
  'updated_at',
  'last_updated',
  'modified_at',
  'last_modified',
  'updated',
  'modified',
)

/** GET /research/datasets ("Endpoints"), every page. A page is asked for when its first record is wanted. */
export function datasets(connection: Connection, signal?: AbortSignal): Records<Dataset> {
  return records(connection, { path: '/research/datasets', of: 'datasets', signal }, readDataset)
}

/** From a record in flat, nested (`attributes`, `metadata`, `file`) or camelCase form; undefined where it has no id. */
export function readDataset(record: unknown): Dataset | undefined {
  const places = recordPlaces(record)
  const id = firstOf(places, idNames, readText)
  if (id === null) return undefined
  return {
    id,
    title: firstOf(places, titleNames, readText),
    description: firstOf(places, descriptionNames, readText),
    format: firstOf(places, formatNames, readFormat),
    bytes: firstOf(places, bytesNames, (value) => readCount(value, 0)),
    records: firstOf(places, recordNames, (value) => readCount(value, 0)),
    updatedAt: firstOf(places, updatedNames, readTime),
  }
}

function readFormat(value: unknown): string | null {
  if (!Array.isArray(value)) return readText(value)
  const formats = value.flatMap((one) => readText(one) ?? [])
  return formats.length === 0 ? null : formats.join(', ')
}
