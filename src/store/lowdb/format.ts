import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import type { AlertEvent, Notice } from '../../event/event.ts'
import { type Outcome, rules } from '../../event/outcome.ts'
import type { StoredEntry } from '../store.ts'
import { Unreadable } from './failure.ts'

/**
 * What the files of this store look like. Each carries its format and this version; a change that an older
 * Bluepencil would misread raises it. Unknown keys are kept: what was accepted is given back whole.
 */
export const version = 1

const Figures = z.looseObject({
  state: z.enum(['visible', 'not-yet']),
  sentence: z.string().nullable(),
  rate: z.number().nullable(),
  sampleSize: z.number().nullable(),
  baseline: z.number().nullable(),
  baselineDays: z.number().nullable(),
  standardErrors: z.number().nullable(),
  readAt: z.string().nullable(),
})

const Said = z.looseObject({
  id: z.string(),
  by: z.enum(['figures', 'service']),
  type: z.string().nullable(),
  model: z.string().nullable(),
  category: z.string().nullable(),
  delta: z.number().nullable(),
  detectedAt: z.string().nullable(),
})

const Alert = z.looseObject({
  kind: z.literal('alert'),
  id: z.string(),
  type: z.string().nullable(),
  model: z.string().nullable(),
  category: z.string().nullable(),
  delta: z.number().nullable(),
  detectedAt: z.string().nullable(),
  methodology: z.string().nullable(),
  source: z.enum(['webhook', 'poll']),
  receivedAt: z.string(),
  unrecognised: z.array(
    z.looseObject({
      field: z.enum(['body', 'id', 'type', 'model', 'category', 'delta', 'detected_at', 'methodology']),
      problem: z.string(),
    }),
  ),
  body: z.looseObject({ encoding: z.enum(['utf8', 'base64']), text: z.string() }),
  // Events that were stored before there was polling have neither.
  figures: Figures.nullable().default(null),
  sameAs: z.string().nullable().default(null),
  missedSince: z.string().exactOptional(),
  content: z.string().exactOptional(),
  revises: z.string().exactOptional(),
  found: z.literal(true).exactOptional(),
  before: Said.exactOptional(),
}) satisfies z.ZodType<AlertEvent>

const OperatorNotice = z.looseObject({
  kind: z.literal('notice'),
  id: z.string(),
  phase: z.enum(['trouble', 'over']),
  channel: z.string().nullable(),
  title: z.string(),
  text: z.string(),
  about: z.looseObject({ key: z.string(), since: z.string() }).exactOptional(),
  receivedAt: z.string(),
}) satisfies z.ZodType<Notice>

const StoredSent = z.looseObject({
  state: z.literal('sent'),
  at: z.string(),
  attempts: z.number(),
  receipt: z.string(),
  unanswered: z.number().exactOptional(),
  alsoTells: z.array(z.string()).exactOptional(),
  incomplete: z.string().exactOptional(),
})

const StoredOutcome = z.discriminatedUnion('state', [
  z.looseObject({
    state: z.literal('waiting'),
    dueAt: z.string(),
    why: z.string(),
    attempts: z.number(),
    firstAttemptAt: z.string().exactOptional(),
    triedMs: z.number().exactOptional(),
    uncertain: z.boolean().exactOptional(),
    begun: z.string().exactOptional(),
    unanswered: z.number().exactOptional(),
    holdMs: z.number().exactOptional(),
    progress: z.array(z.string()).exactOptional(),
    againAt: z.string().exactOptional(),
    completes: StoredSent.exactOptional(),
  }),
  StoredSent,
  z.looseObject({
    state: z.literal('failed'),
    at: z.string(),
    attempts: z.number(),
    why: z.string(),
    unanswered: z.number().exactOptional(),
    progress: z.array(z.string()).exactOptional(),
  }),
  z.looseObject({ state: z.literal('not_sent'), rule: z.enum(rules), why: z.string() }),
]) satisfies z.ZodType<Outcome>

/** One event as a file has it. */
export interface Recorded extends StoredEntry {
  /** When it was accepted, milliseconds since the epoch. */
  at: number
}

const recordedShape = {
  at: z.number(),
  seq: z.int(),
  entry: z.discriminatedUnion('kind', [Alert, OperatorNotice]),
  outcomes: z.record(z.string(), StoredOutcome),
}
const RecordedEvent: z.ZodType<Recorded> = z.object(recordedShape)

/**
 * A line of a journal. `rest` counts the lines of the same batch that follow: a batch is kept whole or not at
 * all. The settlement that stands last for an event and a channel is the one that counts.
 */
export const JournalLine: z.ZodType<JournalLine> = z.discriminatedUnion('op', [
  z.object({ op: z.literal('accept'), rest: z.int().nonnegative(), ...recordedShape }),
  z.object({ op: z.literal('settle'), id: z.string(), channel: z.string(), outcome: StoredOutcome }),
])
export type JournalLine =
  | ({ op: 'accept'; rest: number } & Recorded)
  | { op: 'settle'; id: string; channel: string; outcome: Outcome }

/** The first line of a journal. */
export const JournalHead = z.object({
  format: z.literal('bluepencil-journal'),
  version: z.literal(version),
  segment: z.int(),
})
export type JournalHead = z.infer<typeof JournalHead>

/** NNNNNN.json: a sealed segment, its events in the order in which they came. */
export const SealedFile = z.object({
  format: z.literal('bluepencil-segment'),
  version: z.literal(version),
  segment: z.int(),
  events: z.array(RecordedEvent),
})
export type SealedFile = z.infer<typeof SealedFile>

/** NNNNNN.ids: what opening needs to know of a sealed segment. Made from it, and made again where it does not fit. */
export const IdsFile = z.object({
  format: z.literal('bluepencil-ids'),
  version: z.literal(version),
  segment: z.int(),
  /** The length of NNNNNN.json when this was written. */
  bytes: z.int(),
  /** The lowest and the highest `seq`. */
  first: z.int(),
  last: z.int(),
  /** When its newest event was accepted, milliseconds since the epoch. */
  newestAt: z.number(),
  ids: z.array(z.string()).min(1),
})
export type IdsFile = z.infer<typeof IdsFile>

/** state.json: small state, by key. */
export const StateFile = z.object({
  format: z.literal('bluepencil-state'),
  version: z.literal(version),
  state: z.record(z.string(), z.unknown()),
})
export type StateFile = z.infer<typeof StateFile>

const Head = z.object({ format: z.string(), version: z.number() })

/** Throws `Unreadable`, which says what is wrong without quoting the file. */
export function parseStored<T extends { format: string }>(bytes: Buffer, schema: z.ZodType<T>): T {
  const value = parseJson(bytes)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const head = Head.safeParse(value)
  if (head.success && head.data.version !== version) {
    throw new Unreadable(
      `it is of version ${head.data.version}, and this Bluepencil reads version ${version}`,
      true,
    )
  }
  throw new Unreadable('it is not as Bluepencil writes it')
}

/** The parser's own message is dropped: it quotes the text, and the text may be secret. */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Unreadable('it is not UTF-8 text')
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Unreadable('it is not whole JSON')
  }
}
