import { createHash } from 'node:crypto'
import { attempt, contentOf } from './content.ts'
import { readDelta } from './delta.ts'
import { type AlertEvent, type Evidence, knownModels, knownTypes, type Unrecognised } from './event.ts'
import { isOurs, keptAs } from './ids.ts'
import { longestName, longestUrl, ownIdProblem, problems } from './problems.ts'

const day = 86_400_000
const longestTime = 64

/** What could be read of a field, and what a reader should know about it. */
type FieldReading<T> = { value: T; remarks: string[] } | { problem: string }

/** U+2800 is a Braille cell without dots. */
const visible = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u
/**
 * Printable and without blanks, since people type it. U+FFFD stands for bytes that are lost: two ids might look alike. A browser
 * takes one dot or two, escaped or not, for a step in a path: nothing about such an id could be reached.
 */
const usable = /^(?!\.{1,2}$)[^\p{C}\p{Z}\uFFFD]{1,200}$/u
/** The form that the specification shows ("ISO 8601 UTC timestamp"). */
const usualTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

// Each field is read by itself, so that a bad one does not take the others with it. Plain functions: with a zod schema
// for each field, reading was a seventh of what a delivery costs.

function readText(written: unknown): string | { problem: string } {
  if (written === undefined) return { problem: problems.missing }
  return typeof written === 'string' ? written : { problem: problems.notText }
}

function readName(written: unknown): string | { problem: string } {
  const text = readText(written)
  if (typeof text !== 'string') return text
  const name = text.trim()
  if (name === '') return { problem: problems.empty }
  return visible.test(name) ? name : { problem: problems.unseen }
}

function readId(written: unknown): FieldReading<string> {
  const text = readText(written)
  if (typeof text !== 'string') return text
  if (text === '') return { problem: problems.empty }
  if (!usable.test(text)) return { problem: problems.unfitId }
  if (isOurs(text)) return { value: keptAs(text), remarks: [ownIdProblem(text)] }
  return { value: text, remarks: text.startsWith('evt_') ? [] : [problems.otherId] }
}

/** A documented name in any case, or another as it was written. */
function readKnown(written: unknown, known: readonly string[], otherwise: string): FieldReading<string> {
  const name = readName(written)
  if (typeof name !== 'string') return name
  const documented = known.find((one) => one === name.toLowerCase())
  if (documented !== undefined) return { value: documented, remarks: [] }
  const { value, remarks } = cut(name)
  return { value, remarks: [otherwise, ...remarks] }
}

function readChange(written: unknown): FieldReading<number> {
  const text = readText(written)
  if (typeof text !== 'string') return text
  const value = readDelta(text)
  if (value === null) return { problem: problems.noChange }
  const signed = value === 0 || /^[+\-\u2212]/.test(text.trim())
  return { value, remarks: signed ? [] : [problems.noSign] }
}

function readTime(written: unknown): FieldReading<string> {
  const name = readName(written)
  if (typeof name !== 'string') return name
  const usual = usualTime.test(name) ? attempt(() => new Date(name).toISOString()) : undefined
  // Date makes the 2nd of March of the 30th of February.
  if (usual?.startsWith(name.slice(0, 10))) return { value: usual, remarks: [] }
  if (name.length > longestTime) return { problem: problems.noDate }
  // ISO 8601 sets no limit to the digits of a second; Temporal reads nine.
  const time = name.replace(/([.,]\d{9})\d+/, '$1')
  const instant = attempt(() => Temporal.Instant.from(time).epochMilliseconds)
  if (instant !== undefined) return { value: new Date(instant).toISOString(), remarks: [] }
  // In brackets is a zone or a calendar by name (RFC 9557), which is not UTC.
  const local = time.includes('[')
    ? undefined
    : attempt(() => Temporal.PlainDateTime.from(time).toZonedDateTime('UTC').epochMilliseconds)
  if (local === undefined) return { problem: problems.noDate }
  return { value: new Date(local).toISOString(), remarks: [problems.noZone] }
}

