import { contentOf } from '../event/content.ts'
import { type Entry, isFinding } from '../event/event.ts'

/** What the entry says, by its hash; undefined for a notice. What was stored before there were hashes has it computed. */
export function contentOfEntry(entry: Entry): string | undefined {
  if (entry.kind !== 'alert') return undefined
  if (entry.content !== undefined) return entry.content
  const body = Buffer.from(entry.body.text, entry.body.encoding)
  return contentOf(body, parsed(new TextDecoder().decode(body)))
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** When the service saw it, milliseconds since the epoch; 0 where that is not known, and where we found it ourselves. */
export function detectedMs(entry: Entry): number {
  if (entry.kind !== 'alert' || entry.detectedAt === null || isFinding(entry)) return 0
  const ms = Date.parse(entry.detectedAt)
  return Number.isNaN(ms) ? 0 : ms
}
