import { hash, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { type AlertEvent, isFinding } from '../../event/event.ts'
import { type EvidenceFile, lines, sha256, sortedHeaders } from './file.ts'

/** What a link of the chain stands for: all of an alert that came from outside, and when. The body is in base64. */
export type ReceivedAlert = Pick<EvidenceFile, keyof PartHashes>
/** Which form verified, and which key by a fingerprint from which nobody can guess it. */
type Signature = ReceivedAlert['signature']
type PartHashes = Omit<EvidenceFile['link'], 'link'>

/** In the order of a link. */
export const partNames = ['id', 'received', 'way', 'headers', 'signature', 'body'] as const

/** What was derived from an alert or decided about it is not part of it. */
export function receivedOf(alert: AlertEvent, signature: Signature): ReceivedAlert {
  return {
    id: alert.id,
    received: alert.receivedAt,
    way: alert.source === 'webhook' ? 'webhook' : isFinding(alert) ? 'found' : 'list',
    headers: alert.evidence?.headers ?? {},
    signature,
    body: Buffer.from(alert.body.text, alert.body.encoding).toString('base64'),
  }
}

export function hashesOf(received: ReceivedAlert): PartHashes {
  const hashes = partNames.map((name) => [name, sha256(bytesOf(received, name))])
  return Object.fromEntries(hashes) as PartHashes
}

/** The bytes of a part, as docs/verify-evidence.mjs makes them. */
function bytesOf(received: ReceivedAlert, part: keyof ReceivedAlert): string | Uint8Array {
  switch (part) {
    case 'headers':
      return lines(sortedHeaders(received).map(([name, value]) => `${name}: ${value}`))
    case 'signature': {
      const { signature } = received
      if (signature === null) return ''
      const { hash, encoding, key, salt, fingerprint } = signature
      return lines([hash, encoding, key, salt, fingerprint])
    }
    case 'body':
      return Buffer.from(received.body, 'base64')
    case 'id':
    case 'received':
    case 'way':
      return received[part]
  }
}

export function linkOf(hashes: PartHashes): string {
  return sha256(lines(['bluepencil link 1', ...partNames.map((name) => `${name} ${hashes[name]}`)]))
}

const derive: (password: string, salt: Buffer, bytes: number, options: ScryptOptions) => Promise<Buffer> =
  promisify(scrypt)

/** Some 40 ms and 16 MiB for each guess. */
const cost = { N: 2 ** 14, r: 8, p: 1 }
const bytes = 16

/** What the store has of a secret: the first twelve hex digits of its SHA-256. */
export function shortHashOf(secret: string): string {
  return hash('sha256', secret, 'hex').slice(0, 12)
}

/** Names a secret to people who have it. It is slow to guess, and another in each installation. */
export async function fingerprintOf(shortHash: string, salt: string): Promise<string> {
  return (await derive(shortHash, Buffer.from(salt, 'hex'), bytes, cost)).toString('hex')
}

/** Made once for each key: there are few. */
export function createFingerprints(): (alert: AlertEvent, salt: string) => Promise<Signature> {
  const known = new Map<string, string>()
  return async ({ evidence }, salt) => {
    if (evidence === undefined) return null
    const { form, secret } = evidence
    const name = `${salt} ${secret}`
    const fingerprint = known.get(name) ?? (await fingerprintOf(secret, salt))
    known.set(name, fingerprint)
    const { hash, encoding, key } = form
    return { hash, encoding, key, salt, fingerprint }
  }
}
