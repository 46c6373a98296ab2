import { createHash } from 'node:crypto'

/** A row of an index of Postgres has room for 2,700 bytes. */
const longestBytes = 200

/**
 * An id or a model as a column stores it. Postgres rejects U+0000 and half a surrogate pair, and no index accepts a long text.
 * An event may have any id. A text that cannot be stored as it is is replaced by its hash.
 */
export function keyOf(text: string): string {
  const fits = text.isWellFormed() && !text.includes('\0') && !text.startsWith('#')
  if (fits && Buffer.byteLength(text) <= longestBytes) return text
  return `#${createHash('sha256').update(JSON.stringify(text)).digest('hex')}`
}

/** What a key is locked by: a signed 32-bit number. Two keys that share one wait for each other. */
export function lockOf(key: string): number {
  return createHash('sha256').update(JSON.stringify(key)).digest().readInt32BE(0)
}
