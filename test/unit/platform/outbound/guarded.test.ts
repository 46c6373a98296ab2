import type { LookupAddress } from 'node:dns'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, NoAnswer } from '../../../../src/platform/outbound/exchange.ts'
import { startReceiver } from '../../../support/fakes/receiver.ts'

const bounds = { timeoutMs: 5_000, mostBytes: 1_000, mostValues: 100 }

/** A name server that leads somewhere else each time. */
function rebinding(...addresses: string[]) {
  return (_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
    done(null, [{ address: addresses.shift() ?? '', family: 4 }])
}

test('a name is judged at each connection, by what it leads to then (DNS rebinding)', async () => {
  const there = await startReceiver()
  onTestFinished(() => there.close())
  const guard = {
    allows: (address: string) => address === '127.0.0.1',
    resolve: rebinding('127.0.0.1', '127.0.0.2', '127.0.0.1'),
  }
  const url = `http://hooks.desk.example:${new URL(there.origin).port}/`
  const ask = () => exchange(url, { method: 'POST', body: '{}' }, { ...bounds, guard })
  expect(await ask()).toMatchObject({ status: 204 })
  const refused = await ask().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(NoAnswer)
  expect(refused).toMatchObject({ code: 'ADDRESS_NOT_ALLOWED', uncertain: false })
  expect(await ask()).toMatchObject({ status: 204 })
  // The first and the third: none was kept and used again.
  expect(there.connections()).toBe(2)
})

test('an answer comes with its headers and as much of its body as may be', async () => {
  const there = await startReceiver()
  onTestFinished(() => there.close())
  const guard = { allows: () => true }
  there.answer(
    { status: 200, headers: { 'x-one': 'a' }, body: 'well' },
    { status: 200, body: 'x'.repeat(2_000) },
  )
  const answer = await exchange(there.origin, {}, { ...bounds, guard })
  expect([answer.body, answer.headers.get('x-one')]).toEqual(['well', 'a'])
  await expect(exchange(there.origin, {}, { ...bounds, guard })).rejects.toThrow('too long')
})
