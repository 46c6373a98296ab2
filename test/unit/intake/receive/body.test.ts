import { expect, test, vi } from 'vitest'
import { delivery, error, head, open, post, sign, startEndpoint } from './endpoint.ts'

test('a body that is announced as larger than 256 KiB answers 413', async () => {
  const { port, taken, reports } = await startEndpoint()
  const body = delivery.padEnd(256 * 1024 + 1)
  const reply = await post(port, body)
  expect(reply).toMatchObject({
    status: 413,
    body: error('BODY_TOO_LARGE'),
    headers: { connection: 'close' },
  })
  expect(taken).toEqual([])
  expect(reports).toEqual([{ outcome: 'too_large', milliseconds: 0 }])
})

const tenMegabytes = 10_000_000
test.each([
  ['413, with its length', 413, { 'X-Service-Signature': 'x', 'Content-Length': tenMegabytes }],
  ['413, in chunks', 413, { 'X-Service-Signature': 'x', 'Transfer-Encoding': 'chunked' }],
  ['401, with its length', 401, { 'Content-Length': tenMegabytes }],
  ['401, in chunks', 401, { 'Transfer-Encoding': 'chunked' }],
])('a body of 10 MB still gets its answer: %s', async (_what, status, headers) => {
  const { port } = await startEndpoint()
  const { socket, received } = await open(port)
  const reset = vi.fn<(error: Error) => void>()
  socket.on('error', reset)
  const chunked = 'Transfer-Encoding' in headers
  socket.write(head(headers))
  if (chunked) socket.write(`${tenMegabytes.toString(16)}\r\n`)
  socket.write(Buffer.alloc(tenMegabytes, 'x'))
  socket.end(chunked ? '\r\n0\r\n\r\n' : '')
  const answer = await received
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(answer).toMatch(/\r\nConnection: close\r\n/)
  expect(answer.match(/^HTTP/gm)).toHaveLength(1)
  expect(() => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).not.toThrow()
  expect(reset).not.toHaveBeenCalled()
})

test('a body that is not here within 10 s answers 408, however it drips, and its connection ends 5 s later', async () => {
  const { port, clock, taken, reports } = await startEndpoint()
  const { socket, received } = await open(port)
  const answered = new Promise((resolve) => socket.once('data', (data) => resolve(data.toString())))
  socket.write(head({ 'X-Service-Signature': sign(delivery), 'Content-Length': delivery.length }))
  await vi.waitUntil(() => clock.sleeping() === 1)
  for (const character of delivery.slice(0, 9)) {
    socket.write(character)
    await clock.advance(1000)
  }
  expect(reports).toEqual([])
  await clock.advance(999)
  expect(reports).toEqual([])
  await clock.advance(1)
  expect(await answered).toMatch(/^HTTP\/1\.1 408 .*"BODY_TOO_SLOW"/s)
  expect(reports).toEqual([{ outcome: 'too_slow', milliseconds: 10_000 }])
  await vi.waitUntil(() => clock.sleeping() === 1)
  await clock.advance(5000)
  expect(await received).toMatch(/\r\nConnection: close\r\n/)
  expect(taken).toEqual([])
})

test('a sender who stops in the middle is answered 400', async () => {
  const { port, taken, reports } = await startEndpoint()
  const { socket, received } = await open(port)
  socket.end(head({ 'X-Service-Signature': sign(delivery), 'Content-Length': 1000 }) + delivery)
  expect(await received).toMatch(/^HTTP\/1\.1 400 /)
  await vi.waitUntil(() => reports.length === 1)
  expect(reports).toMatchObject([{ outcome: 'broken', error: expect.any(Error) }])
  expect(taken).toEqual([])
})

test('a sender who is gone does no harm to the next', async () => {
  const { port, clock, reports } = await startEndpoint()
  const { socket } = await open(port)
  socket.write(head({ 'X-Service-Signature': sign(delivery), 'Content-Length': 1000 }))
  await vi.waitUntil(() => clock.sleeping() === 1)
  socket.resetAndDestroy()
  await vi.waitUntil(() => reports.length === 1)
  expect(reports).toMatchObject([{ outcome: 'broken' }])
  await vi.waitUntil(() => clock.sleeping() === 0)
  expect((await post(port, delivery)).status).toBe(202)
})
