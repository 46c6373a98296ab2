import { hash } from 'node:crypto'

const digits = 32

/**
 * What a body says, as hex digits of a SHA-256. `payload` is the parsed body, undefined where it is no JSON: white space
 * and the order of keys then count, as every byte does.
 */
export function contentOf(body: Uint8Array, payload: unknown): string {
  return hash('sha256', said(body, payload), 'hex').slice(0, digits)
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
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
