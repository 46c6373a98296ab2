import * as z from 'zod'
import { Unintelligible } from '../errors.ts'
import { listNames, pageNames } from '../names.ts'
import { type Fields, isFields } from '../readers/fields.ts'
import { type ClientCall, place, request, type ServiceAnswer, type ServiceConnection } from './request.ts'

/** A service whose pages do not end would otherwise spend the hour and the memory. */
const mostPages = 200
const mostItems = 50_000

interface ListCall extends Omit<ClientCall, 'method' | 'body'> {
  /** What is listed, for an error: "subscriptions". */
  of: string
}

type PageQuery = Readonly<Record<string, string>>

/**
 * The members of a list, page after page, each page requested with its first member. How pages are made
 * is not shown ("Endpoints", gaps): cursors, page numbers, offsets and `Link: rel="next"` are followed, below the
 * base address only. Throws `Unintelligible` if pages repeat themselves, never end, or go on elsewhere.
 */
export async function* pages<Item extends z.ZodType>(
  connection: ServiceConnection,
  { path, query: firstQuery = {}, signal, of }: ListCall,
  item: Item,
): AsyncGenerator<z.infer<Item>, void, undefined> {
  const seen = new Set<string>()
  let items = 0
  let query: PageQuery = defined(firstQuery)
  for (let page = 1; ; page += 1) {
    const answer = await request(connection, { method: 'GET', path, query, signal })
    if (answer.status === 204) return
    const body = answer.json()
    const list = unwrapList(body)
    if (list === undefined) throw answer.unintelligible(`JSON in which there is no list of ${of}`)
    const next = nextOf({ body, link: answer.headers.get('link'), count: list.length, query })
    // To the first that is wrong: what zod says of each of 250,000 takes 400 MB.
    const wrong = list.findIndex((one) => !item.safeParse(one).success)
    yield* answer.parse(wrong === -1 ? list : list.slice(0, wrong + 1), z.array(item))

    items += list.length
    if (next === undefined) return
    const here = place(connection.baseUrl, { method: 'GET', path }).address
    query = 'query' in next ? next.query : queryOf(next.address, here, answer)
    const key = JSON.stringify(query)
    if (seen.has(key)) throw answer.unintelligible('a next page that it already gave')
    if (page === mostPages || items > mostItems) {
      throw answer.unintelligible(`too much: ${page} pages with ${items} ${of}, and still more`)
    }
    seen.add(key)
  }
}

function defined(query: NonNullable<ClientCall['query']>): PageQuery {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The next page is requested from our own address, with the query that the service gave. */
function queryOf(next: string, here: URL, answer: ServiceAnswer): PageQuery {
  const address = URL.parse(next, here)
  if (address === null) throw answer.unintelligible('an invalid address of the next page')
  if (address.origin !== here.origin) {
    throw answer.unintelligible(
      `a next page at ${address.host}. Bluepencil sends the key to no other host, so it did not read that page`,
    )
  }
  if (address.pathname.replace(/\/+$/, '') !== here.pathname.replace(/\/+$/, '')) {
    throw answer.unintelligible('a next page with another path, which Bluepencil did not read')
  }
  return Object.fromEntries(address.searchParams)
}

/** A list that is read page after page, while it is iterated. Each iteration requests it again. */
export interface Records<T> extends AsyncIterable<T> {
  /** Records so far that could not be read. */
  readonly unread: number
}

/** Throws `Unintelligible` at the end, if none of the records could be read. */
export function records<T>(
  connection: ServiceConnection,
  call: ListCall,
  read: (record: unknown) => T | undefined,
): Records<T> {
  let unread = 0
  async function* iterate(): AsyncGenerator<T, void, undefined> {
    let all = 0
    unread = 0
    for await (const written of pages(connection, call, z.unknown())) {
      const record = read(written)
      all += 1
      if (record === undefined) unread += 1
      else yield record
    }
    if (unread === 0 || unread < all) return
    const { callName } = place(connection.baseUrl, { method: 'GET', path: call.path })
    throw new Unintelligible(`${callName} answered with ${all} ${call.of}, but none of them has an id.`)
  }
  return {
    get unread() {
      return unread
    },
    [Symbol.asyncIterator]: iterate,
  }
}

/**
 * The members of a list, bare or wrapped once or twice; `null` in the place of a list is an empty one.
 * Undefined if there is no list.
 */
export function unwrapList(value: unknown, depth = 2): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === null) return []
  if (!isFields(value) || depth === 0) return undefined
  for (const name of listNames.members) {
    if (!(name in value)) continue
    const list = unwrapList(value[name], depth - 1)
    if (list !== undefined) return list
  }
  return undefined
}

