import { hash } from 'node:crypto'
import { type AlertEvent, isFinding } from '../../event/event.ts'

/** How a delivery was signed: the form, and which key by a fingerprint that nobody can guess it from (fingerprint.ts). */
export interface SignedBy {
  hash: string
  encoding: string
  key: string
  /** Hex digits. */
  salt: string
  fingerprint: string
}

/** What a link of the chain stands for: all of an alert that came from outside, and when. */
export interface ReceivedAlert {
  id: string
  /** ISO 8601, UTC. */
  received: string
  /** Delivered, read in the service's list of alerts, or found in the published figures. */
  way: 'webhook' | 'list' | 'found'
  headers: Record<string, string>
  signature: SignedBy | null
  body: Uint8Array
}

export type ReceivedPart = keyof ReceivedAlert
export type PartHashes = Record<ReceivedPart, string>

/** In the order of a link. */
export const partNames = [
  'id',
  'received',
  'way',
  'headers',
  'signature',
  'body',
] as const satisfies ReceivedPart[]

/** Whatever is derived of an alert, and what was decided about it, is not of it. */
export function receivedOf(alert: AlertEvent, signature: SignedBy | null): ReceivedAlert {
  return {
    id: alert.id,
    received: alert.receivedAt,
    way: alert.source === 'webhook' ? 'webhook' : isFinding(alert) ? 'found' : 'list',
    headers: alert.evidence?.headers ?? {},
    signature,
    body: Buffer.from(alert.body.text, alert.body.encoding),
  }
}

export function hashesOf(received: ReceivedAlert): PartHashes {
  const hashes = partNames.map((name) => [name, sha256(bytesOf(received, name))])
  return Object.fromEntries(hashes) as PartHashes
}

/** The bytes of a part, as docs/evidence.md describes them. */
function bytesOf(received: ReceivedAlert, part: ReceivedPart): string | Uint8Array {
  switch (part) {
    case 'headers':
      return lines(
        Object.entries(received.headers)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, value]) => `${name}: ${value}`),
      )
    case 'signature': {
      const { signature } = received
      if (signature === null) return ''
      const { hash, encoding, key, salt, fingerprint } = signature
      return lines([hash, encoding, key, salt, fingerprint])
    }
    case 'id':
    case 'received':
    case 'way':
    case 'body':
      return received[part]
  }
}

export function linkOf(hashes: PartHashes): string {
  return sha256(lines(['bluepencil link 1', ...partNames.map((name) => `${name} ${hashes[name]}`)]))
}

export function lines(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}

export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}
