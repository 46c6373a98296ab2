import { expect, test } from 'vitest'
import * as z from 'zod'
import type { SandboxOptions } from '../../../src/service/sandbox/sandbox.ts'
import { startWithClock } from './started.ts'

const Publication = z.object({
  id: z.string(),
  title: z.string(),
  year: z.number(),
  published_at: z.string(),
  figures: z.array(z.object({ label: z.string(), value: z.number(), unit: z.string() })),
  sample_size: z.literal(500),
  last_updated: z.string(),
})
const Publications = z.array(Publication)

async function start(options: Partial<SandboxOptions> = {}) {
  const started = await startWithClock(options)
  const headers = { authorization: 'Bearer sandbox-pro' }

  /** Downloads without following a redirect. */
  function download(id: string, more: Record<string, string> = {}) {
    return fetch(`${started.sandbox.url}/research/datasets/${id}/download`, {
      headers: { ...headers, ...more },
      redirect: 'manual',
    })
  }

  async function rowsOf(id: string) {
    const text = await (await download(id)).text()
    const [names = '', ...lines] = text.trimEnd().split('\r\n')
    return lines.map((line) => {
      const cells = line.split(',')
      return Object.fromEntries(names.split(',').map((name, index) => [name, cells[index] ?? '']))
    })
  }

  return { ...started, download, rowsOf }
}

test('there are publications of three years, newest first, and a year can be chosen', async () => {
  const { ask } = await start()
  const all = Publications.parse((await ask('GET', '/research/publications')).body)
  expect(all.length).toBeGreaterThan(15)
  expect([...new Set(all.map(({ year }) => year))]).toEqual([2026, 2025, 2024])
  const times = all.map(({ published_at }) => published_at)
  expect(times).toEqual(times.toSorted().toReversed())
  const chosen = Publications.parse((await ask('GET', '/research/publications?year=2025')).body)
  expect(chosen).toEqual(all.filter(({ year }) => year === 2025))
  expect((await ask('GET', '/research/publications?year=1999')).body).toEqual([])
})

test.each(['year=26', 'year=abcd', 'year=2026&year=2025', 'year='])('%s answers 400', async (query) => {
  const { ask } = await start()
  expect(await ask('GET', `/research/publications?${query}`)).toMatchObject({
    status: 400,
    body: { error: { message: 'year must have four digits, such as year=2026.' } },
  })
})

test('a monthly report cites how many changes the data set of changes has of that month', async () => {
  const { ask, rowsOf } = await start()
  const all = Publications.parse((await ask('GET', '/research/publications')).body)
  const months = all.filter(({ id }) => id.endsWith('-monthly'))
  expect(months.length).toBeGreaterThanOrEqual(10)
  const rows = await rowsOf('changes-csv')
  for (const { id, figures } of months) {
    const month = id.slice('pub_'.length, -'-monthly'.length)
    const value = rows.filter(({ detected_at }) => detected_at?.startsWith(month)).length
    expect(figures).toEqual([{ label: 'Changes reported', value, unit: 'count' }])
  }
})

test('the daily rates end with what metrics shows, and the changes are those of the world', async () => {
  const { ask, control, rowsOf, sandbox, clock } = await start()
  await clock.advance(60_000)
  sandbox.fire({ model: 'claude', category: 'political', delta: 12, type: 'censorship_spike' })
  const last = (await rowsOf('daily-rates-csv')).filter(({ model }) => model === 'claude').at(-1)
  expect((await ask('GET', '/monitoring/claude/metrics')).body).toMatchObject({
    version: last?.version,
    last_updated: last?.last_updated,
    metrics: {
      overall_refusal_rate: Number(last?.overall_refusal_rate),
      political_refusal_rate: Number(last?.political_refusal_rate),
      bias_score: Number(last?.bias_score),
    },
  })
  const changes = z.array(z.object({ id: z.string() })).parse((await control('GET', '/changes')).body)
  const rows = await rowsOf('changes-csv')
  expect(rows.map(({ id }) => id)).toEqual(changes.map(({ id }) => id))
  expect(rows.at(-1)).toMatchObject({ model: 'claude', category: 'political', delta: '+12pp' })
})

test('a data set of JSON says the same as the one of CSV, with a time and a sample size', async () => {
  const { download, rowsOf } = await start()
  const File = z.object({
    last_updated: z.string(),
    sample_size: z.literal(500),
    records: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
  })
  for (const name of ['daily-rates', 'changes', 'prompt-categories']) {
    const { records } = File.parse(await (await download(`${name}-json`)).json())
    const asText = records.map((record) => Object.entries(record).map(([key, value]) => [key, String(value)]))
    expect(asText.map((entries) => Object.fromEntries(entries))).toEqual(await rowsOf(`${name}-csv`))
  }
})

test('what a test fires cannot break out of its cell', async () => {
  const { download, sandbox } = await start()
  sandbox.fire({ model: 'a,b', category: 'say "no"', type: 'x\r\ny', delta: 1 })
  expect(await (await download('changes-csv')).text()).toContain('"x\r\ny","a,b","say ""no""",+1pp,')
})

