import { readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { sign } from '../../support/fakes/signed.ts'
import { type Desk, delivery, openDesk } from './desk.ts'

/** One service for all that is over at once. */
let shared: Desk
let closeShared = async (): Promise<void> => {}
beforeAll(async () => {
  shared = await openDesk(undefined, (close) => {
    closeShared = close
  })
})
afterAll(() => closeShared())

let numbered = 0
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

/** Milliseconds that a true delivery takes on a connection of its own. */
async function trueDelivery(desk: Desk): Promise<number> {
  const began = performance.now()
  const answer = await desk.post(delivery(`evt_true_${numbered++}`))
  expect(answer.status).toBe(202)
  return performance.now() - began
}

function openFiles(desk: Desk): number {
  return readdirSync(`/proc/${desk.serving.pid}/fd`).length
}

/** Bytes of memory that the process holds. */
function memory(desk: Desk): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${desk.serving.pid}/status`, 'utf8'))?.[1]) * 1024
}

function warnings(desk: Desk): unknown[] {
  return desk.serving.log().filter(({ level }) => level !== 'info')
}

async function many(desk: Desk, count: number, bytes: string): Promise<Socket[]> {
  const opened: Socket[] = []
  for (let index = 0; index < count; index += 1) {
    const socket = await desk.connect()
    socket.resume()
    if (bytes !== '') socket.write(bytes)
    opened.push(socket)
  }
  sockets.push(...opened)
  return opened
}

function isClosed(socket: Socket): boolean {
  return socket.readableEnded || socket.destroyed
}

const post = 'POST /webhook HTTP/1.1\r\nHost: desk\r\n'
const forged = `X-Service-Signature: ${'0'.repeat(64)}\r\n`

/** Ways to hold a connection open. */
const stalling = {
  'says nothing': '',
  'never ends its headers': `${post}X-Drip: `,
  'never ends its body': `${post}${forged}Content-Length: 262144\r\n\r\n{`,
  'never ends its chunks, unsigned': `${post}Transfer-Encoding: chunked\r\n\r\n5\r\nhello`,
  'waits for 100 Continue': `${post}${forged}Expect: 100-continue\r\nContent-Length: 9\r\n\r\n`,
}

describe('true deliveries pass within a second', () => {
  test('beside 500 connections that stall in every way, which are closed within 20 s and leave nothing behind', {
    timeout: 60_000,
  }, async () => {
    const desk = await openDesk()
    await trueDelivery(desk)
    const before = { files: openFiles(desk), memory: memory(desk) }
    const opened: Socket[] = []
    for (const bytes of Object.values(stalling)) opened.push(...(await many(desk, 100, bytes)))
    const dripping = await many(desk, 20, post)
    const drip = setInterval(() => {
      for (const socket of dripping.filter(({ writable }) => writable)) socket.write('X-Drip: 1\r\n')
    }, 1_000)

    for (let index = 0; index < 5; index += 1) expect(await trueDelivery(desk)).toBeLessThan(1_000)
    await vi.waitUntil(() => openFiles(desk) <= before.files + 2, { timeout: 20_000, interval: 100 })
    clearInterval(drip)
    await vi.waitUntil(() => [...opened, ...dripping].every(isClosed))
    expect(memory(desk) - before.memory).toBeLessThan(80 * 1024 * 1024)
    expect(await trueDelivery(desk)).toBeLessThan(1_000)
  })

  test('beside more connections than there may be: those that were open the longest are closed', async () => {
    const desk = await openDesk()
    const [oldest] = await many(desk, 1, stalling['never ends its body'])
    await many(desk, 1_500, stalling['never ends its body'])
    expect(openFiles(desk)).toBeLessThan(1_100)
    expect(await trueDelivery(desk)).toBeLessThan(1_000)
    await vi.waitUntil(() => oldest !== undefined && isClosed(oldest))
  })
})

const body = delivery('evt_wire')
const signed = `X-Service-Signature: ${sign(body)}\r\n`
const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`
const hex = Buffer.byteLength(body).toString(16)
const chunked = `Transfer-Encoding: chunked\r\n`
const chunks = `${hex}\r\n${body}\r\n0\r\n\r\n`

describe('a request that two readers could read in two ways is refused, and nothing of it is taken', () => {
  test.each([
    ['with a length and chunks', `${post}${signed}${length}${chunked}\r\n${chunks}`],
    ['with chunks and a length', `${post}${signed}${chunked}${length}\r\n${chunks}`],
    ['with two lengths', `${post}${signed}${length}Content-Length: 0\r\n\r\n${body}`],
    ['with two lengths in one', `${post}${signed}Content-Length: ${body.length}, 0\r\n\r\n${body}`],
    ['with a signed length', `${post}${signed}Content-Length: +${body.length}\r\n\r\n${body}`],
    ['with a negative length', `${post}${signed}Content-Length: -1\r\n\r\n${body}`],
    ['with a length beyond counting', `${post}${signed}Content-Length: ${'9'.repeat(30)}\r\n\r\n${body}`],
    ['with chunks in chunks', `${post}${signed}Transfer-Encoding: chunked, chunked\r\n\r\n${chunks}`],
    ['with an unknown encoding', `${post}${signed}Transfer-Encoding: xchunked\r\n\r\n${chunks}`],
    ['with a blank before the colon', `${post}${signed}Transfer-Encoding : chunked\r\n\r\n${chunks}`],
    ['with a folded header', `${post}X-Folded: a\r\n b\r\n${signed}${length}\r\n${body}`],
    ['with lines that end in a line feed', `${`${post}${signed}${length}\r\n`.replaceAll('\r', '')}${body}`],
    ['with a chunk of bad size', `${post}${signed}${chunked}\r\n0x${hex}\r\n${body}\r\n0\r\n\r\n`],
    ['with a chunk of endless size', `${post}${signed}${chunked}\r\n${'f'.repeat(40)}\r\n${body}`],
    ['with a chunk longer than said', `${post}${signed}${chunked}\r\n${hex}\r\n${body}x\r\n0\r\n\r\n`],
    ['with a zero byte in a header', `${post}X-Zero: \u0000\r\n${signed}${length}\r\n${body}`],
    ['without a host', `POST /webhook HTTP/1.1\r\n${signed}${length}\r\n${body}`],
    ['of another protocol', `POST /webhook HTTP/3.7\r\nHost: desk\r\n${signed}${length}\r\n${body}`],
    ['of no protocol', `${'\u0016\u0003\u0001'.repeat(20)}\r\n\r\n`],
    ['with 32 KiB of headers', `${post}X-Long: ${'x'.repeat(32_768)}\r\n${signed}${length}\r\n${body}`],
    ['with 5,000 headers', `${post}${'X-A: 1\r\n'.repeat(5_000)}${signed}${length}\r\n${body}`],
    ['of a long address', `POST /${'w'.repeat(32_768)} HTTP/1.1\r\nHost: desk\r\n\r\n`],
  ])('%s', async (_, bytes) => {
    const accepted = await shared.metric('bluepencil_deliveries_received_total{outcome="accepted"}')
    const answer = await shared.raw(bytes)
    expect(answer).toMatch(/^HTTP\/1\.1 4(?:00|31) /)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(answer).toMatch(/\r\nConnection: close\r\n/i)
    expect(await shared.metric('bluepencil_deliveries_received_total{outcome="accepted"}')).toBe(accepted)
  })
})

describe('a request that is unusual', () => {
  const unusual = (id: string) => {
    const one = delivery(id)
    return { one, head: `X-Service-Signature: ${sign(one)}\r\nContent-Length: ${Buffer.byteLength(one)}\r\n` }
  }

  test('of HTTP/1.0 is answered, and its connection ends', async () => {
    const { one, head } = unusual('evt_http10')
    expect(await shared.raw(`POST /webhook HTTP/1.0\r\n${head}\r\n${one}`)).toMatch(/^HTTP\/1\.1 202 /)
  })

  test('and followed by others without waiting is answered in order, each once', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => `evt_pipelined_${index}`)
    const requests = ids.map((id, index) => {
      const { one, head } = unusual(id)
      return `${post}${head}${index === 49 ? 'Connection: close\r\n' : ''}\r\n${one}`
    })
    const answer = await shared.raw(requests.join(''))
    expect(Array.from(answer.matchAll(/"id":"(evt_\w+)"/g), ([, id]) => id)).toEqual(ids)
    expect(answer.match(/HTTP\/1\.1 202 /g)).toHaveLength(50)
  })

  test.each([
    '/../webhook/x',
    '/webhook%00',
    '/%2e%2e/webhook',
    '/webhook;x',
    '/webhook/../../etc/passwd',
    '//evil.example/webhook',
    '/%',
    '/%ff',
    '/webhook%',
    '/__proto__',
    '/constructor',
    '*',
    '/metrics/..%2f',
    '/webhook#x',
  ])('to %s finds nothing, and the log says nothing of it', async (path) => {
    const lines = warnings(shared)
    const answer = await shared.raw(`GET ${path} HTTP/1.1\r\nHost: desk\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 4(?:00|04) /)
    expect(answer).not.toMatch(/node_modules|\.ts:|^\s*at /m)
    expect(warnings(shared)).toEqual(lines)
  })

  test.each([
    'http://evil.example/webhook',
    'http://169.254.169.254/webhook',
    '/webhook?x=http://evil.example',
  ])('to %s is a delivery like any other: the signature decides', async (target) => {
    const request = (head: string) =>
      shared.raw(`POST ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n${head}\r\n`)
    expect(await request('Content-Length: 0\r\n')).toMatch(/^HTTP\/1\.1 401 /)
  })

  test.each([
    'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n',
    'TRACE /webhook HTTP/1.1\r\nHost: desk\r\nCookie: a\r\nConnection: close\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: desk\r\nUpgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n',
    'GET /healthz HTTP/1.1\r\nHost: desk\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nConnection: Upgrade, HTTP2-Settings, close\r\n\r\n',
  ])('%j goes nowhere and echoes nothing', async (bytes) => {
    const answer = await shared.raw(bytes)
    expect(answer).not.toMatch(/^HTTP\/1\.1 (?:101|200 Connection)|Cookie/i)
    expect(await trueDelivery(shared)).toBeLessThan(1_000)
  })
})

test('a client that sends thousands of requests ahead of their answers is cut off, before they fill the memory', async () => {
  const desk = await openDesk()
  await trueDelivery(desk)
  const before = memory(desk)
  const [socket] = await many(desk, 1, 'GET /metrics HTTP/1.1\r\nHost: desk\r\n\r\n'.repeat(10_000))
  await vi.waitUntil(() => socket !== undefined && isClosed(socket), { timeout: 10_000 })
  for (let count = 0; count < 20; count += 1) expect(await trueDelivery(desk)).toBeLessThan(1_000)
  expect(memory(desk) - before).toBeLessThan(60 * 1024 * 1024)
})

test('a stop is not held up by those who say nothing', { timeout: 40_000 }, async () => {
  const desk = await openDesk()
  await many(desk, 20, '')
  await many(desk, 20, `${post}${forged}Content-Length: 9\r\n\r\n{`)
  desk.serving.kill('SIGTERM')
  const began = performance.now()
  expect(await desk.serving.ended).toBe(0)
  expect(performance.now() - began).toBeLessThan(10_000)
})
