import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  DialectError,
  dialectKeys,
  parseDialect,
  ServiceDialect,
} from '../../../src/service/sandbox/dialect.ts'
import { startReceiver } from './receiver.ts'
import { startWithClock } from './started.ts'

const url = 'https://desk.example/webhook'

const hashes = ['sha256', 'sha384', 'sha512', 'sha1'] as const
const encodings = ['hex', 'base64', 'base64url'] as const
const keys = ['whole', 'without-prefix', 'base64-decoded'] as const
const forms = hashes.flatMap((hash) =>
  encodings.flatMap((encoding) => keys.map((key) => ({ hash, encoding, key }))),
)

/** Written from the words of the dialect, not from the code that signs. */
function expectedSignature(body: Buffer, secret: string, form: (typeof forms)[number]): string {
  const text = secret.replace('whsec_', '')
  const key = { whole: secret, 'without-prefix': text, 'base64-decoded': Buffer.from(text, 'base64') }[
    form.key
  ]
  return createHmac(form.hash, key).update(body).digest(form.encoding)
}

test.each(forms)('deliveries are signed with $hash in $encoding, key $key', async (form) => {
  const receiver = await startReceiver()
  const { sandbox, subscribe } = await startWithClock({
    dialect: {
      'signature.hash': form.hash,
      'signature.encoding': form.encoding,
      'signature.key': form.key,
    },
  })
  const { secret } = await subscribe(receiver.url)
  sandbox.fire({ delta: 'naïve' })
  await receiver.until(1)
  const [delivery] = receiver.received
  if (delivery === undefined) throw new Error('nothing arrived')
  expect(delivery.headers['x-service-signature']).toBe(expectedSignature(delivery.body, secret, form))
})

test.each(['sha256=', 'sha384=', 'sha512=', 'sha1=', 'v1=', 'v1,'] as const)(
  'the prefix %s stands before the signature',
  async (prefix) => {
    const receiver = await startReceiver()
    const { sandbox, subscribe } = await startWithClock({ dialect: { 'signature.prefix': prefix } })
    const { secret } = await subscribe(receiver.url)
    sandbox.fire({})
    await receiver.until(1)
    const body = receiver.received[0]?.body ?? Buffer.of()
    const bare = expectedSignature(body, secret, { hash: 'sha256', encoding: 'hex', key: 'whole' })
    expect(receiver.received[0]?.headers['x-service-signature']).toBe(prefix + bare)
  },
)

test.each(['data', 'items', 'results'] as const)('a list can stand under %s', async (shape) => {
  const { ask, subscribe } = await startWithClock({ dialect: { 'list-shape': shape } })
  const { id } = await subscribe(url)
  expect((await ask('GET', '/webhooks')).body).toEqual({ [shape]: [expect.objectContaining({ id })] })
})

test('creating and deleting can answer 200, and reading show the secret', async () => {
  const { ask } = await startWithClock({
    dialect: { 'create-status': '200', 'delete-status': '200', 'secret-on-get': 'yes' },
  })
  const created = await ask('POST', '/webhooks', { body: { url } })
  expect(created.status).toBe(200)
  expect((await ask('GET', '/webhooks')).body).toEqual([created.body])
  const { id } = z.object({ id: z.string() }).parse(created.body)
  expect((await ask('GET', `/webhooks/${id}`)).body).toEqual(created.body)
  expect(await ask('DELETE', `/webhooks/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } })
})

test('a deletion can answer 200 with nothing', async () => {
  const { sandbox, subscribe } = await startWithClock({ dialect: { 'delete-status': '200-empty' } })
  const { id } = await subscribe(url)
  const response = await fetch(`${sandbox.url}/webhooks/${id}`, {
    method: 'DELETE',
    headers: { authorization: 'Bearer sandbox-pro' },
  })
  expect(response.status).toBe(200)
  expect(await response.text()).toBe('')
})

test('with further states, a subscription is pending until it is looked at, and receives nothing before', async () => {
  const receiver = await startReceiver()
  const { ask, sandbox, control } = await startWithClock({ dialect: { 'further-states': 'yes' } })
  const created = await ask('POST', '/webhooks', { body: { url: receiver.url } })
  expect(created.body).toMatchObject({ status: 'pending' })
  expect(sandbox.fire({}).deliveries).toBe(0)
  const { id } = z.object({ id: z.string() }).parse(created.body)
  expect((await ask('GET', `/webhooks/${id}`)).body).toMatchObject({ status: 'active' })
  expect(sandbox.fire({}).deliveries).toBe(1)
  await control('POST', `/webhooks/${id}`, { status: 'paused' })
  expect(sandbox.fire({}).deliveries).toBe(0)
})

test('nothing asked for is the first value of each key, and each key says what it means', () => {
  expect(parseDialect([])).toMatchObject({ 'create-status': '201', 'delete-status': '204', pages: 'none' })
  const first = dialectKeys().map(({ key, values }) => [key, values[0]])
  expect(parseDialect([])).toEqual(Object.fromEntries(first))
  for (const { meaning } of dialectKeys()) expect(meaning).not.toBe('')
})

test('every value that is offered is taken, a value with = in it too', () => {
  for (const [key, field] of Object.entries(ServiceDialect.shape)) {
    for (const value of field.unwrap().options) {
      expect(parseDialect([`${key}=${value}`])).toMatchObject({ [key]: value })
    }
  }
  expect(parseDialect(['signature.prefix=sha256='])).toMatchObject({ 'signature.prefix': 'sha256=' })
})

test.each([
  [
    'signature.hash=md5',
    'The dialect signature.hash cannot be "md5"; allowed are sha256, sha384, sha512, sha1.',
  ],
  [
    'hash=md5',
    `The dialect key "hash" is not known; allowed are ${Object.keys(ServiceDialect.shape).join(', ')}.`,
  ],
  ['sha512', 'The dialect "sha512" must be key=value, such as signature.hash=sha512.'],
])('the dialect %s is refused with one sentence', (pair, message) => {
  expect(() => parseDialect([pair])).toThrow(new DialectError(message))
})

test('a dialect key given twice is refused', () => {
  expect(() => parseDialect(['create-status=200', 'create-status=201'])).toThrow(
    new DialectError('The dialect key create-status is given twice; give it once.'),
  )
})
