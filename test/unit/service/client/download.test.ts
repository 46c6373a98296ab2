import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient, type MonitorClientOptions } from '../../../../src/service/client/client.ts'
import { json, type ScriptedService, startScriptedService } from './scripted-service.ts'

const key = 'key-1234567890'
const data = randomBytes(300_000)
const atOnce = { now: Date.now, sleep: async () => {} }
const cutters: (() => void)[] = []
let service: ScriptedService
let folder: string
let file: string

beforeEach(async () => {
  service = await startScriptedService()
  folder = await mkdtemp(join(tmpdir(), 'download-'))
  file = join(folder, 'history.csv')
})
afterEach(() => service.close())

function open(more: Partial<MonitorClientOptions> = {}) {
  return new MonitorClient({
    baseUrl: service.baseUrl,
    apiKey: key,
    timeoutMs: 2_000,
    clock: atOnce,
    ...more,
  })
}

interface Serving {
  etag?: string
  ranges?: boolean
  /** The first so many answers are cut after so many bytes. */
  cuts?: number[]
  body?: Buffer
}

/** Serves bytes as a web server does (RFC 9110, 14). */
function serve({ etag = '"v1"', ranges = true, cuts = [], body = data }: Serving = {}): void {
  const left = [...cuts]
  service.script = ({ headers }, response) => {
    answer(headers, response, { etag, ranges, body, cut: left.shift() })
    return 'answered'
  }
}

function answer(
  headers: IncomingMessage['headers'],
  response: ServerResponse,
  { etag, ranges, body, cut }: { etag: string; ranges: boolean; body: Buffer; cut: number | undefined },
): void {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0)
  const partial = ranges && headers.range !== undefined && headers['if-range'] === etag
  if (partial && from >= body.length) {
    response.writeHead(416, { 'content-range': `bytes */${body.length}` }).end()
    return
  }
  const part = partial ? body.subarray(from) : body
  response.writeHead(partial ? 206 : 200, {
    'content-type': 'text/csv',
    'content-length': part.length,
    ...(etag === '' ? {} : { etag }),
    ...(partial ? { 'content-range': `bytes ${from}-${body.length - 1}/${body.length}` } : {}),
  })
  if (cut === undefined) response.end(part)
  else {
    response.write(part.subarray(0, cut))
    // What is still on its way when a connection is cut is lost, so the cut waits for the first piece to arrive.
    cutters.push(() => response.destroy())
  }
}

function onProgress(): void {
  for (const cut of cutters.splice(0)) cut()
}

