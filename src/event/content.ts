import { createHash } from 'node:crypto'

const digits = 32

/**
 * What a body says, as hex digits of a SHA-256. `payload` is the parsed body, undefined where it is no JSON: white space
 * and the order of keys then count, as every byte does.
 */
export function contentOf(body: Uint8Array, payload: unknown): string {
  return createHash('sha256').update(said(body, payload)).digest('hex').slice(0, digits)
}

function said(body: Uint8Array, payload: unknown): Uint8Array | string {
  if (payload === undefined) return body
  try {
    return canonical(payload)
  } catch {
    // Nested deeper than the stack: its bytes stand for it.
    return body
  }
}

/** The JSON text of a value with the keys of every object in one order. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join()}}`
}
