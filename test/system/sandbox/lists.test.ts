import { expect, test } from 'vitest'
import * as z from 'zod'
import { dialectKeys } from '../../../src/service/sandbox/dialect.ts'
import { startWithClock } from './started.ts'

const shapes = ['bare', 'data', 'items', 'results'] as const
const Records = z.array(z.object({ id: z.string() }))
const About = z.looseObject({
  next_cursor: z.string().nullable().optional(),
  page: z.number().optional(),
  total_pages: z.number().optional(),
})

/** Follows a list as its dialect says, and answers the ids of each page. */
async function pagesOf(
  { send, sandbox }: Awaited<ReturnType<typeof startWithClock>>,
  path: string,
  { shape, pages }: { shape: (typeof shapes)[number]; pages: string },
) {
  const seen: string[][] = []
  let next: URL | undefined = new URL(sandbox.url + path)
  while (next !== undefined) {
    const address: URL = next
    const { status, headers, body } = await send('GET', address.href, { key: 'sandbox-pro' })
    expect(status).toBe(200)
    const envelope = shape === 'bare' ? {} : z.record(z.string(), z.unknown()).parse(body)
    const records = Records.parse(shape === 'bare' ? body : envelope[shape])
    seen.push(records.map(({ id }) => id))
    const place = { bare: {}, data: envelope.meta, items: envelope, results: envelope.pagination }
    next = nextOf(address, pages, headers.get('link'), About.parse(place[shape] ?? {}))
  }
  return seen
}

function nextOf(address: URL, pages: string, link: string | null, about: z.infer<typeof About>) {
  const linked = /<([^>]+)>; rel="next"/.exec(link ?? '')?.[1]
  if (linked !== undefined) return new URL(linked)
  const next = new URL(address)
  if (pages === 'cursor' && typeof about.next_cursor === 'string') {
    next.searchParams.set('cursor', about.next_cursor)
    return next
  }
  if (pages === 'number' && (about.page ?? 1) < (about.total_pages ?? 1)) {
    next.searchParams.set('page', String((about.page ?? 1) + 1))
    return next
  }
  return undefined
}

const everyWay = shapes.flatMap((shape) =>
  (['cursor', 'number', 'link'] as const).map((pages) => ({ shape, pages })),
)

test.each(everyWay)('the pages of a list in the dialect %j are the whole list', async (way) => {
  const dialect = { 'list-shape': way.shape, pages: way.pages, alerts: 'present' } as const
  const paged = await startWithClock({ dialect })
  const whole = await startWithClock({ dialect: { alerts: 'present' } })
  for (const path of ['/research/publications', '/research/publications?year=2025', '/monitoring/alerts']) {
    const ids = Records.parse((await whole.ask('GET', path)).body).map(({ id }) => id)
    const pages = await pagesOf(paged, path, way)
    expect(pages.flat()).toEqual(ids)
    expect(pages.slice(0, -1).every((page) => page.length === 5)).toBe(true)
    expect(pages.length).toBe(Math.ceil(ids.length / 5))
  }
})

test('the subscriptions of a key come in pages too, and an empty list is one page', async () => {
  const started = await startWithClock({ dialect: { pages: 'cursor', 'list-shape': 'items' } })
  const way = { shape: 'items', pages: 'cursor' } as const
  expect(await pagesOf(started, '/webhooks', way)).toEqual([[]])
  for (let count = 0; count < 6; count++) await started.subscribe('https://desk.example/webhook')
  expect((await pagesOf(started, '/webhooks', way)).map((page) => page.length)).toEqual([5, 1])
})

test.each([
  ['cursor', 'cursor=nonsense', 'cursor must be one that this service gave out.'],
  ['number', 'page=0', 'page must be a whole number from 1.'],
  ['link', 'page=1&page=2', 'page must be a whole number from 1.'],
] as const)('with pages=%s, %s answers 400', async (pages, query, message) => {
  const { ask } = await startWithClock({ dialect: { pages } })
  expect(await ask('GET', `/research/datasets?${query}`)).toMatchObject({
    status: 400,
    body: { error: { code: 'BAD_REQUEST', message } },
  })
})

test('a page after the last is empty', async () => {
  const { ask } = await startWithClock({ dialect: { pages: 'number', 'list-shape': 'data' } })
  expect((await ask('GET', '/research/datasets?page=9')).body).toEqual({
    data: [],
    meta: { page: 9, per_page: 5, total: 6, total_pages: 2 },
  })
})

test('every value of every key, many at a time, answers every path in the form of its schema', async () => {
  const keys = dialectKeys()
  const most = Math.max(...keys.map(({ values }) => values.length))
  for (let turn = 1; turn < most; turn++) {
    const chosen = keys.map(({ key, values }) => [key, values[turn % values.length]])
    const { ask } = await startWithClock({ dialect: { ...Object.fromEntries(chosen), alerts: 'present' } })
    const paths = ['/webhooks', '/research/publications', '/research/datasets', '/monitoring/claude/history']
    const more = ['/monitoring/claude/metrics', '/monitoring/compare', '/monitoring/alerts', '/bias/claude']
    for (const path of [...paths, ...more]) {
      expect({ chosen, path, status: (await ask('GET', path)).status }).toMatchObject({ status: 200 })
    }
  }
})
