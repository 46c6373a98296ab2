import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import type { Outcome } from '../../event/outcome.ts'
import { AnyEntry } from '../entry-format.ts'
import { StoredOutcome } from '../outcome-format.ts'
import type { StoredEntry } from '../store.ts'
import { Unreadable } from './failure.ts'
import { unpacked } from './sent-messages.ts'

/**
 * What the files of this store look like: lines of JSON, each with its checksum (checked.ts). The first carries the
 * format and this version; a change that an older Bluepencil would misread raises it. Unknown keys are kept: what was
 * accepted is given back whole.
 */
export const version = 2

/** One event as a file has it. */
export interface Recorded extends StoredEntry {
  /** When it was accepted, milliseconds since the epoch. */
  at: number
}

const recordedShape = {
  at: z.number(),
  seq: z.int(),
  entry: AnyEntry,
  outcomes: z.preprocess(unpacked, z.record(z.string(), StoredOutcome)),
}
export const RecordedEvent: z.ZodType<Recorded> = z.object(recordedShape)

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

/** Where a line of a journal or of a sealed file belongs: its segment, and in a journal its number. */
export const FilePlace = z.object({ in: z.int(), n: z.int().exactOptional() })
export type FilePlace = z.infer<typeof FilePlace>

/** The first line of a journal. */
export const JournalHead = headOf('bluepencil-journal', { segment: z.int() })
export type JournalHead = z.infer<typeof JournalHead>

/** The first line of NNNNNN.json, a sealed segment. Its events follow, a line each, in the order in which they came. */
export const SealedHead = headOf('bluepencil-segment', { segment: z.int(), count: z.int() })
export type SealedHead = z.infer<typeof SealedHead>

/** NNNNNN.ids, one line: what opening needs to know of a sealed segment. Made from it, and made again where it does not fit. */
export const IdsLine = headOf('bluepencil-ids', {
  segment: z.int(),
  /** The length of NNNNNN.json when this was written. */
  bytes: z.int(),
  /** The lowest and the highest `seq`. */
  first: z.int(),
  last: z.int(),
  /** When its newest event was accepted, and the newest time that its events name; milliseconds since the epoch. */
  newestAt: z.number(),
  newestSaid: z.number(),
  ids: z.array(z.string()).min(1),
  /** 64 bits for each event: see contents.ts. Empty where they are not known. */
  contents: z.base64(),
  /** What of it is held, and goes out later: id, channel, until when (milliseconds since the epoch), by what. */
  held: z.array(z.tuple([z.string(), z.string(), z.number(), z.string()])).default([]),
  /** What of it is about others: its id, and theirs. Absent where an earlier version wrote it: that is in the sealed file alone. */
  about: z.array(z.tuple([z.string()], z.string())).exactOptional(),
})
export type IdsLine = z.infer<typeof IdsLine>

/** The first line of state.json: small state, by key. A line for each of the keys follows. */
export const StateHead = headOf('bluepencil-state', { keys: z.array(z.string()) })
export type StateHead = z.infer<typeof StateHead>
export const StateLine = z.object({ key: z.string(), value: z.unknown() })
export type StateLine = z.infer<typeof StateLine>

/** What version 1 wrote: each file but a journal one JSON document, and no checksum anywhere. It is read and written anew. */
export const first = {
  journal: z.object({ format: z.literal('bluepencil-journal'), version: z.literal(1), segment: z.int() }),
  sealed: z.object({
    format: z.literal('bluepencil-segment'),
    version: z.literal(1),
    segment: z.int(),
    events: z.array(RecordedEvent),
  }),
  ids: z.object({
    format: z.literal('bluepencil-ids'),
    version: z.literal(1),
    segment: z.int(),
    bytes: z.int(),
    first: z.int(),
    last: z.int(),
    newestAt: z.number(),
    ids: z.array(z.string()).min(1),
  }),
  state: z.object({
    format: z.literal('bluepencil-state'),
    version: z.literal(1),
    state: z.record(z.string(), z.unknown()),
  }),
}

function headOf<F extends string, T extends z.ZodRawShape>(format: F, shape: T) {
  return z.object({ format: z.literal(format), version: z.literal(version), ...shape })
}

const Head = z.object({ format: z.string(), version: z.number() })

/** Throws `Unreadable`, which says what is wrong without quoting the file. */
export function parseStored<T extends { format: string }>(bytes: Buffer, schema: z.ZodType<T>): T {
  const value = parseJson(bytes)
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const head = Head.safeParse(value)
  if (head.success && head.data.version > version) {
    throw new Unreadable(
      `it is of version ${head.data.version}, and this Bluepencil reads versions 1 and 2`,
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
