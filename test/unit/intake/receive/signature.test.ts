import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SignatureForm, verify } from '../../../../src/intake/receive/signature.ts'
import { checkRows } from '../../../support/check-rows.ts'
import { runs } from '../../../support/runs.ts'
import { delivery, post, secret, sign, startEndpoint } from './endpoint.ts'

const hashes = ['sha256', 'sha512', 'sha384', 'sha1'] as const
const encodings = ['hex', 'base64', 'base64url'] as const
const keys = ['whole', 'without-prefix', 'base64-decoded'] as const
const forms = hashes.flatMap((hash) =>
  encodings.flatMap((encoding) => keys.map((key): SignatureForm => ({ hash, encoding, key }))),
)
const unknown = { remembered: () => undefined }

/** A body whose signature in base64 has a character that base64url writes otherwise, and padding where there is any. */
function bodyFor(form: SignatureForm): string {
  for (let n = 0; ; n++) {
    const body = JSON.stringify({ id: `evt_${n}` })
    if (/[+/]/.test(sign(body, { ...form, encoding: 'base64' }))) return body
  }
}

/** The same for each way of writing one digest. */
function digestIn(header: string, { encoding }: SignatureForm): string {
  return encoding === 'hex' ? header.toLowerCase() : header.replaceAll('-', '+').replaceAll('_', '/')
}

const other = 'f'.repeat(64)
const frames: Record<string, (signature: string, hash: string) => string> = {
  bare: (signature) => signature,
  'sha256=': (signature, hash) => `${hash}=${signature}`,
  'hmac-sha512=': (signature, hash) => `hmac-${hash}=${signature}`,
  'v1=': (signature) => `v1=${signature}`,
  'v1,': (signature) => `v1,${signature}`,
  'sha256:': (signature, hash) => `${hash}:${signature}`,
  'signature="…"': (signature) => `signature="${signature}"`,
  't=…,v1=…': (signature) => `t=1795273500,v1=${signature},v0=${other}`,
  't=…; s=…': (signature) => `t=1795273500; s=${signature}`,
  'after another, by comma': (signature) => `${other},${signature}`,
  'after another, by blank': (signature) => `v1,${other} v1,${signature}`,
  'before another, by semicolon': (signature) => `v1=${signature};v1=${other}`,
  'without padding': (signature) => signature.replace(/=+$/, ''),
}

describe('each form verifies in each frame over HTTP, and is remembered', () => {
  test('of every hash, encoding and key', async () => {
    const { port, remembered, taken } = await startEndpoint()
    await checkRows(forms, async (form) => {
      const body = bodyFor(form)
      const signature = sign(body, form)
      for (const [name, frame] of Object.entries(frames)) {
        remembered.clear()
        taken.length = 0
        const reply = await post(port, body, { 'X-Service-Signature': frame(signature, form.hash) })
        expect([name, reply.status]).toEqual([name, 202])
        expect(remembered.get(secret)).toEqual(form)
      }
    })
  })
})

test.each(hashes)('hex of %s is read in either case', (hash) => {
  expect(verify(Buffer.from('x'), sign('x', { hash }).toUpperCase(), [secret], unknown)?.form.hash).toBe(hash)
})

describe('a pinned part', () => {
  test('refuses every other hash, encoding and key', () =>
    checkRows(forms, (form) => {
      const body = Buffer.from(bodyFor(form))
      const header = sign(body, form)
      for (const pinned of forms) {
        const expected = JSON.stringify(pinned) === JSON.stringify(form) ? form : undefined
        expect(verify(body, header, [secret], { ...unknown, pinned })?.form).toEqual(expected)
      }
      for (const pinned of [
        { hash: form.hash },
        { encoding: form.encoding },
        { key: form.key },
        { hash: undefined },
      ]) {
        expect(verify(body, header, [secret], { ...unknown, pinned })?.form).toEqual(form)
      }
    }))

  test('counts more than what is remembered', () => {
    const header = sign('x', { hash: 'sha1' })
    const remembered = {
      pinned: { hash: 'sha256' as const },
      remembered: () => ({ hash: 'sha1', encoding: 'hex', key: 'whole' }) as const,
    }
    expect(verify(Buffer.from('x'), header, [secret], remembered)).toBeNull()
  })

  test('without-prefix also fits a secret that has no prefix', () => {
    const forms = { ...unknown, pinned: { key: 'without-prefix' as const } }
    const header = sign('x', { key: 'without-prefix' }, 'whsec_plain-and-a-secret')
    expect(verify(Buffer.from('x'), header, ['plain-and-a-secret'], forms)?.form.key).toBe('without-prefix')
  })
})

