import { hash } from 'node:crypto'
import { shownPoints } from './delta.ts'
import type { AlertEvent, ShownAlert } from './event.ts'

const digits = 32

/**
 * What a body says, as hex digits of a SHA-256. `payload` is the parsed body, undefined if it is no JSON: white space
 * and the order of keys then count, as every byte does.
 */
export function contentOf(body: Uint8Array, payload: unknown): string {
  // JSON that is nested deeper than the stack stands for itself.
  const text = payload === undefined ? undefined : attempt(() => canonical(payload))
  return hash('sha256', text ?? body, 'hex').slice(0, digits)
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
 * What readers see of an event, as a text to compare. It stays the same if only a counter of deliveries in the body changes,
 * the address of the methodology, or the second of the detection. Fields that could not be read are included as they were written.
 */
export function shownOf(event: AlertEvent): string {
  return wholeOf(event) ?? JSON.stringify([fieldsOf(event), writtenOf(event)])
}

/** The same of an event whose body is not at hand; undefined if a field could not be read. */
export function wholeOf(event: ShownAlert): string | undefined {
  const fields = fieldsOf(event)
  return fields.includes(null) ? undefined : JSON.stringify(fields)
}

/** Whether the event says nothing that the other does not say: what could not be read of it says nothing. */
export function saysNoMore(event: ShownAlert, other: ShownAlert): boolean {
  const fields = fieldsOf(other)
  return fieldsOf(event).every((field, index) => field === null || field === fields[index])
}

function fieldsOf({ type, model, category, delta, detectedAt }: ShownAlert): (string | number | null)[] {
  return [type, model, category, delta === null ? null : shownPoints(delta), minuteOf(detectedAt)]
}

/** Of an ISO date: messages show no seconds. */
export function minuteOf(at: string | null): string | null {
  return at?.slice(0, '2026-11-21T13:05'.length) ?? null
}

/** A hash of what was written in those fields. */
function writtenOf({ body }: AlertEvent): string {
  const bytes = Buffer.from(body.text, body.encoding)
  const parsed = attempt((): unknown => JSON.parse(body.text))
  if (!isObject(parsed)) return contentOf(bytes, undefined)
  const { type, model, data } = parsed
  return contentOf(bytes, [type ?? null, model ?? null, data ?? null])
}

/** Undefined if it throws. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
