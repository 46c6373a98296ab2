import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { Received, ReceiverAnswer } from '../../../support/fakes/receiver.ts'
import { attempt, messageAbout, newSecret, open, receiver, secret } from './opened.ts'

function headersOf({ headers }: Received): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** As a receiver verifies: with the library, from the bytes that came. */
function verified(received: Received | undefined, by = secret): unknown {
  if (received === undefined) throw new Error('nothing was received')
  return new Webhook(by).verify(received.raw, headersOf(received))
}

describe('what a receiver gets', () => {
  test('is verified by the library of Standard Webhooks from the raw bytes', async () => {
    const there = await receiver()
    const channel = await open({ to: `${there.origin}/hooks/alerts?key=1` })
    const message = messageAbout({ category: 'politique — “élections”' })
    expect(await channel.send(message, attempt())).toEqual({
      result: 'sent',
      receipt: { id: 'evt_1', text: 'accepted with status 204 as evt_1' },
    })
    const [received] = there.received
    expect(received).toMatchObject({
      path: '/hooks/alerts?key=1',
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
    })
    expect(verified(received)).toMatchObject({
      type: 'alert',
      data: { message: { headline: message.headline } },
    })
  })

  test('is refused by it where a byte is changed, the id, or the secret', async () => {
    const there = await receiver()
    await (await open({ to: there.origin })).send(messageAbout(), attempt())
    const [received] = there.received
    if (received === undefined) throw new Error('nothing was received')
    const forged = { ...received, raw: Buffer.from(received.raw.toString().replace('"alert"', '"alarm"')) }
    const moved = { ...received, headers: { ...received.headers, 'webhook-id': 'evt_2' } }
    for (const wrong of [forged, moved]) expect(() => verified(wrong)).toThrow('No matching signature')
    expect(() => verified(received, newSecret)).toThrow('No matching signature')
  })

  test('is signed with each secret while one is being changed, so that either verifies it', async () => {
    const there = await receiver()
    await (await open({ to: there.origin, secret: [newSecret, secret] })).send(messageAbout(), attempt())
    const [received] = there.received
    expect(String(received?.headers['webhook-signature'])).toMatch(/^v1,\S{44} v1,\S{44}$/)
    expect(verified(received)).toEqual(verified(received, newSecret))
  })

  test('has the same id on every try, and a signature of its own time', async () => {
    const there = await receiver()
    const channel = await open({ to: there.origin })
    there.answer('cut', { status: 500 })
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'retry', uncertain: true })
    await channel.send(messageAbout(), attempt({ uncertain: true }))
    await channel.send(messageAbout(), attempt({ uncertain: true }))
    expect(there.received.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1', 'evt_1', 'evt_1'])
    for (const request of there.received) verified(request)
    expect(new Set(there.received.map(({ raw }) => raw.toString())).size).toBe(1)
  })

  test.each(['a.b', 'id with “signs”', 'x'.repeat(200)])(
    'has an id that can be signed: of %s',
    async (id) => {
      const there = await receiver()
      await (await open({ to: there.origin })).send(messageAbout({ id }), attempt())
      expect(there.received[0]?.headers['webhook-id']).toMatch(/^sha256_[0-9a-f]{32}$/)
      expect(verified(there.received[0])).toMatchObject({ data: { id } })
    },
  )
})

describe('an edit', () => {
  const receipt = { id: 'evt_1', text: 'accepted' }
  const at = '2026-11-21T13:05:03.000Z'
  const { signal } = new AbortController()

  test('is an event of its own, with the whole message as it reads now', async () => {
    const there = await receiver()
    const channel = await open({ to: there.origin })
    const edited = messageAbout({ delta: 9 })
    expect(await channel.edit?.(edited, receipt, signal, at)).toMatchObject({ result: 'sent' })
    const [received] = there.received
    expect(received?.headers['webhook-id']).toMatch(/^evt_1_edit_[0-9a-f]{32}$/)
    expect(verified(received)).toMatchObject({
      type: 'alert.edited',
      data: { id: 'evt_1', alert: { delta: 9 }, message: { headline: edited.headline } },
    })
  })

  test('has one id on all its tries, and another than a later edit with the same words', async () => {
    const there = await receiver()
    const channel = await open({ to: there.origin })
    there.answer({ status: 500 })
    for (const since of [at, at, '2026-11-22T09:00:00.000Z']) {
      await channel.edit?.(messageAbout({ delta: 9 }), receipt, signal, since)
    }
    const [first, second, later] = there.received.map(({ headers }) => headers['webhook-id'])
    expect(second).toBe(first)
    expect(later).not.toBe(first)
  })
})

