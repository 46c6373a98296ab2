import type { ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { inspect } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGzip } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MonitorClient } from '../../../src/service/client/client.ts'
import {
  json,
  type ScriptedService,
  startScriptedService,
} from '../../unit/service/client/scripted-service.ts'

const key = 'key-1234567890'
const megabyte = 1024 * 1024
let service: ScriptedService
/** Sees what comes to another host. */
let witness: ScriptedService

beforeEach(async () => {
  service = await startScriptedService()
  witness = await startScriptedService()
})
afterEach(async () => {
  const there = inspect(witness.received, { depth: 5 })
  await Promise.all([service.close(), witness.close()])
  if (there.includes(key)) throw new Error(`the key came to another host: ${there}`)
})

function open(baseUrl = service.baseUrl, timeoutMs = 5_000) {
  return new MonitorClient({ baseUrl, apiKey: key, timeoutMs, tries: 1 })
}

function answerWith(respond: (response: ServerResponse) => unknown): void {
  service.script = (_, response) => {
    respond(response)
    return 'answered'
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** The same hostility towards each kind of answer. */
async function failures(
  client: MonitorClient,
  beforeEachCall = () => {},
): Promise<{ name: string; message: string }> {
  const list = async (records: AsyncIterable<unknown>) => {
    for await (const _ of records);
  }
  const calls = [
    () => client.metrics('claude'),
    () => client.history('claude', {}),
    () => client.compare(['claude']),
    () => client.bias('claude'),
    () => list(client.publications()),
    () => list(client.datasets()),
    () => client.listWebhooks(),
    () => client.getWebhook('wh_1'),
    () => client.createWebhook({ url: 'https://desk.example/', events: [], models: [] }),
  ]
  const errors: Error[] = []
  for (const call of calls) {
    beforeEachCall()
    const error: unknown = await call().then(
      () => new Error('it was believed'),
      (reason: unknown) => reason,
    )
    if (!(error instanceof Error)) throw error
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(key)
    errors.push(error)
  }
  return {
    name: [...new Set(errors.map((error) => error.name))].join(' and '),
    message: errors[0]?.message ?? '',
  }
}

/** And what memory it took at the most. What earlier calls and files left behind is collected before, and is no part of it. */
async function measuredFailures(client: MonitorClient) {
  collectGarbage()
  const before = process.memoryUsage().rss
  let highest = before
  const measure = () => {
    highest = Math.max(highest, process.memoryUsage().rss)
  }
  const measuring = setInterval(measure, 5)
  try {
    const failed = await failures(client, collectGarbage)
    measure()
    return { ...failed, grownMb: Math.round((highest - before) / megabyte) }
  } finally {
    clearInterval(measuring)
  }
}

/** Sends as fast as it is read, so many bytes. */
function flood(
  response: NodeJS.WritableStream & { destroyed?: boolean },
  bytes: number,
  piece: Buffer,
): void {
  let left = bytes
  const write = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= piece.length
      if (!response.write(piece)) return void response.once('drain', write)
    }
    response.end()
  }
  write()
}

