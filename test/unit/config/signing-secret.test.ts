import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyNoSecret, whyWeak } from '../../../src/config/signing-secret.ts'
import { checkRows } from '../../support/check-rows.ts'
import { runs } from '../../support/runs.ts'
import { unusable } from '../../support/unusable-secrets.ts'

test('what cannot be a secret is refused with a reason that does not repeat it', () =>
  checkRows(unusable, ([secret, reason]) => {
    for (const written of [secret, `whsec_${secret}`]) {
      const why = whyNoSecret(written) ?? ''
      expect(why).toMatch(reason)
      expect(secret.length > 8 && why.includes(secret)).toBe(false)
    }
  }))

test('bytes that a secret encodes may be no sequence either', () => {
  const bytes = Buffer.from('YWJjZGVmZ2hpamtsbW5vcA==', 'base64')
  expect(bytes.toString()).toBe('abcdefghijklmnop')
  expect(whyWeak(bytes)).toContain('is a sequence')
})

describe('a true secret can sign', () => {
  const bytes = (least: number) => fc.uint8Array({ minLength: least, maxLength: 64 })
  /** Bytes as a service draws them, and not as fast-check does, which likes zeros. */
  const drawn = fc.integer().map((seed) => {
    let state = seed >>> 0
    return () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }
  })
  const random = fc
    .tuple(drawn, fc.integer({ min: 16, max: 64 }))
    .map(([next, length]) => Buffer.from(Uint8Array.from({ length }, next)))

  test.each(['hex', 'base64', 'base64url'] as const)('of random bytes in %s', (encoding) => {
    fc.assert(
      fc.property(random, (key) => {
        expect(whyNoSecret(`whsec_${key.toString(encoding)}`)).toBeUndefined()
        expect(whyNoSecret(key.toString(encoding))).toBeUndefined()
      }),
      runs(2_000),
    )
  })

  test('for any text the answer is a short phrase or none', () => {
    const any = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      bytes(0).map((text) => Buffer.from(text).toString('latin1')),
    )
    fc.assert(
      fc.property(any, (text) => {
        expect(whyNoSecret(text) ?? 'is fine').toMatch(/^(is|has) [\w ,:-]{4,90}$/)
      }),
      runs(),
    )
  })
})
