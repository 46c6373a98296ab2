import { createHmac, timingSafeEqual } from 'node:crypto'

/** What asks whether an address leads to us has a nonce in this header. */
export const probeHeader = 'x-bluepencil-probe'

/** What only a process with this key can answer. */
export function probeAnswer(nonce: string, key: string | Buffer): string {
  return createHmac('sha256', key).update(nonce).digest('hex')
}

/** In constant time. */
export function isProbeAnswer(text: string, expected: string): boolean {
  return text.length === expected.length && timingSafeEqual(Buffer.from(text), Buffer.from(expected))
}
