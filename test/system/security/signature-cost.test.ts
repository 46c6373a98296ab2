import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type SignatureForm, verify } from '../../../src/intake/receive/signature.ts'
import { secret, sign } from '../../unit/intake/receive/endpoint.ts'

const hmac = vi.spyOn(crypto, 'createHmac')
// Modules that another file has loaded see the spy too.
beforeAll(syncBuiltinESMExports)
afterAll(() => {
  hmac.mockRestore()
  syncBuiltinESMExports()
})

const body = Buffer.from('{"id":"evt_1"}')
const secrets = ['whsec_dGhlIG9sZCBzZWNyZXQgb2YgYSB0ZXN0', secret]
const unknown = { remembered: () => undefined }
const form = { hash: 'sha384', encoding: 'base64', key: 'base64-decoded' } as const satisfies SignatureForm

beforeEach(() => void hmac.mockClear())

/** How many HMACs it takes to judge the header. */
function cost(header: string, known: Parameters<typeof verify>[3] = unknown): number {
  hmac.mockClear()
  verify(body, header, secrets, known)
  return hmac.mock.calls.length
}

test('a genuine delivery in the form that is remembered costs one HMAC, also for the second secret', () => {
  const header = `v1=${sign(body, form)}`
  expect(cost(header, { remembered: (one) => (one === secret ? form : undefined) })).toBe(1)
})

test('a forgery costs one HMAC for each secret and treatment of the key, of the one hash that fits its length', () => {
  for (const [digits, hash] of [
    [40, 'sha1'],
    [64, 'sha256'],
    [96, 'sha384'],
    [128, 'sha512'],
  ] as const) {
    expect(cost('a'.repeat(digits))).toBe(secrets.length * 3)
    expect(new Set(hmac.mock.calls.map(([name]) => name))).toEqual(new Set([hash]))
  }
})

test('several forged signatures of one length cost no more than one', () => {
  expect(cost(Array.from({ length: 8 }, (_, n) => String(n).repeat(64)).join(' '))).toBe(6)
})

test('the dearest forgery presents every length, and tries each key with each hash once', () => {
  const header = [40, 64, 96, 128].map((digits) => 'a'.repeat(digits)).join(',')
  expect(cost(header)).toBe(24)
  const distinct = new Set(hmac.mock.calls.map(([hash, key]) => `${hash} ${JSON.stringify(key)}`))
  expect(distinct.size).toBe(24)
})

test('what cannot be a signature costs none', () => {
  expect(cost('sha256=abc')).toBe(0)
  expect(cost('a'.repeat(65))).toBe(0)
  expect(cost(`${'a'.repeat(64)},`.repeat(9))).toBe(0)
  expect(cost('a'.repeat(64), { ...unknown, pinned: { hash: 'sha512' } })).toBe(0)
})

test('a pinned form costs one HMAC for each secret', () => {
  const pinned = { hash: 'sha256', encoding: 'hex', key: 'whole' } as const
  expect(cost('a'.repeat(64), { ...unknown, pinned })).toBe(2)
})

test('a secret that is given twice, or has no prefix, is not tried twice', () => {
  hmac.mockClear()
  verify(body, 'a'.repeat(64), ['no-base64-and-a-secret!', 'no-base64-and-a-secret!'], unknown)
  expect(hmac.mock.calls).toHaveLength(1)
})
