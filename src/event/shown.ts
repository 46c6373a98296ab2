import { contentOf } from './content.ts'
import { shownPoints } from './delta.ts'
import type { AlertEvent } from './event.ts'

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
