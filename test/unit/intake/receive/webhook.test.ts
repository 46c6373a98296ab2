import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { verify } from '../../../../src/intake/receive/signature.ts'
import type { WebhookOptions } from '../../../../src/intake/receive/webhook.ts'
import { StoreUnavailable } from '../../../../src/store/store.ts'
import { runs } from '../../../support/runs.ts'
import { delivery, error, head, open, post, secret, sign, startEndpoint } from './endpoint.ts'

describe('a signed delivery', () => {
  test('answers 202 with its id, and is taken as it was read', async () => {
    const { port, taken, reports } = await startEndpoint()
    const reply = await post(port, delivery)
    expect(reply).toMatchObject({ status: 202, body: { status: 'accepted', id: 'evt_8c1' } })
    expect(taken).toMatchObject([
      {
        id: 'evt_8c1',
        delta: 12,
        source: 'webhook',
        receivedAt: '2026-11-21T15:05:09.000Z',
        unrecognised: [],
      },
    ])
    expect(reports).toEqual([{ outcome: 'accepted', eventId: 'evt_8c1', milliseconds: 0 }])
  })

  test('is kept with its signature, by which its body can be verified again', async () => {
    const { port, taken } = await startEndpoint()
    const headers = { 'Content-Type': 'application/json', 'User-Agent': 'monitor/1', 'X-Api-Key': 'no' }
    const signature = `sha256=${sign(delivery)}`
    await post(port, delivery, { ...headers, 'X-Service-Signature': signature })
    const [event] = taken
    expect(event?.evidence).toEqual({
      headers: {
        'content-type': 'application/json',
        'user-agent': 'monitor/1',
        'x-service-signature': signature,
      },
      form: { hash: 'sha256', encoding: 'hex', key: 'whole' },
      secret: createHash('sha256').update(secret).digest('hex').slice(0, 12),
    })
    const again = verify(
      Buffer.from(event?.body.text ?? ''),
      event?.evidence?.headers['x-service-signature'] ?? '',
      [secret],
      { remembered: () => undefined },
    )
    expect(again?.secret).toBe(secret)
  })

  test('answers 200 when it is repeated', async () => {
    const { port, taken, reports } = await startEndpoint()
    await post(port, delivery)
    expect(await post(port, delivery)).toMatchObject({
      status: 200,
      body: { status: 'duplicate', id: 'evt_8c1' },
    })
    expect(taken).toHaveLength(1)
    expect(reports.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate'])
  })

  test.each(['', 'not json', '[]', '{}', '\u0000'])('is taken also with the body %j', async (body) => {
    const { port, taken } = await startEndpoint()
    const reply = await post(port, body)
    expect(reply).toMatchObject({ status: 202, body: { id: expect.stringMatching(/^body_[\da-f]{64}$/) } })
    expect(taken[0]?.body).toEqual({ encoding: 'utf8', text: body })
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'nonsense', ''])(
    'is read with any content type: %j',
    async (type) => {
      const { port } = await startEndpoint()
      const headers = { 'X-Service-Signature': sign(delivery), 'Content-Type': type }
      expect((await post(port, delivery, headers)).status).toBe(202)
    },
  )

  test('that says it is compressed is verified and kept as it was sent', async () => {
    const { port, taken } = await startEndpoint()
    const body = gzipSync(delivery)
    const headers = { 'X-Service-Signature': sign(body), 'Content-Encoding': 'gzip' }
    expect((await post(port, body, headers)).status).toBe(202)
    expect(taken[0]?.body).toEqual({ encoding: 'base64', text: body.toString('base64') })
  })

  test('of exactly 256 KiB is taken, in chunks too', async () => {
    const { port } = await startEndpoint()
    const body = delivery.padEnd(256 * 1024)
    const signature = { 'X-Service-Signature': sign(body) }
    expect((await post(port, body, signature)).status).toBe(202)
    expect((await post(port, body, { ...signature, 'Transfer-Encoding': 'chunked' })).status).toBe(200)
  })

  test('may sign with any of several headers', async () => {
    const { port } = await startEndpoint()
    const headers = { 'X-Service-Signature': [sign(delivery, {}, 'whsec_old'), `v1=${sign(delivery)}`] }
    expect((await post(port, delivery, headers)).status).toBe(202)
  })

  test('may sign with any secret that is valid', async () => {
    const next = 'whsec_dGhlIG5leHQgc2VjcmV0IG9mIGl0'
    const { port, remembered } = await startEndpoint({ secrets: () => [secret, next] })
    expect((await post(port, delivery)).status).toBe(202)
    const headers = { 'X-Service-Signature': sign(delivery, { hash: 'sha512' }, next) }
    expect((await post(port, delivery, headers)).status).toBe(200)
    expect(Object.fromEntries(remembered)).toEqual({
      [secret]: { hash: 'sha256', encoding: 'hex', key: 'whole' },
      [next]: { hash: 'sha512', encoding: 'hex', key: 'whole' },
    })
  })

  test('is remembered by its form once, and again when the form changes', async () => {
    const remember = vi.fn<WebhookOptions['remember']>()
    const form = { hash: 'sha256', encoding: 'hex', key: 'whole' } as const
    const { port } = await startEndpoint({ remember, remembered: () => form })
    await post(port, delivery)
    expect(remember).not.toHaveBeenCalled()
    await post(port, delivery, { 'X-Service-Signature': sign(delivery, { key: 'base64-decoded' }) })
    expect(remember.mock.calls).toEqual([[secret, { ...form, key: 'base64-decoded' }]])
  })

  test('leaves its connection open for the next', async () => {
    const { port } = await startEndpoint()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set()
    for (const header of [sign(delivery), sign('another body'), sign(delivery)]) {
      const headers = { 'X-Service-Signature': header }
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        path: '/webhook',
        method: 'POST',
        headers,
        agent,
      })
      request.end(delivery)
      const [response] = await once(request, 'response')
      sockets.add(request.socket)
      response.resume()
      await once(response, 'end')
    }
    agent.destroy()
    expect(sockets.size).toBe(1)
  })

  test('that waits for 100 Continue gets it', async () => {
    const { port } = await startEndpoint()
    const { socket, received } = await open(port)
    const signature = { 'X-Service-Signature': sign(delivery), Connection: 'close' }
    socket.write(head({ ...signature, Expect: '100-continue', 'Content-Length': delivery.length }))
    const answers = received.then((text) => text.match(/^HTTP\/1\.1 \d+/gm))
    await once(socket, 'readable')
    socket.write(delivery)
    expect(await answers).toEqual(['HTTP/1.1 100', 'HTTP/1.1 202'])
  })
})

