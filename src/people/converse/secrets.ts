import { createHash, randomBytes } from 'node:crypto'

/** 256 bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, base64url. A secret of 256 bits needs neither salt nor time. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