interface AnsweredPage {
  body: unknown
  /** The header `Link` (RFC 8288). */
  link: string | null
  /** How many members the page has. */
  count: number
  /** Of its request. */
  query: PageQuery
}

/**
 * How to request the page that follows, as far as the answer says; undefined after the last. Pagination is
 * not shown in the interface ("Endpoints", gaps): every plausible form is read, the plainest first.
 */
export function nextOf(page: AnsweredPage): { query: PageQuery } | { address: string } | undefined {
  const { body, link, query } = page
  const linked = nextLink(link)
  if (linked !== undefined) return { address: linked }
  if (!isFields(body)) return undefined
  const places = [body, ...pageNames.places.map((name) => body[name]).filter(isFields)]
  if (flag(places, pageNames.more) === false) return undefined
  const withQuery = (name: string, value: string) => ({ query: { ...query, [name]: value } })

  for (const [name, parameter] of pageNames.cursors) {
    const cursor = text(scalar(places, [name]))
    if (cursor !== undefined) return withQuery(parameter, cursor)
  }
  const next = places
    .flatMap((place) => pageNames.addresses.map((name) => text(href(place[name]))))
    .find((address) => address !== undefined)
  if (next !== undefined) {
    if (isAddress(next)) return { address: next }
    const isNumbered = [pageNames.page, pageNames.totalPages].some(
      (names) => number(scalar(places, names)) !== undefined,
    )
    return withQuery(/^\d+$/.test(next) && isNumbered ? 'page' : 'cursor', next)
  }
  const nextPage = text(scalar(places, pageNames.nextPage))
  if (nextPage !== undefined) {
    return isAddress(nextPage) ? { address: nextPage } : withQuery('page', nextPage)
  }
  // A `cursor` may also be that of this page.
  const cursor = text(scalar(places, ['cursor']))
  if (cursor !== undefined && cursor !== query.cursor) return withQuery('cursor', cursor)
  return countedNext(places, page)
}

/** Page numbers and offsets say where they are, and leave the sum to the reader. */
function countedNext(
  places: readonly Fields[],
  { count, query }: AnsweredPage,
): { query: PageQuery } | undefined {
  if (count === 0) return undefined
  const more = flag(places, pageNames.more)
  const total = number(scalar(places, pageNames.total))
  const offset = number(scalar(places, pageNames.offset))
  if (offset !== undefined) {
    const goesOn = more ?? (total !== undefined && offset + count < total)
    return goesOn ? { query: { ...query, offset: String(offset + count) } } : undefined
  }
  const page = number(scalar(places, pageNames.page)) ?? number(query.page) ?? 1
  const perPage = number(scalar(places, pageNames.perPage))
  const pageCount =
    number(scalar(places, pageNames.totalPages)) ??
    (total !== undefined && perPage ? total / perPage : undefined)
  if (more !== true && (pageCount === undefined || page >= pageCount)) return undefined
  return { query: { ...query, page: String(page + 1) } }
}

/** The address of `rel="next"` in a `Link` header. */
function nextLink(header: string | null): string | undefined {
  for (const [, address, parameters] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*("([^"]*\s)?next(\s[^"]*)?"|next\s*(;|,|$))/i.test(parameters ?? '')) return address
  }
  return undefined
}

function isAddress(value: string): boolean {
  return /^(https?:\/\/|\/|\?)/i.test(value)
}

/** The first text or number under the names. */
function scalar(places: readonly Fields[], names: readonly string[]): unknown {
  return places
    .flatMap((place) => names.map((name) => place[name]))
    .find((value) => typeof value === 'string' || typeof value === 'number')
}

function flag(places: readonly Fields[], names: readonly string[]): boolean | undefined {
  return places
    .flatMap((place) => names.map((name) => place[name]))
    .find((value) => typeof value === 'boolean')
}

function href(value: unknown): unknown {
  return isFields(value) ? value.href : value
}

/** A cursor or an address; a number is one too, and an empty text is none. */
function text(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function number(value: unknown): number | undefined {
  const plain = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return typeof plain === 'number' && Number.isInteger(plain) && plain >= 0 ? plain : undefined
}
