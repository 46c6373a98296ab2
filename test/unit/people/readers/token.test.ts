import { createCipheriv } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newKey, opened, sealed } from '../../../../src/people/readers/token.ts'
import { runs } from '../../../support/runs.ts'

const key = newKey()
const subscription = { channel: 'policy-mail', address: 'ombud@desk.example' }

describe('a token', () => {
  test('opens with its key for any address, and needs nothing escaped in a link', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z0-9-]{1,63}$/), fc.emailAddress(), (channel, address) => {
        const token = sealed({ channel, address }, key)
        expect(token).toMatch(/^[\w-]+$/)
        expect(opened(token, key)).toEqual({ channel, address })
      }),
      runs(),
    )
  })

  test('shows neither address nor channel, and no two are the same', () => {
    const tokens = Array.from({ length: 20 }, () => sealed(subscription, key))
    expect(new Set(tokens).size).toBe(20)
    for (const token of tokens) {
      const bytes = Buffer.from(token, 'base64url').toString('latin1')
      expect(bytes).not.toMatch(/ombud|desk|policy/)
    }
  })

  test('is rejected if a bit of it differs, if it is cut, or with another key', () => {
    const token = sealed(subscription, key)
    const bytes = Buffer.from(token, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes)
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(opened(forged.toString('base64url'), key)).toBeUndefined()
    }
    for (let length = 0; length < bytes.length; length += 1) {
      expect(opened(bytes.subarray(0, length).toString('base64url'), key)).toBeUndefined()
    }
    expect(opened(token, newKey())).toBeUndefined()
  })

  test('is not what the same key seals for anything else', () => {
    const nonce = Buffer.alloc(12, 1)
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64url'), nonce)
    const text = Buffer.concat([
      cipher.update(JSON.stringify(['policy-mail', 'a@b.example'])),
      cipher.final(),
    ])
    const other = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url')
    expect(opened(other, key)).toBeUndefined()
  })

  test.each(['', 'x', '../etc', '%00', 'é'.repeat(40), 'A'.repeat(100_000), '='.repeat(50)])(
    '%j is none',
    (text) => expect(opened(text, key)).toBeUndefined(),
  )
})