test.each<{ what: string; respond: (response: ServerResponse) => unknown; name: string; says: string }>([
  {
    what: 'HTML',
    respond: (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in'),
    name: 'Unintelligible',
    says: 'a page of HTML',
  },
  {
    what: 'truncated JSON',
    respond: (response) => response.end('{"data":[{"id":"wh_1"'),
    name: 'Unintelligible',
    says: 'characters that are not JSON',
  },
  {
    what: 'a number',
    respond: (response) => response.end('7'),
    name: 'Unintelligible',
    says: 'answered 200 with',
  },
  {
    what: 'nothing',
    respond: (response) => response.end(),
    name: 'Unintelligible',
    says: 'answered 200 with',
  },
  {
    what: 'bytes that are no text',
    respond: (response) => response.end(Buffer.from([0xff, 0xfe, 0x00, 0x80])),
    name: 'Unintelligible',
    says: 'not JSON',
  },
  {
    what: 'other JSON',
    respond: (response) => json(response, 200, { hello: { world: [1] } }),
    name: 'Unintelligible',
    says: 'answered 200 with',
  },
  {
    what: 'a redirect to another host',
    respond: (response) => response.writeHead(301, { location: `${witness.baseUrl}/webhooks` }).end(),
    name: 'Unintelligible',
    says: 'a redirect to 127.0.0.1',
  },
  {
    what: 'a redirect in a circle',
    respond: (response) => response.writeHead(302, { location: '' }).end(),
    name: 'Unintelligible',
    says: 'a redirect',
  },
  {
    what: 'a connection that is reset',
    respond: (response) => response.socket?.resetAndDestroy(),
    name: 'Unreachable',
    says: 'failed (E',
  },
  {
    what: 'a reset in the middle',
    respond: (response) =>
      response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
    name: 'Unreachable',
    says: 'failed (',
  },
])('$what is $name', async ({ respond, name, says }) => {
  answerWith(respond)
  const told = await failures(open())
  expect(told.name).toBe(name)
  expect(told.message).toContain(says)
  expect(witness.received).toEqual([])
})

test('a next page on another host is not asked for', async () => {
  answerWith((response) => json(response, 200, { data: [], next: `${witness.baseUrl}/webhooks?page=2` }))
  await expect(open().listWebhooks()).rejects.toMatchObject({ name: 'Unintelligible' })
  expect(witness.received).toEqual([])
})

test('a download is not led to another port of this machine', async () => {
  answerWith((response) => response.writeHead(302, { location: `${witness.origin}/data.csv` }).end())
  const out = new PassThrough().resume()
  await expect(open().download('x', { to: out })).rejects.toMatchObject({ name: 'Unintelligible' })
  expect(witness.received).toEqual([])
})

test('wrong types in the right places are unintelligible, or absent', async () => {
  answerWith((response) => json(response, 200, { data: [{ id: { deep: true }, model: 7, points: 'none' }] }))
  expect((await failures(open())).name).toBe('Unintelligible')
})

test('a body of 1 GB is not read, and memory stays bounded', { timeout: 90_000 }, async () => {
  let closed = 0
  answerWith((response) => {
    response.on('close', () => {
      closed += 1
    })
    flood(response, 1024 * megabyte, Buffer.alloc(65_536, ' '))
  })
  const { name, message, grownMb } = await measuredFailures(open())
  expect(name).toBe('Unintelligible')
  expect(message).toContain('more than 5 MB')
  expect(grownMb).toBeLessThan(150)
  await expect.poll(() => closed).toBe(9)
})

test.each([
  ['that are wrong', 249_000, 'unexpected JSON'],
  ['that are too many', 600_000, 'more than 500,000 values'],
])('a list of rows %s takes little memory', async (_, rows, says) => {
  const body = `[${'{},'.repeat(rows)}{}]`
  answerWith((response) => response.writeHead(200, { 'content-type': 'application/json' }).end(body))
  const before = process.memoryUsage().rss
  await expect(open().listWebhooks()).rejects.toMatchObject({
    name: 'Unintelligible',
    message: expect.stringContaining(says),
  })
  expect((process.memoryUsage().rss - before) / megabyte).toBeLessThan(200)
})

test('so is 1 GB in an error, and a gigabyte packed into a megabyte', { timeout: 90_000 }, async () => {
  answerWith((response) => flood(response.writeHead(500), 1024 * megabyte, Buffer.alloc(65_536, 'x')))
  expect(await failures(open())).toMatchObject({ name: 'ServiceFailed' })
  answerWith((response) => {
    const gzip = createGzip({ level: 9 })
    gzip.on('error', () => undefined)
    response.on('close', () => gzip.destroy())
    response.writeHead(200, { 'content-encoding': 'gzip' })
    gzip.pipe(response)
    flood(gzip, 1024 * megabyte, Buffer.alloc(65_536, ' '))
  })
  const { name, grownMb } = await measuredFailures(open())
  expect(name).toBe('Unintelligible')
  expect(grownMb).toBeLessThan(150)
})

test('a slow drip ends with the time of one try', async () => {
  answerWith((response) => {
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(drip))
  })
  expect(await failures(open(service.baseUrl, 80))).toMatchObject({ name: 'Unreachable' })
})

test('deep JSON is read or refused, and ends nothing', async () => {
  answerWith((response) => response.end('['.repeat(100_000) + ']'.repeat(100_000)))
  expect((await failures(open())).name).toBe('Unintelligible')
})

test.each([
  {
    what: 'a flood of headers',
    bytes: `HTTP/1.1 200 OK\r\n${`x-${'a'.repeat(90)}: b\r\n`.repeat(2_000)}\r\n{}`,
  },
  { what: 'a header without end', bytes: `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(500_000)}` },
  { what: 'less than its Content-Length', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 90\r\n\r\n{"data":[]}' },
  { what: 'two lengths', bytes: 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 90\r\n\r\n{}' },
  {
    what: 'chunks that are none',
    bytes: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n{}\r\n',
  },
  {
    what: 'gzip that is none',
    bytes: 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}',
  },
  { what: 'not HTTP', bytes: '220 mail.example ESMTP\r\n' },
  { what: 'nothing', bytes: '' },
])('$what is unreachable', async ({ bytes }) => {
  const sockets = new Set<Socket>()
  const raw: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(bytes))
  })
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve))
  const address = raw.address()
  const port = typeof address === 'object' ? address?.port : undefined
  try {
    const { name, grownMb } = await measuredFailures(open(`http://127.0.0.1:${port}/v1`))
    expect(name).toBe('Unreachable')
    expect(grownMb).toBeLessThan(100)
  } finally {
    for (const socket of sockets) socket.destroy()
    raw.close()
  }
})
