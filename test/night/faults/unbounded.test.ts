import { execFile } from 'node:child_process'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { promisify } from 'node:util'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import { selected } from '../../system/faults/selection.ts'

const providers = ['discord bot', 'discord webhook', 'slack bot', 'slack webhook'] as const
const mb = 1024 * 1024
/** A process is about 100 MB when it has sent one message; half of a small container's 512 MB. */
const mostMemoryMB = 256
const large = Buffer.alloc(64 * mb)

const Told = z.object({ result: z.looseObject({ result: z.string() }), memoryMB: z.number() })

/** Each try is a process, and all load the same files. */
const compiled = new URL('../../../node_modules/.cache/compiled', import.meta.url).pathname

/** What a process makes of one try at that address, and the memory that it took. */
async function tryOnce(provider: string, address: string, timeoutMs = 10_000) {
  const script = new URL('send-once.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, provider, address, String(timeoutMs)],
    { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compiled } },
  )
  return Told.parse(JSON.parse(stdout))
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `http://127.0.0.1:${address.port}`
}

/** Answers each request so. */
async function answering(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createHttpServer((request, response) => {
    request.resume().on('end', () => answer(response))
    response.on('error', () => {})
  })
  onTestFinished(() => server.closeAllConnections())
  return await listening(server)
}

/** Says so on each connection, once the request has begun. */
async function saying(say: (socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>()
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
  })
  return await listening(
    createServer((socket) => {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
      socket.once('data', () => say(socket))
    }),
  )
}

/** Writes as fast as it is read, for ever. */
function pour(socket: Socket, text: string): void {
  const write = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', write)
  write()
}

/** 1.9 GB of zeros, which gzip makes 1.9 MB: one megabyte, packed once and repeated, and the checksum of them all. */
function bomb(): Buffer {
  const megabytes = 1_900
  const packed = deflateRawSync(Buffer.alloc(mb), { level: 9, finishFlush: constants.Z_FULL_FLUSH })
  const header = gzipSync('').subarray(0, 10)
  const end = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  end.writeUInt32LE(0x815e4544, 2)
  end.writeUInt32LE(megabytes * mb, 6)
  return Buffer.concat([header, ...Array.from({ length: megabytes }, () => packed), end])
}

const zeros = bomb()

