import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { startReceiver } from './receiver.ts'
import { start, startWithClock } from './started.ts'

const event = { type: 'censorship_spike', model: 'claude', category: 'political', delta: 12 }

test('a delivery has the documented body, content type and signature', async () => {
  const receiver = await startReceiver()
  const { sandbox, subscribe, attempts, untilAttempts } = await startWithClock()
  const { id, secret } = await subscribe(receiver.url)
  const fired = sandbox.fire(event)
  await untilAttempts(1)

  const [delivery] = receiver.received
  if (delivery === undefined) throw new Error('nothing arrived')
  expect(delivery.method).toBe('POST')
  expect(delivery.path).toBe('/webhook')
  expect(delivery.headers['content-type']).toBe('application/json')
  expect(delivery.headers['x-service-signature']).toBe(
    createHmac('sha256', secret).update(delivery.body).digest('hex'),
  )
  expect(JSON.parse(delivery.body.toString())).toEqual({
    id: expect.stringMatching(/^evt_[0-9a-f]{24}$/),
    type: 'censorship_spike',
    model: 'claude',
    data: { category: 'political', delta: '+12pp', detected_at: start },
    methodology: expect.stringMatching(/^https:\/\//),
  })
  expect(attempts).toEqual([
    {
      eventId: fired.id,
      subscription: id,
      attempt: 1,
      at: start,
      status: 204,
      answer: '',
      durationMs: 0,
      willRetryAt: null,
    },
  ])
})

test('a failed delivery is tried 12 times with growing delays, with the same bytes each time', async () => {
  const receiver = await startReceiver((response) => response.writeHead(503).end('later'))
  const { sandbox, clock, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire(event)
  for (let number = 1; number <= 12; number++) {
    await untilAttempts(number)
    const retryAt = attempts[number - 1]?.willRetryAt ?? null
    if (retryAt !== null) await clock.advance(Date.parse(retryAt) - clock.now())
  }
  await clock.advance(86_400_000)

  const times = attempts.map((attempt) => Date.parse(attempt.at))
  const delays = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000)
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  expect(attempts.map((attempt) => attempt.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  expect(attempts.at(-1)).toMatchObject({ status: 503, answer: 'later', willRetryAt: null })
  expect(receiver.received).toHaveLength(12)
  expect(new Set(receiver.received.map((delivery) => delivery.body.toString())).size).toBe(1)
  expect(new Set(receiver.received.map((delivery) => delivery.headers['x-service-signature'])).size).toBe(1)
})

test('a delivery that is taken at the second try ends there', async () => {
  const receiver = await startReceiver((response, count) => response.writeHead(count === 1 ? 500 : 202).end())
  const { sandbox, clock, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire(event)
  await untilAttempts(1)
  await clock.advance(999)
  expect(receiver.received).toHaveLength(1)
  await clock.advance(1)
  await untilAttempts(2)
  expect(clock.sleeping()).toBe(0)
  expect(attempts.map((attempt) => ('status' in attempt ? attempt.status : attempt.error))).toEqual([
    500, 202,
  ])
})

test('a redirect is a failure and is not followed', async () => {
  const target = await startReceiver()
  const receiver = await startReceiver((response) => response.writeHead(307, { location: target.url }).end())
  const { sandbox, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire(event)
  await untilAttempts(1)
  expect(attempts[0]).toMatchObject({ status: 307, willRetryAt: '2026-03-01T09:10:01.000Z' })
  expect(target.received).toEqual([])
})

test('a receiver that does not answer within 10 s has not received', async () => {
  const receiver = await startReceiver(() => {})
  const { sandbox, clock, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire(event)
  await receiver.until(1)
  await clock.advance(9_999)
  expect(attempts).toEqual([])
  await clock.advance(1)
  await untilAttempts(1)
  expect(attempts[0]).toMatchObject({
    error: 'no answer within 10 s',
    at: start,
    durationMs: 10_000,
    willRetryAt: '2026-03-01T09:10:11.000Z',
  })
})

test('a receiver that nobody runs is retried, and the log says why', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  await new Promise((resolve) => server.close(resolve))

  const { sandbox, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(`http://127.0.0.1:${port}/`)
  sandbox.fire(event)
  await untilAttempts(1)
  expect(attempts[0]).toMatchObject({
    error: expect.stringContaining('ECONNREFUSED'),
    willRetryAt: '2026-03-01T09:10:01.000Z',
  })
})

test('only the first 500 characters of an answer are kept, and a body without end is cut off', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200)
    const flow = () => {
      while (!response.destroyed && response.write('ä'.repeat(10_000)));
    }
    response.on('drain', flow)
    flow()
  })
  const { sandbox, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire(event)
  await untilAttempts(1)
  expect(attempts[0]).toMatchObject({ status: 200, answer: 'ä'.repeat(500), willRetryAt: null })
})

test('a deleted subscription is not tried again', async () => {
  const receiver = await startReceiver((response) => response.writeHead(500).end())
  const { sandbox, clock, ask, subscribe, attempts, untilAttempts } = await startWithClock()
  const { id } = await subscribe(receiver.url)
  sandbox.fire(event)
  await untilAttempts(1)
  expect(attempts[0]?.willRetryAt).toBe('2026-03-01T09:10:01.000Z')
  await ask('DELETE', `/webhooks/${id}`)
  await clock.advance(86_400_000)
  await sandbox.close()
  expect(receiver.received).toHaveLength(1)
  expect(attempts).toHaveLength(1)
  expect(attempts[0]?.willRetryAt).toBeNull()
})

test('a subscription that is not active gets nothing new and no retry, until it is active again', async () => {
  const receiver = await startReceiver((response, count) => response.writeHead(count === 1 ? 500 : 200).end())
  const { sandbox, clock, control, subscribe, untilAttempts } = await startWithClock()
  const { id } = await subscribe(receiver.url)
  sandbox.fire({ ...event, id: 'evt_before' })
  await untilAttempts(1)
  await control('POST', `/webhooks/${id}`, { status: 'paused' })
  expect(sandbox.fire({ ...event, id: 'evt_meanwhile' }).deliveries).toBe(0)
  await clock.advance(3_600_000)
  await control('POST', `/webhooks/${id}`, { status: 'active' })
  expect(sandbox.fire({ ...event, id: 'evt_after' }).deliveries).toBe(1)
  await untilAttempts(2)
  await clock.advance(3_600_000)
  expect(sandbox.deliveries().map((attempt) => attempt.eventId)).toEqual(['evt_before', 'evt_after'])
})

test('a delivery that hangs holds up no other to the same subscription', async () => {
  const receiver = await startReceiver((response, count) => {
    if (count > 1) response.writeHead(200).end()
  })
  const { sandbox, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire({ ...event, id: 'evt_hanging' })
  await receiver.until(1)
  for (let number = 0; number < 20; number++) sandbox.fire({ ...event, id: `evt_${number}` })
  await untilAttempts(20)
  expect(attempts.map((attempt) => attempt.eventId)).not.toContain('evt_hanging')
})

test('closing ends deliveries that are under way and those that wait', async () => {
  const receiver = await startReceiver((response, count) => {
    if (count === 1) response.writeHead(500).end()
  })
  const { sandbox, clock, subscribe, attempts, untilAttempts } = await startWithClock()
  await subscribe(receiver.url)
  sandbox.fire({ ...event, id: 'evt_waiting' })
  await untilAttempts(1)
  sandbox.fire({ ...event, id: 'evt_hanging' })
  await receiver.until(2)
  await sandbox.close()
  expect(clock.sleeping()).toBe(0)
  expect(attempts).toMatchObject([
    { eventId: 'evt_waiting', willRetryAt: null },
    { eventId: 'evt_hanging', error: 'the sandbox closed', willRetryAt: null },
  ])
  await expect(fetch(sandbox.url)).rejects.toThrow('fetch failed')
})
