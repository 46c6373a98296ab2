// What src/record/evidence/bytes.ts does with Node, in any browser, and also in a page without https, which has no crypto.subtle.
import hash from 'fast-sha256'

export function sha256(bytes) {
  const digest = hash(typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function bytesFrom(base64) {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

export function base64Of(bytes) {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
