import { createHash } from 'node:crypto'

/** A row of an index of Postgres has room for 2,700 bytes. */
const longestBytes = 200

/**
 * What an id or a model is called in a column. Postgres' text knows neither U+0000 nor half a surrogate pair, and no index
 * takes a long text; an event may have any id. Whatever cannot stand there as it is has the hash of it instead.
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
