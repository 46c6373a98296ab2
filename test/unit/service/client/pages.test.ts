import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../../src/service/client/client.ts'
import { nextOf } from '../../../../src/service/client/http/pages.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

const all = ['wh_1', 'wh_2', 'wh_3', 'wh_4', 'wh_5'].map((id) => ({ id }))
let service: ScriptedService
let client: MonitorClient

beforeEach(async () => {
  service = await startScriptedService()
  client = new MonitorClient({ baseUrl: service.baseUrl, apiKey: 'key-1234567890', tries: 1 })
})
afterEach(() => service.close())

interface Page {
  body: unknown
  link?: string
}

/** Two to a page; `write` says how the page that begins at `from` is written, `next` being where the next begins. */
function paged(
  from: (query: URLSearchParams) => number,
  write: (items: object[], from: number, next: number | null) => Page,
) {
  service.script = ({ path }, response) => {
    const first = from(new URL(path, service.origin).searchParams)
    const next = first + 2 < all.length ? first + 2 : null
    const { body, link } = write(all.slice(first, first + 2), first, next)
    json(response, 200, body, link === undefined ? {} : { link })
    return 'answered'
  }
}

const byCursor = (query: URLSearchParams) => Number(query.get('cursor')?.slice(1) ?? 0)
const cursor = (next: number | null) => (next === null ? null : `c${next}`)
const byNumber = (query: URLSearchParams) => (Number(query.get('page') ?? 1) - 1) * 2
const at = (next: number) => `page=${next / 2 + 1}`

test.each<{ form: string; from: (query: URLSearchParams) => number; write: Parameters<typeof paged>[1] }>([
  {
    form: 'next_cursor',
    from: byCursor,
    write: (data, _, next) => ({ body: { data, next_cursor: cursor(next) } }),
  },
  {
    form: 'meta.next_cursor with has_more',
    from: byCursor,
    write: (items, _, next) => ({
      body: { items, meta: { next_cursor: cursor(next), has_more: next !== null } },
    }),
  },
  {
    form: 'pagination.nextCursor',
    from: byCursor,
    write: (results, _, next) => ({
      body: { results, pagination: next === null ? {} : { nextCursor: cursor(next) } },
    }),
  },
  {
    form: 'next as a cursor',
    from: byCursor,
    write: (data, _, next) => ({ body: { data, next: cursor(next) } }),
  },
  {
    form: 'cursor',
    from: byCursor,
    write: (data, _, next) => ({ body: { data, cursor: cursor(next) ?? '' } }),
  },
  {
    form: 'cursor of the page itself, without end',
    from: byCursor,
    write: (data, first, next) => ({ body: { data, cursor: cursor(next ?? first) } }),
  },
  {
    form: 'a cursor to the last, and has_more',
    from: byCursor,
    write: (data, first, next) => ({ body: { data, has_more: next !== null, next_cursor: `c${first + 2}` } }),
  },
  {
    form: 'nextPageToken',
    from: (query) => Number(query.get('pageToken') ?? 0),
    write: (items, _, next) => ({
      body: { items, ...(next === null ? {} : { nextPageToken: String(next) }) },
    }),
  },
  {
    form: 'page_info.end_cursor',
    from: (query) => Number(query.get('after') ?? 0),
    write: (data, _, next) => ({
      body: { data, page_info: { has_next_page: next !== null, end_cursor: String(next ?? 5) } },
    }),
  },
  {
    form: 'page and total_pages',
    from: byNumber,
    write: (data, first) => ({ body: { data, page: first / 2 + 1, total_pages: 3 } }),
  },
  {
    form: 'meta.page, per_page and total',
    from: byNumber,
    write: (data, first) => ({ body: { data, meta: { page: first / 2 + 1, per_page: 2, total: 5 } } }),
  },
  {
    form: 'page and has_more',
    from: byNumber,
    write: (data, first, next) => ({ body: { data, page: first / 2 + 1, has_more: next !== null } }),
  },
  {
    form: 'has_more alone',
    from: byNumber,
    write: (data, _, next) => ({ body: { data, has_more: next !== null } }),
  },
  {
    form: 'page as an object',
    from: byNumber,
    write: (data, first) => ({ body: { data, page: { number: first / 2 + 1, total_pages: 3 } } }),
  },
  {
    form: 'next_page',
    from: byNumber,
    write: (data, _, next) => ({ body: { data, next_page: next === null ? null : next / 2 + 1 } }),
  },
  {
    form: 'offset, limit and total',
    from: (query) => Number(query.get('offset') ?? 0),
    write: (data, offset) => ({ body: { data, offset, limit: 2, total: 5 } }),
  },
  {
    form: 'links.next as a path',
    from: byNumber,
    write: (data, _, next) => ({
      body: { data, links: { next: next === null ? null : `/v1/webhooks?${at(next)}` } },
    }),
  },
  {
    form: '_links.next.href',
    from: byNumber,
    write: (data, _, next) => ({
      body: { data, _links: next === null ? {} : { next: { href: `?${at(next)}` } } },
    }),
  },
  {
    form: 'next as an address',
    from: byNumber,
    write: (results, _, next) => ({
      body: { results, next: next === null ? null : `${service.baseUrl}/webhooks?${at(next)}` },
    }),
  },
  {
    form: 'Link of a bare list',
    from: byNumber,
    write: (body, _, next) => ({
      body,
      ...(next === null
        ? { link: '</v1/webhooks?page=1>; rel="first"' }
        : {
            link: `</v1/webhooks?page=1>; rel="prev", <${service.baseUrl}/webhooks?${at(next)}>; rel="next"`,
          }),
    }),
  },
  {
    form: 'Link without quotes',
    from: byNumber,
    write: (body, _, next) => ({
      body,
      ...(next === null ? {} : { link: `</v1/webhooks?${at(next)}>; title="a, b"; rel=next` }),
    }),
  },
])('$form is followed to the last page', async ({ from, write }) => {
  paged(from, write)
  expect((await client.listWebhooks()).map(({ id }) => id)).toEqual(all.map(({ id }) => id))
  expect(service.received).toHaveLength(3)
})

