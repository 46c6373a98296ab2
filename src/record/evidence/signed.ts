import { createHmac } from 'node:crypto'
import { keyOf } from '../../config/signing-secret.ts'
import type { EvidenceFile } from './file.ts'
import { fingerprintOf, shortHashOf } from './fingerprint.ts'

/**
 * Why the secret does not bear the file out, as a sentence; undefined if it does. Written apart from the code that receives
 * deliveries: a mistake there is no proof here.
 */
export async function whyNotSigned(
  { signature, headers, body }: EvidenceFile,
  secret: string,
): Promise<string | undefined> {
  if (signature === null) {
    return 'there is no signature: the alert did not come by webhook, or came before signatures were kept'
  }
  const { hash, encoding, key, salt, fingerprint } = signature
  if ((await fingerprintOf(shortHashOf(secret), salt)) !== fingerprint) {
    return 'this is not the secret that verified it: the fingerprints differ'
  }
  const bytes = keyBytes(secret, key)
  if (bytes === undefined || !isKnownForm(hash, encoding))
    return 'this version does not support its form of signature'
  const digest = createHmac(hash, bytes).update(Buffer.from(body, 'base64')).digest(encoding)
  const header = headers['x-service-signature'] ?? ''
  const isThere = (encoding === 'hex' ? header.toLowerCase() : header).includes(digest.replace(/=+$/, ''))
  return isThere ? undefined : 'the signature does not match this body and this secret'
}

function keyBytes(secret: string, key: string): Buffer | undefined {
  switch (key) {
    case 'whole':
      return Buffer.from(secret)
    case 'without-prefix':
      return Buffer.from(keyOf(secret))
    case 'base64-decoded':
      return Buffer.from(keyOf(secret), 'base64')
    default:
      return undefined
  }
}

const hashes = ['sha256', 'sha512', 'sha384', 'sha1']

function isKnownForm(hash: string, encoding: string): encoding is 'hex' | 'base64' | 'base64url' {
  return hashes.includes(hash) && ['hex', 'base64', 'base64url'].includes(encoding)
}
