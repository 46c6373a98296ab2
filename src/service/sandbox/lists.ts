import type { Request, Response } from 'express'
import type * as z from 'zod'
import { answer } from './answer.ts'
import type { ServiceDialect } from './dialect.ts'
import { badRequest } from './errors.ts'
import { listSchema, type PagePosition, writeList } from './shapes/list.ts'

/** Small, so that pages happen. */
const perPage = 5

/** Answers with a list, or with the page of it that the request names. Throws a 400 for a page that cannot be. */
export function answerList(
  request: Request,
  response: Response,
  { schema, entries, dialect }: { schema: z.ZodType; entries: readonly unknown[]; dialect: ServiceDialect },
): void {
  const page = dialect.pages === 'none' ? onlyPage(entries.length) : pageOf(request, entries.length, dialect)
  const shown = entries.slice((page.number - 1) * page.perPage, page.number * page.perPage)
  if (isLinked(dialect)) response.set(linkHeader(request, page, dialect))
  answer(response, listSchema(schema, dialect), writeList(shown, page, dialect))
}

function onlyPage(total: number): PagePosition {
  return { number: 1, pages: 1, perPage: total, total, nextCursor: null }
}

/** A bare list has no place for a cursor or a number: there the Link header carries it. */
export function isLinked(dialect: ServiceDialect): boolean {
  return dialect.pages === 'link' || (dialect.pages !== 'none' && dialect['list-shape'] === 'bare')
}

function pageOf(request: Request, total: number, dialect: ServiceDialect): PagePosition {
  const number = dialect.pages === 'cursor' ? fromCursor(request) : fromNumber(request)
  const pages = Math.max(Math.ceil(total / perPage), 1)
  return { number, pages, perPage, total, nextCursor: number < pages ? toCursor(number + 1) : null }
}

function fromNumber(request: Request): number {
  const { page = '1' } = request.query
  if (typeof page === 'string' && /^[1-9]\d{0,5}$/.test(page)) return Number(page)
  throw badRequest('page must be a whole number from 1.')
}

function fromCursor(request: Request): number {
  const { cursor } = request.query
  if (cursor === undefined) return 1
  const number = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString('utf8') : ''
  const digits = /^page:([1-9]\d{0,5})$/.exec(number)?.[1]
  if (digits !== undefined) return Number(digits)
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

function addressOf(request: Request, number: number, dialect: ServiceDialect): string {
  const address = new URL(request.originalUrl, `${request.protocol}://${request.host}`)
  if (dialect.pages === 'cursor') address.searchParams.set('cursor', toCursor(number))
  else address.searchParams.set('page', String(number))
  return address.href
}