async function failureOf(call: Promise<unknown>): Promise<Error> {
  const error: unknown = await call.then(
    () => new Error('it succeeded'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw error
  expect(error.message).not.toContain(key)
  return error
}

test('a dataset is written to a file that gets its name only when it is whole, and progress is reported', async () => {
  const seen: string[][] = []
  const told: [number, number | null][] = []
  serve()
  const done = await open().download('a b', {
    to: file,
    onProgress: (bytes, total) => told.push([bytes, total]),
  })
  seen.push(await readdir(folder))
  expect(done).toEqual({ bytes: data.length, resumedAt: 0, contentType: 'text/csv' })
  expect(await readFile(file)).toEqual(data)
  expect(seen).toEqual([['history.csv']])
  expect(told.at(-1)).toEqual([data.length, data.length])
  expect(service.received[0]).toMatchObject({
    path: '/v1/research/datasets/a%20b/download',
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
})

test('a connection that is cut is taken up where it ended', async () => {
  serve({ cuts: [100_000, 50_000] })
  expect(await open().download('x', { to: file, onProgress })).toMatchObject({
    bytes: data.length,
    resumedAt: 0,
  })
  expect(await readFile(file)).toEqual(data)
  const ranges = service.received.map(({ headers }) => [headers.range, headers['if-range']])
  expect(ranges[0]).toEqual([undefined, undefined])
  expect(ranges[2]?.[1]).toBe('"v1"')
  expect(Number(/\d+/.exec(String(ranges[2]?.[0]))?.[0])).toBeGreaterThan(0)
})

test('a later run goes on where an earlier one ended', async () => {
  serve({ cuts: [100_000] })
  const error = await failureOf(open({ tries: 1 }).download('x', { to: file, onProgress }))
  expect(error).toMatchObject({ name: 'Unreachable' })
  expect(await readdir(folder)).toEqual(['history.csv.part', 'history.csv.part.json'])
  const { resumedAt } = await open({ tries: 1 }).download('x', { to: file, onProgress })
  expect(resumedAt).toBeGreaterThan(0)
  expect(await readFile(file)).toEqual(data)
  expect(await readdir(folder)).toEqual(['history.csv'])
})

test.each([
  { what: 'the dataset has changed', second: { etag: '"v2"' } },
  { what: 'the service has no ranges', second: { ranges: false } },
])('where $what, it begins anew', async ({ second }) => {
  serve({ cuts: [100_000] })
  await failureOf(open({ tries: 1 }).download('x', { to: file, onProgress }))
  const body = randomBytes(1_000)
  serve({ ...second, body })
  expect(await open().download('x', { to: file, onProgress })).toMatchObject({ bytes: 1_000, resumedAt: 0 })
  expect(await readFile(file)).toEqual(body)
})

test('what another dataset left behind, or no validator vouches for, is not gone on with', async () => {
  serve({ cuts: [100_000] })
  await failureOf(open({ tries: 1 }).download('other', { to: file, onProgress }))
  serve({ etag: '', cuts: [50_000] })
  await open().download('x', { to: file, onProgress })
  expect(service.received.slice(1).map(({ headers }) => headers.range)).toEqual([undefined, undefined])
  expect(await readFile(file)).toEqual(data)
})

test('a part that is all of it is only given its name', async () => {
  serve()
  await writeFile(`${file}.part`, data)
  const source = `${service.baseUrl}/research/datasets/x/download`
  await writeFile(`${file}.part.json`, JSON.stringify({ source, validator: '"v1"' }))
  expect(await open().download('x', { to: file, onProgress })).toMatchObject({
    bytes: data.length,
    resumedAt: data.length,
  })
  expect(await readFile(file)).toEqual(data)
})

test('a part longer than the dataset is thrown away', async () => {
  await writeFile(`${file}.part`, Buffer.alloc(400_000))
  const source = `${service.baseUrl}/research/datasets/x/download`
  await writeFile(`${file}.part.json`, JSON.stringify({ source, validator: '"v1"' }))
  serve()
  await open().download('x', { to: file, onProgress })
  expect(await readFile(file)).toEqual(data)
})

test.each([{ ranges: true }, { ranges: false }])(
  'a stream gets every byte once, over a cut connection (ranges: $ranges), and is not ended',
  async ({ ranges }) => {
    serve({ ranges, cuts: [100_000] })
    const out = new PassThrough()
    const got = buffer(out)
    await open().download('x', { to: out, onProgress })
    expect(out.writableEnded).toBe(false)
    out.end()
    expect(await got).toEqual(data)
  },
)

test('a stream that began with one dataset does not go on with another', async () => {
  const out = new PassThrough().resume()
  const before = out.listenerCount('error')
  service.script = ({ headers }, response) => {
    const first = headers.range === undefined
    answer(headers, response, {
      etag: first ? '"v1"' : '"v2"',
      ranges: true,
      body: data,
      cut: first ? 9_000 : undefined,
    })
    return 'answered'
  }
  const error = await failureOf(open().download('x', { to: out, onProgress }))
  expect(error).toMatchObject({ name: 'Unintelligible' })
  expect(error.message).toContain('Download it to a file instead')
  expect(out.listenerCount('error')).toBe(before)
})

test('a reader that went away, and a folder in the file’s place, are not the service’s fault', async () => {
  serve()
  const broken = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('gone'), { code: 'EPIPE' })),
  })
  const pipe = await failureOf(open().download('x', { to: broken }))
  expect(pipe).toMatchObject({ name: 'NotWritten' })
  expect(pipe.message).toContain('EPIPE')
  if (!broken.closed) await once(broken, 'close')
  expect(broken.listenerCount('error')).toBe(0)
  expect(await failureOf(open().download('x', { to: folder }))).toMatchObject({ name: 'NotWritten' })
  expect(await failureOf(open().download('x', { to: join(folder, 'no', 'x') }))).toMatchObject({
    name: 'NotWritten',
  })
})

test('silence ends a try; slowness does not', async () => {
  service.script = (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('a')
    return 'answered'
  }
  const error = await failureOf(open({ tries: 1, timeoutMs: 60 }).download('x', { to: file, onProgress }))
  expect(error).toMatchObject({ name: 'Unreachable', timedOut: true })

  // 800 ms in all, and no pause may last 600: on a busy machine a pause of 40 ms took over 150.
  const pieces = 'abcdefghijklmnopqrst'.split('')
  service.script = (_, response) => {
    response.writeHead(200)
    const next = (): unknown => {
      const piece = pieces.shift()
      return piece === undefined ? response.end() : response.write(piece, () => setTimeout(next, 40))
    }
    next()
    return 'answered'
  }
  expect(await open({ tries: 1, timeoutMs: 600 }).download('x', { to: file, onProgress })).toMatchObject({
    bytes: 20,
  })
})

test('more bytes than are allowed are not read', async () => {
  serve()
  const told = await failureOf(open().download('x', { to: file, mostBytes: 1_000 }))
  expect(told).toMatchObject({ name: 'Unintelligible' })
  service.script = (_, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      response.once('drain', write)
    }
    response.writeHead(200)
    write()
    return 'answered'
  }
  expect(await failureOf(open().download('x', { to: file, mostBytes: 1e6 }))).toMatchObject({
    name: 'Unintelligible',
  })
})

