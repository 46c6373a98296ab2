import { BadRequest } from '../errors.ts'
import { type Records, records } from '../http/pages.ts'
import type { ServiceConnection } from '../http/request.ts'
import { datasetNames, publicationNames } from '../names.ts'
import { firstOf, isFields, pick, readCount, readText, readTime, recordPlaces } from '../readers/fields.ts'

/** One publication of the service's research. Only the id must be there: no other field is specified. */
export interface Publication {
  id: string
  title: string | null
  authors: string[]
  /** ISO 8601, UTC. */
  publishedAt: string | null
  year: number | null
  /** http or https. */
  url: string | null
  summary: string | null
}

export interface PublicationsQuery {
  /** Four digits ("Endpoints"). */
  year?: number
}

const longestUrl = 2_048

/**
 * GET /research/publications ("Endpoints"), every page. Each page is requested with its first record.
 * Throws `BadRequest`, without a request, if the year does not have four digits.
 */
export function publications(
  connection: ServiceConnection,
  { year }: PublicationsQuery = {},
  signal?: AbortSignal,
): Records<Publication> {
  if (year !== undefined && readYear(year) === null) {
    throw new BadRequest(`"${year}" is not a year. Write four digits, such as 2026.`)
  }
  const query = { year: year === undefined ? undefined : String(year) }
  const listing = { path: '/research/publications', of: 'publications', query, signal }
  return records(connection, listing, readPublication)
}

/** From a record in flat, nested (`attributes`, `metadata`) or camelCase form; undefined if it has no id. */
export function readPublication(record: unknown): Publication | undefined {
  const places = recordPlaces(record)
  const id = firstOf(places, publicationNames.id, readText)
  if (id === null) return undefined
  const publishedAt = firstOf(places, publicationNames.published, readTime)
  const year = firstOf(places, [...publicationNames.year, ...publicationNames.published], readYear)
  return {
    id,
    title: firstOf(places, publicationNames.title, readText),
    authors: firstOf(places, publicationNames.authors, readAuthors) ?? [],
    publishedAt,
    year: year ?? (publishedAt === null ? null : Number(publishedAt.slice(0, 4))),
    url: firstOf(places, publicationNames.url, readUrl) ?? firstOf(places, publicationNames.doi, readDoi),
    summary: firstOf(places, publicationNames.summary, readText),
  }
}

/** A list of names or of people, or one text, whose names a semicolon parts: a comma may stand inside a name. */
function readAuthors(value: unknown): string[] | null {
  const listed = typeof value === 'string' ? value.split(';') : value
  const authors = (Array.isArray(listed) ? listed : [listed]).flatMap(
    (author: unknown) => readAuthor(author) ?? [],
  )
  return authors.length === 0 ? null : authors
}

function readAuthor(value: unknown): string | null {
  if (!isFields(value)) return readText(value)
  const parts = [publicationNames.given, publicationNames.family].flatMap(
    (names) => readText(pick(value, names)) ?? [],
  )
  return readText(pick(value, publicationNames.person)) ?? (parts.join(' ') || null)
}

function readYear(value: unknown): number | null {
  const year = readCount(value, 1_000)
  return year !== null && year <= 9_999 ? year : null
}

function readUrl(value: unknown): string | null {
  const text = readText(isFields(value) ? value.href : value)
  if (text === null || text.length > longestUrl) return null
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
    ? url.href
    : null
}

function readDoi(value: unknown): string | null {
  const text = readText(value)
  return text !== null && /^10\.\d{4,9}\/\S{1,200}$/.test(text) ? readUrl(`https://doi.org/${text}`) : null
}

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

/** GET /research/datasets ("Endpoints"), every page. Each page is requested with its first record. */
export function datasets(connection: ServiceConnection, signal?: AbortSignal): Records<Dataset> {
  return records(connection, { path: '/research/datasets', of: 'datasets', signal }, readDataset)
}

/** From a record in flat, nested (`attributes`, `metadata`, `file`) or camelCase form; undefined if it has no id. */
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
  const formats = value.flatMap((format) => readText(format) ?? [])
  return formats.length === 0 ? null : formats.join(', ')
}
