import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../support/fakes/signed.ts'
import { many, post, stalling, trueDelivery } from './connections.ts'
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

function warnings(desk: Desk): unknown[] {
  return desk.serving.log().filter(({ level }) => level !== 'info')
}

test('true deliveries pass within a second beside 50 connections that stall in every way', async () => {
  // What a machine that does other things too takes for a delivery with nothing beside it.
  const aloneMs = Math.max(await trueDelivery(shared), await trueDelivery(shared))
  for (const bytes of Object.values(stalling)) await many(shared, 10, bytes)
  for (let index = 0; index < 5; index += 1) {
    expect(await trueDelivery(shared)).toBeLessThan(1_000 + 5 * aloneMs)
  }
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
    const body = delivery(id)
    return {
      one: body,
      head: `X-Service-Signature: ${sign(body)}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`,
    }
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