test('the caller’s signal ends it', async () => {
  const cut = new AbortController()
  service.script = (_, response) => {
    response.writeHead(200, { 'content-length': 100 }).write('a', () => cut.abort())
    return 'answered'
  }
  const error = await failureOf(open().download('x', { to: file, signal: cut.signal }))
  expect(error).toMatchObject({ name: 'Unreachable', timedOut: false })
  expect(service.received).toHaveLength(1)
})

test.each([
  {
    how: 'a redirect',
    go: (response: ServerResponse, to: string) => response.writeHead(302, { location: to }).end(),
  },
  {
    how: 'a link in JSON',
    go: (response: ServerResponse, to: string) => json(response, 200, { url: to, expires_in: 60 }),
  },
  {
    how: 'a link in JSON under data',
    go: (response: ServerResponse, to: string) => json(response, 200, { data: { download_url: to } }),
  },
  {
    how: 'a link in JSON beside other fields',
    go: (response: ServerResponse, to: string) =>
      json(response, 200, { url: to, meta: { sample_size: 500 }, x_internal: { tags: ['beta'] } }),
  },
])('$how is followed: with the key on the same origin, without it elsewhere', async ({ go }) => {
  const other = await startScriptedService()
  try {
    let place = '/files/history.csv'
    service.script = ({ path, headers }, response) => {
      if (path.startsWith('/files/'))
        answer(headers, response, { etag: '"v1"', ranges: true, body: data, cut: undefined })
      else go(response, place)
      return 'answered'
    }
    let cut: number | undefined = 70_000
    other.script = ({ headers }, response) => {
      answer(headers, response, { etag: '"v1"', ranges: true, body: data, cut })
      cut = undefined
      return 'answered'
    }
    await open().download('x', { to: file, onProgress })
    expect(await readFile(file)).toEqual(data)
    expect(service.received.at(-1)?.headers.authorization).toBe(`Bearer ${key}`)

    place = 'https://storage.example/history.csv?signed=1'
    const elsewhere: Partial<MonitorClientOptions> = {
      resolve: async () => ['93.184.216.34'],
      fetch(address, init) {
        const url = new URL(address instanceof Request ? address.url : address)
        return fetch(url.host === 'storage.example' ? `${other.origin}${url.pathname}` : url, init)
      },
    }
    await open(elsewhere).download('x', { to: `${file}2`, onProgress })
    expect(await readFile(`${file}2`)).toEqual(data)
    expect(other.received.map(({ headers }) => headers.range !== undefined)).toEqual([false, true])
    expect(JSON.stringify(other.received)).not.toContain(key)
  } finally {
    await other.close()
  }
})

test('a dataset that is packed twice, or with zstd, is not unpacked', async () => {
  for (const coding of ['gzip, gzip', 'zstd']) {
    service.script = (_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end('packed')
      return 'answered'
    }
    const error = await failureOf(open().download('x', { to: file, onProgress }))
    expect(error).toMatchObject({ name: 'Unintelligible' })
    expect(error.message).toContain('an encoding that Bluepencil did not ask for')
  }
})

test('JSON that is the data is not taken for a link', async () => {
  const rows = { url: 'https://x.example/', rows: [1, 2] }
  service.script = (_, response) => {
    json(response, 200, rows)
    return 'answered'
  }
  await open().download('x', { to: file, onProgress })
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(rows)
})

test.each([
  { to: 'ftp://127.0.0.1/x', says: 'did not follow' },
  { to: 'http://service.example/x', says: 'service.example by http. Bluepencil did not follow' },
  { to: 'http://[', says: 'an invalid address' },
  { to: '/v1/again', says: 'and never reached the data' },
])('a redirect to $to ends the download', async ({ to, says }) => {
  service.script = (_, response) => {
    response.writeHead(302, { location: to }).end()
    return 'answered'
  }
  const error = await failureOf(open().download('x', { to: file, onProgress }))
  expect(error).toMatchObject({ name: 'Unintelligible' })
  expect(error.message).toContain(says)
})

test('a dataset that is not there is not found, and leaves no file', async () => {
  expect(await failureOf(open().download('x', { to: file, onProgress }))).toMatchObject({ name: 'NotFound' })
  expect(await readdir(folder)).toEqual([])
})

test.each(['206 unasked', '416 unasked'])('%s is no dataset', async (what) => {
  service.script = (_, response) => {
    response.writeHead(Number(what.slice(0, 3)), { 'content-range': 'bytes 5-9/10' }).end('abcde')
    return 'answered'
  }
  expect(await failureOf(open().download('x', { to: file, onProgress }))).toMatchObject({
    name: 'Unintelligible',
  })
})