const uncertainRetry = { result: 'retry', uncertain: true, why: expect.stringMatching(/\.$/) }
describe.each(providers)('an answer to the %s', (provider) => {
  test.each(selected(1, [200, 500]))(
    'of 1.9 GB in a small body with status %i is not read to its end',
    async (status) => {
      const address = await answering((response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        response.end(zeros)
      })
      const told = await tryOnce(provider, address)
      expect(told.result).toMatchObject(uncertainRetry)
      expect(told.memoryMB).toBeLessThan(mostMemoryMB)
    },
  )

  test.each(
    selected(1, [
      ['zstd, zstd, zstd', () => zstdCompressSync(zstdCompressSync(zstdCompressSync(large)))],
      ['zstd', () => zstdCompressSync(large)],
      ['gzip, gzip', () => gzipSync(gzipSync(large))],
      ['br', () => brotliCompressSync(large)],
      ['deflate', () => deflateSync(large)],
      ['gzip, br, deflate, gzip, br, deflate', () => gzipSync(large)],
    ] as const),
  )('of 64 MB that is packed by %s is not unpacked', async (coding, packed) => {
    const body = packed()
    const address = await answering((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding })
      response.end(body)
    })
    const told = await tryOnce(provider, address)
    expect(told.result).toMatchObject(uncertainRetry)
    expect(told.memoryMB).toBeLessThan(mostMemoryMB)
  })

  const dense = [
    ['objects', '{"ok":true,"x":[', '{},', '{}]}'],
    ['keys', '{', '"a":[],', '"b":1}'],
    ['brackets', '{"x":', '[', ''],
  ] as const
  test.each(selected(1, dense))(
    'of 16 MB that is nothing but %s is not parsed',
    async (_, first, then, last) => {
      const body = gzipSync(`${first}${then.repeat((15 * mb) / then.length)}${last}`)
      const address = await answering((response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        response.end(body)
      })
      const told = await tryOnce(provider, address)
      expect(told.result).toMatchObject(uncertainRetry)
      expect(told.memoryMB).toBeLessThan(mostMemoryMB)
    },
  )

  const endless = [
    ['a body that never ends', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n', 'ok '.repeat(1_000)],
    ['headers that never end', 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n'],
    ['one header that never ends', 'HTTP/1.1 200 OK\r\nx-long: ', 'and more '],
    ['a status line that never ends', 'HTTP/1.1 200 ', 'OK '],
    ['interim answers that never end', '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
    [
      'chunks of a byte that never end',
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n',
      '1\r\nx\r\n'.repeat(1_000),
    ],
    [
      'trailers that never end',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n',
      'x-more: and more\r\n',
    ],
    [
      'a chunk extension that never ends',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;',
      'and-more;'.repeat(100),
    ],
  ] as const
  test.each(selected(1, endless))('with %s ends in time, and takes no memory', async (_, first, then) => {
    const address = await saying((socket) => {
      socket.write(first)
      pour(socket, then.repeat(100))
    })
    const told = await tryOnce(provider, address, 2_000)
    expect(told.result).toMatchObject(uncertainRetry)
    expect(told.memoryMB).toBeLessThan(mostMemoryMB)
  })

  const dripping = [
    ['its body', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{'],
    ['its headers', 'HTTP/1.1 200 OK\r\nx-slow: '],
    ['the body of an error', 'HTTP/1.1 503 Busy\r\ncontent-type: application/json\r\n\r\n{'],
  ] as const
  test.each(selected(1, dripping))('that drips %s has a bounded time', async (_, first) => {
    const address = await saying((socket) => {
      socket.write(first)
      const drip = setInterval(() => socket.write('x'), 100)
      socket.on('close', () => clearInterval(drip))
    })
    expect((await tryOnce(provider, address, 1_000)).result).toMatchObject(uncertainRetry)
  })

  const lies = [
    ['more', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 4000000000\r\n\r\n{}'],
    ['less', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1\r\n\r\n{}'],
  ] as const
  test.each(selected(1, lies))('that promises %s bytes than come may have arrived', async (_, text) => {
    const address = await saying((socket) => socket.end(text))
    expect((await tryOnce(provider, address, 2_000)).result).toMatchObject(uncertainRetry)
  })
})

describe('an answer to a webhook channel takes no memory and a bounded time', () => {
  test.each([
    [200, { result: 'sent' }],
    [500, uncertainRetry],
  ])('of 1.9 GB in a small body with status %i', async (status, expected) => {
    const address = await answering((response) => {
      response.writeHead(status, { 'content-encoding': 'gzip' })
      response.end(zeros)
    })
    const told = await tryOnce('webhook', address)
    expect(told.result).toMatchObject(expected)
    expect(told.memoryMB).toBeLessThan(mostMemoryMB)
  })

  test.each([
    ['a body that never ends', 'HTTP/1.1 200 OK\r\n\r\n', 'ok '.repeat(1_000), { result: 'sent' }],
    ['headers that never end', 'HTTP/1.1 200 OK\r\n', 'x-more: and more\r\n', uncertainRetry],
    ['interim answers that never end', '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n', uncertainRetry],
  ])('with %s', async (_, first, then, expected) => {
    const address = await saying((socket) => {
      socket.write(first)
      pour(socket, then.repeat(100))
    })
    const told = await tryOnce('webhook', address, 2_000)
    expect(told.result).toMatchObject(expected)
    expect(told.memoryMB).toBeLessThan(mostMemoryMB)
  })
})

test.each([...providers, 'webhook'] as const)(
  'the %s obeys a wait that an endless answer asks for',
  async (provider) => {
    const address = await saying((socket) => {
      socket.write('HTTP/1.1 429 Slow down\r\nretry-after: 7\r\ncontent-type: application/json\r\n\r\n')
      pour(socket, ' '.repeat(10_000))
    })
    const told = await tryOnce(provider, address, 5_000)
    expect(told.result).toMatchObject({ result: 'retry', uncertain: false })
    // discord.js adds 50 ms.
    expect([7_000, 7_050]).toContain(told.result.afterMs)
  },
)

const replies = [
  ['a reply of lines without an end', '220-more\r\n'],
  ['a line without an end', 'more '],
  ['replies without an end', '250 more\r\n'],
  ['refusals without an end', '421 more\r\n'],
] as const
test.each(selected(1, replies))('a mail server that says %s takes no memory', async (_, text) => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    pour(socket, text.repeat(1_000))
  })
  const address = (await listening(server)).replace('http:', 'smtp:')
  const told = await tryOnce('email', address, 3_000)
  expect(told.result).toMatchObject({ result: 'retry', why: expect.stringMatching(/^The mail server/) })
  expect(told.memoryMB).toBeLessThan(mostMemoryMB)
})