test.each([
  {
    what: 'the same cursor again',
    body: { data: [{ id: 'a' }], next_cursor: 'c' },
    says: 'a next page that it already gave',
    asked: 2,
  },
  {
    what: 'an address elsewhere',
    body: { data: [], next: 'https://else.example/v1/webhooks?page=2' },
    says: 'a next page at else.example. Bluepencil sends the key to no other host',
    asked: 1,
  },
  {
    what: 'another port',
    body: { data: [], next: 'http://127.0.0.1:1/v1/webhooks?page=2' },
    says: 'a next page at 127.0.0.1:1',
    asked: 1,
  },
  {
    what: 'an address without a scheme',
    body: { data: [], next: '//else.example/v1/webhooks?page=2' },
    says: 'a next page at else.example',
    asked: 1,
  },
  {
    what: 'another path',
    body: { data: [], next: '/admin?page=2' },
    says: 'a next page with another path',
    asked: 1,
  },
  {
    what: 'no usable address',
    body: { data: [], next: 'http://[' },
    says: 'an invalid address of the next page',
    asked: 1,
  },
])('$what ends the list with a clear error', async ({ body, says, asked }) => {
  service.writeList = () => body
  service.script = (_, response) => {
    json(response, 200, body)
    return 'answered'
  }
  const error: unknown = await client.listWebhooks().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'Unintelligible' })
  expect(String(error)).toContain(says)
  expect(service.received).toHaveLength(asked)
})

test('pages without end are not asked for without end', async () => {
  let page = 0
  service.script = (_, response) => {
    page += 1
    json(response, 200, { data: [{ id: `wh_${page}` }], next_cursor: `c${page}` })
    return 'answered'
  }
  const error: unknown = await client.listWebhooks().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'Unintelligible' })
  expect(String(error)).toContain('too much: 200 pages')
  expect(page).toBe(200)
})

test('a page is asked for when it is wanted', async () => {
  service.script = ({ path }, response) => {
    json(response, 200, { data: [{ id: path }], next_cursor: `c${service.received.length}` })
    return 'answered'
  }
  for await (const { id } of client.datasets()) {
    expect(id).toContain('/research/datasets')
    break
  }
  expect(service.received).toHaveLength(1)
})

test('what was asked for is asked for on every page', async () => {
  service.script = ({ path }, response) => {
    json(response, 200, { data: [{ id: 'p' }], next_cursor: path.includes('cursor') ? null : 'c' })
    return 'answered'
  }
  for await (const publication of client.publications({ year: 2026 })) expect(publication.id).toBe('p')
  expect(service.received[1]?.path).toBe('/v1/research/publications?year=2026&cursor=c')
})

test.each([
  { body: ['a'], why: 'says nothing' },
  { body: { data: ['a'], total: 1 }, why: 'has one member' },
  { body: { data: ['a'], total: 20 }, why: 'says how many there are, and not how to ask for them' },
  { body: { data: ['a'], page: 3, total_pages: 3 }, why: 'is the last' },
  { body: { data: [], page: 2, total_pages: 9 }, why: 'is empty' },
  { body: { data: ['a'], next: null, cursor: null, links: null }, why: 'has nothing in its places' },
  { body: 'text', why: 'is a text' },
])('there is no page after one that $why', ({ body }) => {
  const count = typeof body === 'object' && 'data' in body ? body.data.length : 1
  expect(nextOf({ body, link: null, count, query: {} })).toBeUndefined()
})