describe('what an answer means', () => {
  const answers: [string, ReceiverAnswer, object][] = [
    ['200 with a page', { status: 200, body: '<html>thanks</html>' }, { result: 'sent' }],
    ['202', { status: 202 }, { result: 'sent' }],
    ['a success that is longer than any', { status: 200, body: 'x'.repeat(1_000_000) }, { result: 'sent' }],
    ['410', { status: 410 }, { result: 'blocked', why: expect.stringContaining('closed for good') }],
    [
      '429 with Retry-After',
      { status: 429, headers: { 'retry-after': '7' } },
      { result: 'retry', afterMs: 7_000, uncertain: false },
    ],
    [
      '503 with Retry-After',
      { status: 503, headers: { 'retry-after': '1.5' } },
      { result: 'retry', afterMs: 1_500, uncertain: false },
    ],
    ['503 alone', { status: 503 }, { result: 'retry', uncertain: false }],
    ['500', { status: 500 }, { result: 'retry', uncertain: true }],
    ['504', { status: 504 }, { result: 'retry', uncertain: true, unanswered: true }],
    ['408', { status: 408 }, { result: 'retry', uncertain: true }],
    [
      '400',
      { status: 400, body: 'bad signature' },
      { result: 'blocked', why: expect.stringContaining('“bad signature”') },
    ],
    ['401', { status: 401 }, { result: 'blocked', why: expect.stringContaining('secret') }],
    ['403', { status: 403 }, { result: 'blocked' }],
    ['404', { status: 404 }, { result: 'blocked' }],
    ['405', { status: 405 }, { result: 'blocked' }],
    ['418', { status: 418 }, { result: 'blocked' }],
    ['413', { status: 413 }, { result: 'permanent' }],
    ['422', { status: 422 }, { result: 'permanent' }],
    ['a connection that is cut', 'cut', { result: 'retry', uncertain: true, unanswered: true }],
  ]
  test.each(answers)('%s', async (_, answer, expected) => {
    const there = await receiver()
    there.answer(answer)
    const channel = await open({ to: there.origin })
    expect(await channel.send(messageAbout(), attempt())).toMatchObject(expected)
    expect(there.received).toHaveLength(1)
  })

  test.each([301, 302, 307, 308])('%s is not followed, and blocks', async (status) => {
    const [there, elsewhere] = [await receiver(), await receiver()]
    there.answer({ status, headers: { location: `${elsewhere.origin}/moved` } })
    const result = await (await open({ to: there.origin })).send(messageAbout(), attempt())
    expect(result).toMatchObject({ result: 'blocked' })
    expect(elsewhere.connections()).toBe(0)
  })

  test('no answer in time is uncertain, and so is one that is ended; a success without an end is a success', async () => {
    const there = await receiver()
    const channel = await open({ to: there.origin }, { timeoutMs: 300 })
    there.answer('hang', 'hang', 'endless')
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ uncertain: true, unanswered: true })
    const ended = new AbortController()
    const sending = channel.send(messageAbout(), attempt({ signal: ended.signal }))
    await expect.poll(() => there.received.length).toBe(2)
    ended.abort()
    expect(await sending).toMatchObject({ result: 'retry', uncertain: true, unanswered: true })
    expect(await channel.send(messageAbout(), attempt())).toMatchObject({ result: 'sent' })
  })

  test('nobody there is certain: nothing was sent', async () => {
    const there = await receiver()
    await there.close()
    const result = await (await open({ to: there.origin })).send(messageAbout(), attempt())
    expect(result).toMatchObject({
      result: 'retry',
      uncertain: false,
      why: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test.each([
    ['/h/Ab12', 'Cannot POST /h/Ab12'],
    ['/h/Ab12', 'no route h/ab12'],
    ['/h/Ab12', 'there is no Ab12'],
    ['/h/%C3%A9t%C3%A9', 'nothing under /h/été'],
    ['/in?k=s3cr', 'no such key: s3cr'],
    ['/in?k=s3cr&l=2', 'not found: /in?k=s3cr&amp;l=2'],
    ['/x', '<pre>Cannot POST /x</pre>'],
    ['/in?s3', 'wanted another than s3'],
  ])('where the address is %s, the answer “%s” is not quoted', async (path, body) => {
    const there = await receiver()
    there.answer({ status: 404, body })
    const result = await (await open({ to: there.origin + path })).send(messageAbout(), attempt())
    expect(result).toEqual({
      result: 'blocked',
      why: 'The receiver answers 404: there is nothing at the address: correct `to`.',
    })
  })

  test('an answer is quoted, but not one that repeats the address or a secret', async () => {
    const there = await receiver()
    const channel = await open({ to: `${there.origin}/hooks/9c41aTokenOfTheReceiver` })
    for (const body of ['no 9c41aTokenOfTheReceiver', `wanted ${secret}`, `no\u001b[31m way`.repeat(100)]) {
      there.answer({ status: 400, body })
      const result = await channel.send(messageAbout(), attempt())
      const why = 'why' in result ? result.why : ''
      expect(why).toContain('answers 400')
      expect(why).not.toMatch(/9c41a|whsec|\p{Cc}/u)
      expect(why.length).toBeLessThan(300)
    }
  })
})