describe('a delivery that is not believed', () => {
  test.each([
    {},
    { 'X-Service-Signature': '' },
    { 'X-Service-Signature': '  ' },
    { 'X-Signature': sign(delivery) },
  ])('without a signature answers 401: %j', async (headers) => {
    const { port, taken, reports } = await startEndpoint()
    expect(await post(port, delivery, headers)).toMatchObject({
      status: 401,
      body: error('SIGNATURE_MISSING'),
    })
    expect(taken).toEqual([])
    expect(reports).toEqual([{ outcome: 'unsigned', milliseconds: 0 }])
  })

  test('without a signature is answered before its body is sent', async () => {
    const { port } = await startEndpoint()
    const { socket } = await open(port)
    const answer = new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())))
    socket.write(head({ 'Content-Length': 1000 }))
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /)
  })

  test.each([
    ['altered', delivery.replace('+12pp', '+92pp'), sign(delivery)],
    ['truncated', delivery.slice(0, -1), sign(delivery)],
    ['signed with another secret', delivery, sign(delivery, {}, 'whsec_another')],
    ['signed with garbage', delivery, 'garbage'],
  ])('%s answers 401', async (_what, body, signature) => {
    const { port, taken, reports, remembered } = await startEndpoint()
    const reply = await post(port, body, { 'X-Service-Signature': signature })
    expect(reply).toMatchObject({ status: 401, body: error('SIGNATURE_INVALID') })
    expect(JSON.stringify(reply)).not.toContain(secret.slice(6))
    expect(taken).toEqual([])
    expect(remembered.size).toBe(0)
    expect(reports).toEqual([{ outcome: 'forged', milliseconds: 0 }])
  })

  test('is answered 401 for a change of any byte of its body or signature', async () => {
    const { port, taken } = await startEndpoint()
    const change = fc.record({ at: fc.nat(), bits: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(
      fc.asyncProperty(change, async ({ at, bits }) => {
        const body = Buffer.from(delivery)
        body.writeUInt8(body.readUInt8(at % body.length) ^ bits, at % body.length)
        expect((await post(port, body, { 'X-Service-Signature': sign(delivery) })).status).toBe(401)
        const digest = Buffer.from(sign(delivery), 'hex')
        digest.writeUInt8(digest.readUInt8(at % digest.length) ^ bits, at % digest.length)
        expect((await post(port, delivery, { 'X-Service-Signature': digest.toString('hex') })).status).toBe(
          401,
        )
      }),
      runs(),
    )
    expect(taken).toEqual([])
  })

  test('is not parsed', async () => {
    const { port } = await startEndpoint()
    const parse = vi.spyOn(JSON, 'parse')
    onTestFinished(() => {
      parse.mockRestore()
    })
    for (const [status, signed, parsed] of [
      [401, `${delivery} `, 0],
      [202, delivery, 1],
    ] as const) {
      const { socket, received } = await open(port)
      const signature = { 'X-Service-Signature': sign(signed), Connection: 'close' }
      socket.write(head({ ...signature, 'Content-Length': delivery.length }) + delivery)
      expect(await received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
      expect(parse).toHaveBeenCalledTimes(parsed)
    }
  })
})

describe('a delivery that cannot be taken now', () => {
  test('answers 503 and when to try again if the store is unavailable', async () => {
    const cause = new StoreUnavailable('the disk is full')
    const { port, reports } = await startEndpoint({ accept: () => Promise.reject(cause) })
    const reply = await post(port, delivery)
    expect(reply).toMatchObject({ status: 503, body: error('NOT_STORED'), headers: { 'retry-after': '5' } })
    expect(JSON.stringify(reply)).not.toContain('disk')
    expect(reports).toEqual([{ outcome: 'not_stored', eventId: 'evt_8c1', milliseconds: 0, error: cause }])
  })

  test('answers 503 and when to try again if there is no secret yet', async () => {
    const secrets: string[] = []
    const { port, taken, reports } = await startEndpoint({ secrets: () => secrets })
    const reply = await post(port, delivery)
    expect(reply).toMatchObject({ status: 503, body: error('NO_SECRET'), headers: { 'retry-after': '5' } })
    expect(reports).toEqual([{ outcome: 'no_secret', milliseconds: 0 }])
    expect(taken).toEqual([])
    secrets.push(secret)
    expect((await post(port, delivery)).status).toBe(202)
  })

  test('answers 500 for what nobody expected, and the next is taken', async () => {
    let calls = 0
    const cause = new TypeError('cannot read properties of undefined')
    const { port, reports } = await startEndpoint({
      accept: async () => {
        if (calls++ === 0) throw cause
        return 'new'
      },
    })
    const reply = await post(port, delivery)
    expect(reply).toMatchObject({ status: 500, body: error('INTERNAL'), headers: { 'retry-after': '5' } })
    expect(JSON.stringify(reply)).not.toContain('undefined')
    expect(reports).toEqual([{ outcome: 'failed', eventId: 'evt_8c1', milliseconds: 0, error: cause }])
    expect((await post(port, delivery)).status).toBe(202)
  })

  test('is not answered before it is on disk', async () => {
    const stored = Promise.withResolvers<'new'>()
    const taking = Promise.withResolvers<void>()
    const { port, clock, reports } = await startEndpoint({
      accept() {
        taking.resolve()
        return stored.promise
      },
    })
    const reply = post(port, delivery)
    await taking.promise
    await clock.advance(250)
    expect(reports).toEqual([])
    stored.resolve('new')
    expect((await reply).status).toBe(202)
    expect(reports).toMatchObject([{ outcome: 'accepted', milliseconds: 250 }])
  })
})

test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s answers 405 and says what is allowed',
  async (method) => {
    const { port, taken, reports } = await startEndpoint()
    const body = method === 'PUT' ? delivery : ''
    const reply = await post(port, body, { 'X-Service-Signature': sign(delivery) }, method)
    expect(reply).toMatchObject({
      status: 405,
      headers: { allow: 'POST' },
      body: method === 'HEAD' ? '' : error('METHOD_NOT_ALLOWED'),
    })
    expect([taken, reports]).toEqual([[], []])
  },
)
