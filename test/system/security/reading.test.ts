import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { whyNoSecret } from '../../../src/config/signing-secret.ts'
import { readDelivery } from '../../../src/event/delivery.ts'
import { readDelta } from '../../../src/event/delta.ts'
import { verify } from '../../../src/intake/receive/signature.ts'
import { runs } from '../../support/runs.ts'
import { anyNasty } from './texts.ts'

const receivedAt = '2026-11-21T15:05:09.000Z'

describe('a signature', () => {
  const unknown = { remembered: () => undefined }
  const secret = fc
    .oneof(
      fc.string({ minLength: 16, maxLength: 60 }).map((text) => `whsec_${text}`),
      fc.base64String({ minLength: 16, maxLength: 60 }).map((text) => `whsec_${text}`),
      fc.string({ minLength: 16, maxLength: 60 }),
    )
    .filter((text) => whyNoSecret(text) === undefined)
  const form = fc.record({
    hash: fc.constantFrom('sha1' as const, 'sha256' as const, 'sha384' as const, 'sha512' as const),
    encoding: fc.constantFrom('hex' as const, 'base64' as const, 'base64url' as const),
  })
  const body = fc.uint8Array({ maxLength: 300 })

  test('of these bytes with this secret verifies, in every hash and encoding', () => {
    fc.assert(
      fc.property(body, secret, form, (bytes, by, { hash, encoding }) => {
        const header = createHmac(hash, by).update(bytes).digest(encoding)
        expect(verify(bytes, header, ['whsec_of-somebody-else-4711', by], unknown)?.secret).toBe(by)
      }),
      runs(),
    )
  })

  test('of other bytes, with another secret, cut or repeated never does', () => {
    fc.assert(
      fc.property(body, body, secret, secret, form, fc.nat(200), (bytes, others, by, another, how, at) => {
        fc.pre(Buffer.compare(bytes, others) !== 0)
        const made = createHmac(how.hash, by).update(bytes).digest(how.encoding).replace(/=+$/, '')
        const cut = made.slice(0, at % made.length)
        expect(verify(others, made, [by], unknown)).toBeNull()
        expect(verify(bytes, cut, [by], unknown)).toBeNull()
        expect(verify(bytes, made + made, [by], unknown)).toBeNull()
        expect(
          verify(
            bytes,
            createHmac(how.hash, `another ${another}`).update(bytes).digest(how.encoding),
            [by],
            unknown,
          ),
        ).toBeNull()
      }),
      runs(),
    )
  })

  test('that is any text at all never verifies, nor throws', () => {
    fc.assert(
      fc.property(body, anyNasty, secret, (bytes, header, by) => {
        expect(verify(bytes, header, [by], unknown)).toBeNull()
      }),
      runs(),
    )
  })
})

describe('a delta', () => {
  test('is the number that was written, with any text around it', () => {
    const number = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)
    fc.assert(
      fc.property(
        fc.constantFrom('+', '-', '\u2212'),
        number,
        fc.constantFrom('', ' '),
        (sign, size, blank) => {
          expect(readDelta(`${blank}${sign}${size}${blank}pp${blank}`)).toBe(
            sign === '+' || size === 0 ? size : -size,
          )
        },
      ),
      runs(),
    )
  })

  test('is never read out of anything else, nor in more than a moment', () => {
    const almost = fc
      .array(
        fc.constantFrom(
          '+',
          '-',
          '12',
          '1e3',
          '.',
          ',',
          ' ',
          'pp',
          '%',
          'p',
          '\u0662',
          '\uff11',
          '0x1',
          '_',
          '\n',
        ),
        { maxLength: 40 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(almost, anyNasty, fc.jsonValue()), (written) => {
        const value = readDelta(written)
        const exact =
          typeof written === 'string' && /^\s*[+\-\u2212]?\s*(\d+(\.\d+)?|\.\d+)\s*pp\s*$/i.test(written)
        expect(value === null || (exact && Math.abs(value) <= 100)).toBe(true)
      }),
      runs(),
    )
  })
})

describe('a date', () => {
  const detected = (written: unknown) =>
    readDelivery(Buffer.from(JSON.stringify({ data: { detected_at: written } })), {
      source: 'webhook',
      receivedAt,
    }).detectedAt

  test('with any offset is the moment that it says', () => {
    const moment = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(moment, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, minutes) => {
        const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0')
        const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const offset = `${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
        expect(detected(local + offset)).toBe(at.toISOString())
        expect(detected(at.toISOString())).toBe(at.toISOString())
      }),
      runs(),
    )
  })

  test('is one that every reader of ours reads, or none', () => {
    const almost = fc
      .array(
        fc.constantFrom(
          '2026',
          '-',
          '11',
          '21',
          'T',
          ':',
          '15',
          'Z',
          '+01:00',
          '[Europe/Berlin]',
          '[u-ca=hebrew]',
          '.',
          '999999999',
          ' ',
          '+275760',
          '-271821',
          '-000000',
          '24',
          '60',
          '\u2212',
        ),
        { maxLength: 14 },
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(almost, anyNasty, fc.jsonValue()), (written) => {
        const read = detected(written)
        expect(read === null || new Date(read).toISOString() === read).toBe(true)
      }),
      runs(),
    )
  })
})
