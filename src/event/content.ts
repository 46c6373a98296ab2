import { hash } from 'node:crypto'
import { shownPoints } from './delta.ts'
import type { AlertEvent } from './event.ts'

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

/**
 * What a reader is shown of an event, as a text that is the same where that is the same: a counter of deliveries in the
 * body, or another address of the methodology, changes nothing of it. What could not be read is shown as it was written.
 */
export function shownOf(event: AlertEvent): string {
  const { type, model, category, delta, detectedAt } = event
  const read = [type, model, category, delta === null ? null : shownPoints(delta), detectedAt]
  return JSON.stringify(read.includes(null) ? [read, writtenOf(event)] : read)
}

/** As a hash, of what was written where those fields belong. */
function writtenOf({ body }: AlertEvent): string {
  const bytes = Buffer.from(body.text, body.encoding)
  const parsed = parse(body.text)
  if (typeof parsed !== 'object' || parsed === null) return contentOf(bytes, undefined)
  const [type, model, data] = ['type', 'model', 'data'].map((name) => Reflect.get(parsed, name))
  return contentOf(bytes, [type ?? null, model ?? null, data ?? null])
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
