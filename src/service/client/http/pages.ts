import * as z from 'zod'
import type { ServiceAnswer } from './answer.ts'
import type { ServiceConnection } from './connection.ts'
import { unwrapList } from './envelope.ts'
import { nextOf, type PageQuery } from './next-page.ts'
import { type ClientCall, request } from './request.ts'

/** A service whose pages do not end would otherwise spend the hour and the memory. */
const mostPages = 200
const mostItems = 50_000

export interface ListCall {
  /** Path below the base address. */
  path: string
  query?: ClientCall['query']
  signal?: AbortSignal | undefined
  /** What is listed, for an error: "subscriptions". */
  of: string
}

/**
 * The members of a list, page after page, each page asked for when its first member is wanted. How pages are made
 * is not shown ("Endpoints", gaps): cursors, page numbers, offsets and `Link: rel="next"` are followed, below the
 * base address only. Throws `Unintelligible` where pages repeat themselves, never end, or go on elsewhere.
 */
export async function* pages<Item extends z.ZodType>(
  connection: ServiceConnection,
  { path, query, signal, of }: ListCall,
  item: Item,
): AsyncGenerator<z.infer<Item>, void, undefined> {
  const seen = new Set<string>()
  let items = 0
  let asked: PageQuery = { query: defined(query) }
  for (let page = 1; ; page += 1) {
    const answer = await request(connection, { method: 'GET', path, query: asked.query, signal })
    if (answer.status === 204) return
    const body = answer.json()
    const list = unwrapList(body)
    if (list === undefined) throw answer.unintelligible(`no list of ${of} that could be found in it`)
    const next = nextOf({ body, link: answer.headers.get('link'), count: list.length, asked })
    // To the first that is wrong: what zod says of each of 250,000 takes 400 MB.
    const wrong = list.findIndex((one) => !item.safeParse(one).success)
    yield* answer.parse(wrong === -1 ? list : list.slice(0, wrong + 1), z.array(item))

    items += list.length
    if (next === undefined) return
    asked = follow(connection, path, next, answer)
    const key = JSON.stringify(asked.query)
    if (seen.has(key)) throw answer.unintelligible('a next page that was there before')
    if (page === mostPages || items > mostItems) {
      throw answer.unintelligible(`page after page: ${page} pages, ${items} ${of}, and no end`)
    }
    seen.add(key)
  }
}

/** The next page is asked for with our own address and the query that the service gave. */
function follow(
  { baseUrl }: ServiceConnection,
  path: string,
  next: NonNullable<ReturnType<typeof nextOf>>,
  answer: ServiceAnswer,
): PageQuery {
  if ('query' in next) return { query: next.query }
  const here = new URL(baseUrl)
  here.pathname = baseUrl.pathname.replace(/\/+$/, '') + path
  if (!URL.canParse(next.address, here)) throw answer.unintelligible('a next page without a usable address')
  const address = new URL(next.address, here)
  if (address.origin !== here.origin) {
    throw answer.unintelligible(`a next page at ${address.host}, which gets no key and was not asked`)
  }
  if (address.pathname.replace(/\/+$/, '') !== here.pathname.replace(/\/+$/, '')) {
    throw answer.unintelligible('a next page of another path, which was not asked')
  }
  return { query: Object.fromEntries(address.searchParams) }
}

function defined(query: ClientCall['query'] = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