function readMethodology(written: unknown): FieldReading<string> {
  const name = readName(written)
  if (typeof name !== 'string') return name
  if (name.length > longestUrl) return { problem: problems.longUrl }
  const url = URL.parse(name)
  if (url === null) return { problem: problems.noUrl }
  if (!['http:', 'https:'].includes(url.protocol)) return { problem: problems.notWeb }
  if (url.username !== '' || url.password !== '') return { problem: problems.urlWithPassword }
  return { value: url.href, remarks: [] }
}

/**
 * Reads the payload of an authentic delivery as far as it can be read. Never throws: an authentic event is not dropped for
 * its shape. What is not as documented has a row in `unrecognised`. `receivedAt` is ISO 8601, UTC.
 */
export function readDelivery(
  body: Uint8Array,
  how: { source: 'webhook' | 'poll'; receivedAt: string; evidence?: Evidence },
): AlertEvent {
  const unrecognised: Unrecognised[] = []

  function mark(field: Unrecognised['field'], problem: string): void {
    const row = unrecognised.find((one) => one.field === field)
    if (row) row.problem += `; ${problem}`
    else unrecognised.push({ field, problem })
  }

  function read<T>(field: Unrecognised['field'], reading: FieldReading<T>): T | null {
    if ('problem' in reading) {
      mark(field, reading.problem)
      return null
    }
    for (const remark of reading.remarks) mark(field, remark)
    return reading.value
  }

  const { kept, json } = decode(body)
  if (kept.encoding === 'base64') mark('body', problems.notUtf8)
  const parsed = attempt((): unknown => JSON.parse(json))
  if (parsed === undefined) mark('body', body.length === 0 ? problems.empty : problems.notJson)
  const payload = isObject(parsed) ? parsed : undefined
  if (parsed !== undefined && payload === undefined) mark('body', problems.notObject)
  const data = isObject(payload?.data) ? payload.data : undefined

  const id = read('id', readId(payload?.id))
  if (id === null) mark('id', problems.hashForId)
  const type = read('type', readKnown(payload?.type, knownTypes, problems.otherType))
  const model = read('model', readKnown(payload?.model, knownModels, problems.otherModel))
  const written = readName(data?.category)
  const category = read('category', typeof written === 'string' ? cut(written) : written)
  const delta = read('delta', readChange(data?.delta))
  const detectedAt = read('detected_at', readTime(data?.detected_at))
  const doubt = doubtAbout(detectedAt, how.receivedAt)
  if (doubt !== undefined) mark('detected_at', doubt)
  const methodology = read('methodology', readMethodology(payload?.methodology))

  return {
    kind: 'alert',
    id: id ?? `body_${createHash('sha256').update(body).digest('hex')}`,
    type,
    model,
    category,
    delta,
    detectedAt,
    methodology,
    ...how,
    figures: null,
    sameAs: null,
    unrecognised,
    content: contentOf(body, parsed),
    body: kept,
  }
}

const strictly = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lossily = new TextDecoder()

/** `kept` gives the same bytes back. `json` has no byte order mark, and is lossy if it must be. */
function decode(body: Uint8Array): { kept: AlertEvent['body']; json: string } {
  const utf8 = attempt(() => strictly.decode(body))
  if (utf8 !== undefined) return { kept: { encoding: 'utf8', text: utf8 }, json: utf8.replace(/^\uFEFF/, '') }
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return { kept: { encoding: 'base64', text: base64 }, json: lossily.decode(body) }
}

function cut(written: string): { value: string; remarks: string[] } {
  const characters = Array.from(written.slice(0, 2 * longestName + 2).toWellFormed())
  if (characters.length <= longestName) return { value: characters.join(''), remarks: [] }
  return { value: characters.slice(0, longestName).join(''), remarks: [problems.cutName] }
}

function doubtAbout(detectedAt: string | null, receivedAt: string): string | undefined {
  if (detectedAt === null) return undefined
  const at = Date.parse(detectedAt)
  if (at < Date.UTC(2000, 0)) return problems.tooEarly
  if (at > Date.parse(receivedAt) + day) return problems.tooLate
  return undefined
}

function isObject(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
