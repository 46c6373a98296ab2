import { assert, property, string, uint8Array } from 'fast-check'
import { expect, test } from 'vitest'
import {
  base64Of as base64InBrowser,
  bytesFrom as fromInBrowser,
  sha256 as hashInBrowser,
} from '../../../../pack/verify-page/bytes.js'
import { base64Of, bytesFrom, sha256 } from '../../../../src/record/evidence/bytes.ts'

test('a browser makes of any bytes what Node makes of them', () => {
  assert(
    property(uint8Array({ maxLength: 300 }), (bytes) => {
      const base64 = base64Of(bytes)
      expect(hashInBrowser(bytes)).toBe(sha256(bytes))
      expect(base64InBrowser(bytes)).toBe(base64)
      expect([...fromInBrowser(base64)]).toEqual([...bytesFrom(base64)])
    }),
  )
})

test('and of any text', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(hashInBrowser(text)).toBe(sha256(text))
    }),
  )
})

test('spare bits of base64 count for nothing in both', () => {
  expect([...fromInBrowser('e31=')]).toEqual([...bytesFrom('e31=')])
})