test('a download has a name, a length and an ETag, and what is listed is its size', async () => {
  const { ask, download } = await start()
  const response = await download('daily-rates-csv')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="daily-rates.csv"')
  expect(response.headers.get('accept-ranges')).toBe('bytes')
  expect(response.headers.get('etag')).toMatch(/^"[0-9a-f]{32}"$/)
  const { length } = Buffer.from(await response.arrayBuffer())
  expect(response.headers.get('content-length')).toBe(String(length))
  const listed = z.array(z.object({ id: z.string(), size_bytes: z.number() }))
  const datasets = listed.parse((await ask('GET', '/research/datasets')).body)
  expect(datasets.find(({ id }) => id === 'daily-rates-csv')?.size_bytes).toBe(length)
})

test('a download that broke off can be resumed', async () => {
  const { download } = await start()
  const whole = await download('daily-rates-csv')
  const etag = whole.headers.get('etag') ?? ''
  const text = await whole.text()
  const rest = await download('daily-rates-csv', { range: 'bytes=1000-', 'if-range': etag })
  expect(rest.status).toBe(206)
  expect(rest.headers.get('content-range')).toBe(`bytes 1000-${text.length - 1}/${text.length}`)
  expect(text.slice(0, 1000) + (await rest.text())).toBe(text)
  const end = await download('daily-rates-csv', { range: 'bytes=-7' })
  expect(await end.text()).toBe(text.slice(-7))
})

test('an older version, several ranges at once or nonsense get the whole; a range behind the end 416', async () => {
  const { download } = await start()
  const older = await download('changes-csv', { range: 'bytes=10-', 'if-range': '"older"' })
  expect(older.status).toBe(200)
  expect((await download('changes-csv', { range: 'bytes=0-1,5-6' })).status).toBe(200)
  expect((await download('changes-csv', { range: 'lines=1' })).status).toBe(200)
  const behind = await download('changes-csv', { range: 'bytes=9999999-' })
  expect(behind.status).toBe(416)
  expect(behind.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/)
})

test('with ranges=no every download is the whole', async () => {
  const { download } = await start({ dialect: { ranges: 'no' } })
  const answer = await download('changes-csv', { range: 'bytes=10-' })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('accept-ranges')).toBe('none')
})

test('a redirect leads to the same host, and needs no key there for an hour', async () => {
  const { sandbox, clock, download } = await start({ dialect: { download: 'redirect' } })
  const redirect = await download('prompt-categories-csv')
  expect(redirect.status).toBe(302)
  const location = redirect.headers.get('location') ?? ''
  expect(new URL(location).origin).toBe(sandbox.origin)
  expect(await (await fetch(location)).text()).toBe(
    'category,prompts\r\npolitical,200\r\nsafety,200\r\nsocial,100\r\n',
  )
  expect(await (await fetch(location, { headers: { range: 'bytes=0-7' } })).text()).toBe('category')
  await clock.advance(3_600_000)
  expect((await fetch(location)).status).toBe(404)
})

test('a link in JSON leads there too', async () => {
  const { ask } = await start({ dialect: { download: 'json-link' } })
  const answer = await ask('GET', '/research/datasets/changes-json/download')
  expect(answer).toMatchObject({
    status: 200,
    body: { expires_at: '2026-03-01T10:10:00.000Z', sample_size: 500 },
  })
  const { url, size_bytes } = z.object({ url: z.string(), size_bytes: z.number() }).parse(answer.body)
  expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(size_bytes)
})

test('a data set that there is not answers 404 and names those there are', async () => {
  const { ask } = await start()
  const answer = await ask('GET', '/research/datasets/none/download')
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } })
  expect(JSON.stringify(answer.body)).toContain('daily-rates-csv, daily-rates-json')
})

test('records can be nested or in camelCase', async () => {
  const nested = await start({ dialect: { 'publications-shape': 'nested', 'datasets-shape': 'nested' } })
  const camel = await start({ dialect: { 'publications-shape': 'camel', 'datasets-shape': 'camel' } })
  expect((await nested.ask('GET', '/research/publications?year=2024')).body).toContainEqual(
    expect.objectContaining({
      id: 'pub_2024-error-overall',
      type: 'publication',
      attributes: expect.objectContaining({
        title: 'How sure a rate over 500 prompts is: overall, 2024 edition',
        year: 2024,
      }),
    }),
  )
  expect((await camel.ask('GET', '/research/publications?year=2024')).body).toContainEqual(
    expect.objectContaining({ publishedAt: '2024-02-12T09:00:00.000Z', abstract: expect.any(String) }),
  )
  expect((await nested.ask('GET', '/research/datasets')).body).toContainEqual(
    expect.objectContaining({ id: 'changes-csv', metadata: expect.objectContaining({ format: 'csv' }) }),
  )
  expect((await camel.ask('GET', '/research/datasets')).body).toContainEqual(
    expect.objectContaining({ datasetId: 'changes-csv', sizeBytes: expect.any(Number) }),
  )
})
