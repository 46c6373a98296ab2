import { type AlertEvent, isFinding } from '../../event/event.ts'
import { bytesFrom, sha256 } from './bytes.ts'
import { type EvidenceFile, lines, sortedHeaders } from './file.ts'

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
      return bytesFrom(received.body)
    case 'id':
    case 'received':
    case 'way':
      return received[part]
  }
}

export function linkOf(hashes: PartHashes): string {
  return sha256(lines(['bluepencil link 1', ...partNames.map((name) => `${name} ${hashes[name]}`)]))
}
