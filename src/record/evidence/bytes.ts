import { hash } from 'node:crypto'

/*
 * All that verifying a file needs of Node. The page that verifies in a browser puts pack/verify-page/bytes.js in its place; everything else is
 * the same code there.
 */

export function sha256(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'hex')
}

export function bytesFrom(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64')
}

export function base64Of(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