test('a signature that reads alike in base64 and base64url keeps the encoding that is remembered', () => {
  let n = 0
  while (/[+/]/.test(sign(String(n), { encoding: 'base64' }))) n++
  const body = Buffer.from(String(n))
  const header = sign(body, { encoding: 'base64url' })
  for (const encoding of ['base64', 'base64url'] as const) {
    const remembered = () => ({ hash: 'sha256', encoding, key: 'whole' }) as const
    expect(verify(body, header, [secret], { remembered })?.form.encoding).toBe(encoding)
  }
})

describe('several secrets', () => {
  const secrets = ['whsec_dGhlIG9sZCBzZWNyZXQgb2YgYSB0ZXN0', secret, 'no-base64-and-a-secret!']
  test.each(secrets)('%s is valid among them, and named', (one) => {
    const body = Buffer.from('x')
    for (const key of one === 'no-base64-and-a-secret!' ? (['whole'] as const) : keys) {
      const header = sign(body, { key }, one)
      expect(verify(body, header, secrets, unknown)).toMatchObject({ secret: one, form: { key } })
    }
  })
})

describe('a key that anybody could have', () => {
  test.each(['', 'whsec_'])('the secret %j verifies nothing', (empty) => {
    const body = Buffer.from('x')
    for (const key of keys) {
      expect(verify(body, sign(body, { key }, empty), [empty], unknown)).toBeNull()
      expect(verify(body, sign(body, { key }, empty), [empty], { ...unknown, pinned: { key } })).toBeNull()
    }
  })

  test('a secret that is not base64 is not decoded to a shorter key', () => {
    const body = Buffer.from('x')
    const by = 'whsec_!"%&/()=?-+;:_!'
    expect(sign(body, { key: 'base64-decoded' }, by)).toBe(sign(body, { key: 'without-prefix' }, 'whsec_'))
    expect(verify(body, sign(body, { key: 'base64-decoded' }, by), [by], unknown)).toBeNull()
  })
})

describe('not a signature', () => {
  const body = Buffer.from(delivery)
  const good = sign(delivery)
  test.each([
    ['nothing but a prefix', 'sha256='],
    ['one character less', good.slice(1)],
    ['one character more', `0${good}`],
    ['a character that is not hex', `g${good.slice(1)}`],
    ['that of another body', sign(`${delivery} `)],
    ['that of another secret', sign(delivery, {}, 'whsec_another')],
    ['a plain hash', '0'.repeat(64)],
    ['hex in base64', Buffer.from(good).toString('base64')],
    ['both base64 alphabets in one', `+-${sign(delivery, { encoding: 'base64' }).slice(2)}`],
    ['text in another script', 'ééé'.repeat(20)],
    ['the good one after eight others', `${`${other},`.repeat(8)}${good}`],
    ['the good one in a header of over 4 KiB', `${good},${'x,'.repeat(2100)}`],
  ])('%s', (_what, header) => {
    expect(verify(body, header, [secret], unknown)).toBeNull()
  })

  test('but the good one after seven others is', () => {
    expect(verify(body, `${`${other},`.repeat(7)}${good}`, [secret], unknown)).not.toBeNull()
  })
})

describe('one change to what was signed', () => {
  const anyForm = fc.constantFrom(...forms)

  test('in the body verifies in no form', () => {
    fc.assert(
      fc.property(
        anyForm,
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (form, body, at, bits) => {
          const header = sign(body, form)
          expect(verify(body, header, [secret], unknown)).not.toBeNull()
          const changed = body.with(at % body.length, (body[at % body.length] ?? 0) ^ bits)
          expect(verify(changed, header, [secret], unknown)).toBeNull()
        },
      ),
      runs(),
    )
  })

  test('in the signature verifies in no form', () => {
    fc.assert(
      fc.property(
        anyForm,
        fc.uint8Array(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (form, body, at, bits) => {
          const signature = Buffer.from(sign(body, form).replace(/=+$/, ''))
          const changed = Buffer.from(signature)
          const index = at % signature.length
          changed.writeUInt8(signature.readUInt8(index) ^ bits, index)
          const header = changed.toString('latin1')
          // The same digest, in capitals or in the other alphabet of base64.
          fc.pre(digestIn(header, form) !== digestIn(signature.toString(), form))
          expect(verify(body, header, [secret], unknown)).toBeNull()
        },
      ),
      runs(),
    )
  })

  test('any header at all is read without harm', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (header) => {
        expect(verify(Buffer.from('x'), header, [secret], unknown)).toBeNull()
      }),
      runs(),
    )
  })
})
