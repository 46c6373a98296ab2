import { beforeAll, expect, test } from 'vitest'
import type { EvidenceFile } from '../../../../src/record/evidence/file.ts'
import { whyNotSigned } from '../../../../src/record/evidence/signed.ts'
import { chained, delivered, secret } from './scene.ts'

let file: EvidenceFile
beforeAll(async () => {
  file = JSON.parse(await (await chained()).evidence()) as EvidenceFile
})

test('with the secret, the signature of the body verifies', async () => {
  expect(await whyNotSigned(file, secret)).toBeUndefined()
})

test('another secret, another body and no signature have different answers', async () => {
  expect(await whyNotSigned(file, `${secret}x`)).toContain('the fingerprints differ')
  expect(await whyNotSigned({ ...file, body: 'e30=' }, secret)).toContain('does not match this body')
  expect(await whyNotSigned({ ...file, headers: {} }, secret)).toContain('does not match this body')
  expect(await whyNotSigned({ ...file, signature: null }, secret)).toContain('there is no signature')
})

test('a file has neither the secret nor what the store knows it by, and no two installations show the same', async () => {
  const other = JSON.parse(await (await chained()).evidence()) as EvidenceFile
  expect(other.signature?.fingerprint).not.toBe(file.signature?.fingerprint)
  const text = JSON.stringify(file)
  expect(text).not.toContain(secret)
  expect(text).not.toContain(delivered().evidence?.secret)
})
