import type { Request, Response } from 'express'
import * as z from 'zod'
import { type AnswerForm, answer } from './answer.ts'
import type { ServiceDialect } from './dialect.ts'
import { badRequest } from './errors.ts'
import { promptCountsOf, sampleSizeForm } from './shapes/figures.ts'

/** Small, so that pages happen. */
const pageSize = 5

/** Where a list stands among its pages. Numbers count from 1. */
interface PagePosition {
  number: number
  pages: number
  perPage: number
  /** Entries of all pages. */
  total: number
  /** Stands for the next page; null on the last. */
  nextCursor: string | null
}

/** Answers with a list, or with the page of it that the request names. Throws a 400 for a page that cannot be. */
export function answerList(
  request: Request,
  response: Response,
  { schema, entries, dialect }: { schema: z.ZodType; entries: readonly unknown[]; dialect: ServiceDialect },
): void {
  const page = pageOf(request, entries.length, dialect)
  const shown = entries.slice((page.number - 1) * page.perPage, page.number * page.perPage)
  // A bare list has no place for a cursor or a number.
  const linked = dialect.pages === 'link' || (dialect.pages !== 'none' && dialect['list-shape'] === 'bare')
  if (linked) response.set(linkHeader(request, page, dialect))
  answer(response, listSchema(schema, dialect), writeList(shown, page, dialect))
}

function pageOf(request: Request, total: number, { pages: form }: ServiceDialect): PagePosition {
  if (form === 'none') return { number: 1, pages: 1, perPage: total, total, nextCursor: null }
  const number = form === 'cursor' ? fromCursor(request) : fromNumber(request)
  const pages = Math.max(Math.ceil(total / pageSize), 1)
  return { number, pages, perPage: pageSize, total, nextCursor: number < pages ? toCursor(number + 1) : null }
}

function fromNumber(request: Request): number {
  const { page = '1' } = request.query
  if (typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page)) return Number(page)
  throw badRequest('page must be a whole number from 1.')
}

function fromCursor(request: Request): number {
  const { cursor } = request.query
  if (cursor === undefined) return 1
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : ''
  const number = /^page:([1-9]\d{0,5})$/.exec(text)?.[1]
  if (number !== undefined) return Number(number)
  throw badRequest('cursor must be one that this service gave out.')
}

function toCursor(number: number): string {
  return Buffer.from(`page:${number}`).toString('base64url')
}

/** RFC 8288, with the whole address, as GitHub does it. */
function linkHeader(request: Request, page: PagePosition, dialect: ServiceDialect): Record<string, string> {
  const links = [
    ...(page.number > 1 ? [{ rel: 'prev', number: page.number - 1 }] : []),
    ...(page.nextCursor !== null ? [{ rel: 'next', number: page.number + 1 }] : []),
  ]
  if (links.length === 0) return {}
  const written = links.map(({ rel, number }) => `<${addressOf(request, number, dialect)}>; rel="${rel}"`)
  return { Link: written.join(', ') }
}

function addressOf(request: Request, number: number, { pages }: ServiceDialect): string {
  const address = new URL(request.originalUrl, `${request.protocol}://${request.host}`)
  if (pages === 'cursor') address.searchParams.set('cursor', toCursor(number))
  else address.searchParams.set('page', String(number))
  return address.href
}

const aboutPages = {
  none: undefined,
  cursor: z.strictObject({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
  number: z.strictObject({ page: z.int(), per_page: z.int(), total: z.int(), total_pages: z.int() }),
  link: undefined,
}
/** Where a list says which of its pages it is; with `items` beside the list. */
const placeOfPages = { data: 'meta', items: undefined, results: 'pagination' }

export function listSchema(entry: z.ZodType, { 'list-shape': shape, pages }: ServiceDialect): z.ZodType {
  const list = z.array(entry)
  if (shape === 'bare') return list
  const about = aboutPages[pages]
  const place = placeOfPages[shape]
  return z.strictObject({
    [shape]: list,
    ...(place !== undefined && about ? { [place]: about } : about?.shape),
  })
}

function writeList(
  entries: readonly unknown[],
  { number, pages, perPage, total, nextCursor }: PagePosition,
  { 'list-shape': shape, pages: form }: ServiceDialect,
): unknown {
  if (shape === 'bare') return entries
  const about = {
    none: undefined,
    cursor: { next_cursor: nextCursor, has_more: nextCursor !== null },
    number: { page: number, per_page: perPage, total, total_pages: pages },
    link: undefined,
  }[form]
  const place = placeOfPages[shape]
  return { [shape]: entries, ...(place !== undefined && about ? { [place]: about } : about) }
}

/** How to write a record of research, whose fields the specification does not show. */
interface RecordFields<Content> {
  type: string
  /** The name that its fields stand under (`nested`). */
  under: string
  /** Other names of fields (`camel`). */
  camel: Readonly<Record<string, string>>
  fields: Readonly<Record<string, z.ZodType>>
  write(content: Content): Readonly<Record<string, unknown>>
}

/** A record with its sample size: fields side by side, under a name, or with other names. `id` comes first. */
export function recordForm<Content extends { id: string }>(
  shape: ServiceDialect['datasets-shape'],
  { type, under, camel, fields, write }: RecordFields<Content>,
  dialect: ServiceDialect,
): AnswerForm<Content> {
  const size = sampleSizeForm(dialect)
  const writeFields = (content: Content) => ({
    ...write(content),
    ...size.write(promptCountsOf(['overall'])),
  })
  if (shape === 'nested') {
    return {
      schema: z.strictObject({
        id: z.string(),
        type: z.literal(type),
        [under]: z.strictObject({ ...fields, ...size.fields }),
      }),
      write: (content) => ({ id: content.id, type, [under]: writeFields(content) }),
    }
  }
  const named = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    shape === 'flat'
      ? record
      : Object.fromEntries(Object.entries(record).map(([name, value]) => [camel[name] ?? name, value]))
  return {
    schema: z.strictObject(named({ id: z.string(), ...fields, ...size.fields })),
    write: (content) => named({ id: content.id, ...writeFields(content) }),
  }
}
