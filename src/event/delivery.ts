import { createHash } from 'node:crypto'
import * as z from 'zod'
import { readDelta } from './delta.ts'
import { type AlertEvent, knownModels, knownTypes, type Unrecognised } from './event.ts'

const day = 86_400_000
const longestName = 200
const longestUrl = 2048
const longestTime = 64

/** What could be read of one field, and what a reader should know of it all the same. */
interface Reading<T> {
  value: T
  remarks: string[]
}

/** Only the fields that are read. Each is parsed by itself, so that a bad one does not take the others with it. */
const Payload = z.object({
  id: z.unknown().optional(),
  type: z.unknown().optional(),
  model: z.unknown().optional(),
  data: z.unknown().optional(),
  methodology: z.unknown().optional(),
})
const Data = z.object({
  category: z.unknown().optional(),
  delta: z.unknown().optional(),
  detected_at: z.unknown().optional(),
})

const text = z.string({ error: ({ input }) => (input === undefined ? 'missing' : 'not a text') })
/** U+2800 is a Braille cell without dots. */
const visible = /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u
const name = text.trim().min(1, 'empty').regex(visible, 'without a character that can be seen')

/** Printable and without blanks, since people type it. U+FFFD stands for bytes that are lost: two ids might look alike. */
const Id = text
  .min(1, 'empty')
  .regex(
    /^[^\p{C}\p{Z}\uFFFD]{1,200}$/u,
    'longer than 200 characters, or with blanks or unprintable characters',
  )
  .transform((value): Reading<string> => {
    return { value, remarks: value.startsWith('evt_') ? [] : ['does not begin with evt_'] }
  })
const Type = nameFrom(knownTypes)
const Model = nameFrom(knownModels)
const Category = name.transform(cut)

const Delta = text.transform((written, context): Reading<number> => {
  const value = readDelta(written)
  if (value === null) return refuse(context, 'not a change such as +12pp')
  const signed = value === 0 || /^[+\-\u2212]/.test(written.trim())
  return { value, remarks: signed ? [] : ['without a sign; read as a rise'] }
})

const DetectedAt = name.max(longestTime, 'not a date').transform((written, context): Reading<string> => {
  // ISO 8601 sets no limit to the digits of a second; Temporal reads nine.
  const time = written.replace(/([.,]\d{9})\d+/, '$1')
  const instant = attempt(() => Temporal.Instant.from(time).epochMilliseconds)
  if (instant !== undefined) return { value: new Date(instant).toISOString(), remarks: [] }
  // In brackets is a zone or a calendar by name (RFC 9557), which is not UTC.
  const local = time.includes('[')
    ? undefined
    : attempt(() => Temporal.PlainDateTime.from(time).toZonedDateTime('UTC').epochMilliseconds)
  if (local === undefined) return refuse(context, 'not a date')
  return { value: new Date(local).toISOString(), remarks: ['without a time zone; read as UTC'] }
})

const Methodology = name
  .max(longestUrl, `longer than ${longestUrl} characters`)
  .transform((written, context) => {
    const url = URL.parse(written)
    if (url === null) return refuse(context, 'not an address')
    if (!['http:', 'https:'].includes(url.protocol)) return refuse(context, 'not an http or https address')
    if (url.username !== '' || url.password !== '')
      return refuse(context, 'an address with a user name or password')
    return { value: url.href, remarks: [] }
  })

/**
 * Reads the payload of an authentic delivery as far as it can be read. Never throws, whatever the bytes are:
 * an authentic event is not dropped for its shape. What is not as documented has a row in `unrecognised`.
 * `receivedAt` is ISO 8601, UTC.
 */
export function readDelivery(
  body: Uint8Array,
  how: { source: 'webhook' | 'poll'; receivedAt: string },
): AlertEvent {
  const unrecognised: Unrecognised[] = []

  function mark(field: Unrecognised['field'], problem: string): void {
    const row = unrecognised.find((one) => one.field === field)
    if (row === undefined) unrecognised.push({ field, problem })
    else row.problem += `; ${problem}`
  }

  function read<T>(field: Unrecognised['field'], schema: z.ZodType<Reading<T>>, written: unknown): T | null {
    const { success, data, error } = schema.safeParse(written)
    const problems = success ? data.remarks : [error.issues[0]?.message ?? 'not readable']
    for (const problem of problems) mark(field, problem)
    return success ? data.value : null
  }

  const { kept, json } = decode(body)
  if (kept.encoding === 'base64') mark('body', 'not valid UTF-8')
  const parsed = attempt((): unknown => JSON.parse(json))
  if (parsed === undefined) mark('body', body.length === 0 ? 'empty' : 'not JSON')
  const object = Payload.safeParse(parsed)
  if (parsed !== undefined && !object.success) mark('body', 'not a JSON object')
  const payload = object.data ?? {}
  const data = Data.safeParse(payload.data).data ?? {}

  const id = read('id', Id, payload.id)
  if (id === null) mark('id', 'the hash of the body stands for it')
  const type = read('type', Type, payload.type)
  const model = read('model', Model, payload.model)
  const category = read('category', Category, data.category)
  const delta = read('delta', Delta, data.delta)
  const detectedAt = read('detected_at', DetectedAt, data.detected_at)
  const doubt = doubtAbout(detectedAt, how.receivedAt)
  if (doubt !== undefined) mark('detected_at', doubt)
  const methodology = read('methodology', Methodology, payload.methodology)

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
    unrecognised,
    body: kept,
  }
}

/** What is kept gives the same bytes back. What is read is without a byte order mark, and lossy where it must be. */
function decode(body: Uint8Array): { kept: AlertEvent['body']; json: string } {
  const utf8 = attempt(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  if (utf8 !== undefined) return { kept: { encoding: 'utf8', text: utf8 }, json: utf8.replace(/^\uFEFF/, '') }
  const base64 = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  return { kept: { encoding: 'base64', text: base64 }, json: new TextDecoder().decode(body) }
}

/** A documented name in whatever case, or another as it was written. */
function nameFrom(known: readonly string[]): z.ZodType<Reading<string>> {
  return name.transform((written) => {
    const documented = known.find((one) => one === written.toLowerCase())
    if (documented !== undefined) return { value: documented, remarks: [] }
    const { value, remarks } = cut(written)
    return { value, remarks: [`not one of ${known.join(', ')}`, ...remarks] }
  })
}

function cut(written: string): Reading<string> {
  const characters = Array.from(written.slice(0, 2 * longestName + 2).toWellFormed())
  if (characters.length <= longestName) return { value: characters.join(''), remarks: [] }
  return {
    value: characters.slice(0, longestName).join(''),
    remarks: [`longer than ${longestName} characters and cut`],
  }
}

function doubtAbout(detectedAt: string | null, receivedAt: string): string | undefined {
  if (detectedAt === null) return undefined
  if (Date.parse(detectedAt) < Date.UTC(2000, 0)) return 'before the year 2000'
  if (Date.parse(detectedAt) > Date.parse(receivedAt) + day) return 'more than a day after it was received'
  return undefined
}

function refuse(context: z.RefinementCtx, problem: string): never {
  context.addIssue(problem)
  return z.NEVER
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
