import type * as z from 'zod'
import { type CheckedLines, readChecked } from './checked.ts'
import { type Contents, contentsFrom, contentsText } from './contents.ts'
import { Unreadable } from './failure.ts'
import {
  FilePlace,
  first,
  IdsLine,
  parseJson,
  parseStored,
  RecordedEvent,
  SealedHead,
  StateHead,
  StateLine,
  version,
} from './format.ts'
import type { Form } from './json-file.ts'
import { Kept } from './kept.ts'

/** How much of a file was damaged. */
interface Damage {
  /** Lines that had a wrong bit and are whole again. */
  mended: number
  /** What is lost: so many events or keys. */
  lost: number
}

export interface Sealed extends Damage {
  segment: number
  events: Kept[]
  /** The head, which holds no event, is lost, and with it how many there were. */
  isHeadLost: boolean
  /** Version 1 has no checksums. */
  isFirst: boolean
}

export interface Ids extends Omit<IdsLine, 'format' | 'version' | 'contents' | 'about'> {
  contents: Contents
  about: readonly (readonly [id: string, ...named: string[]])[]
}

export interface Stored extends Damage {
  state: Record<string, unknown>
  /** Keys whose values are lost, as far as they are known. */
  lostKeys: string[]
}

export const sealedForm: Form<Sealed> = {
  *lines({ segment, events }) {
    yield JSON.stringify({
      format: 'bluepencil-segment',
      version,
      segment,
      count: events.length,
    } satisfies SealedHead)
    for (const event of events) yield `{"in":${segment},${event.json().slice(1)}`
  },
  parse(bytes) {
    const read = readChecked(bytes)
    if (read.lines.length === 0) {
      const { segment, events } = parseStored(bytes, first.sealed)
      return { segment, events: events.map(Kept.read), isFirst: true, isHeadLost: false, mended: 0, lost: 0 }
    }
    const { head, rest } = headed(read, SealedHead)
    const [segment = -1] = head === undefined ? rest.map(segmentOf) : [head.segment]
    const events = rest.flatMap((line) => {
      const parsed = RecordedEvent.safeParse(line)
      return parsed.success && segmentOf(line) === segment ? [Kept.read(parsed.data)] : []
    })
    const isHeadLost = head === undefined
    const lost = isHeadLost ? linesLost(read) - 1 : head.count - events.length
    return { segment, events, isFirst: false, isHeadLost, mended: read.mended, lost }
  },
}

export const idsForm: Form<Ids> = {
  *lines(ids) {
    yield JSON.stringify({
      format: 'bluepencil-ids',
      version,
      ...ids,
      about: ids.about.map(([id, ...named]) => [id, ...named]),
      contents: contentsText(ids.contents),
    } satisfies IdsLine)
  },
  parse(bytes) {
    const { lines, mended } = readChecked(bytes)
    const [line] = lines
    if (line === undefined) {
      const old = parseStored(bytes, first.ids)
      // What its events said is in the sealed file alone: with a length that does not fit, that is read.
      return { ...old, bytes: -1, newestSaid: old.newestAt, contents: new Uint32Array(), held: [], about: [] }
    }
    const { contents, about, ...ids } = parseStored(line, IdsLine)
    const isWhole = mended === 0 && about !== undefined
    return { ...ids, bytes: isWhole ? ids.bytes : -1, contents: contentsFrom(contents), about: about ?? [] }
  },
}

export const stateForm: Form<Stored> = {
  *lines({ state }) {
    const entries = Object.entries(state).filter(([, value]) => value !== undefined)
    const keys = entries.map(([key]) => key)
    yield JSON.stringify({ format: 'bluepencil-state', version, keys } satisfies StateHead)
    for (const [key, value] of entries) yield JSON.stringify({ key, value } satisfies StateLine)
  },
  parse(bytes) {
    const read = readChecked(bytes)
    if (read.lines.length === 0) {
      return { state: parseStored(bytes, first.state).state, lostKeys: [], mended: 0, lost: 0 }
    }
    const { head, rest } = headed(read, StateHead)
    const state: Record<string, unknown> = {}
    for (const line of rest) {
      const parsed = StateLine.safeParse(line)
      if (parsed.success) state[parsed.data.key] = parsed.data.value
    }
    const lostKeys = head?.keys.filter((key) => !Object.hasOwn(state, key)) ?? []
    const lost = head === undefined ? linesLost(read) : lostKeys.length
    return { state, lostKeys, mended: read.mended, lost }
  },
}

/** One event of a sealed file, where its line is whole; undefined where it is not, or is not there. The rest is not looked at. */
export function eventIn(bytes: Buffer, segment: number, id: string): Kept | undefined {
  const sign = `"id":${JSON.stringify(id)}`
  for (let at = bytes.indexOf(sign); at !== -1; at = bytes.indexOf(sign, at + sign.length)) {
    const { lines, mended } = readChecked(lineAt(bytes, at))
    const [line] = lines
    if (line === undefined || mended > 0) return undefined
    const value = parseJson(line)
    const parsed = RecordedEvent.safeParse(value)
    // Others name it.
    if (parsed.success && parsed.data.entry.id === id && segmentOf(value) === segment)
      return Kept.read(parsed.data)
  }
  return undefined
}

/** With its line feed; nothing where it has none. */
function lineAt(bytes: Buffer, at: number): Buffer {
  return bytes.subarray(bytes.lastIndexOf(10, at) + 1, bytes.indexOf(10, at) + 1)
}

/** The first line, where it is there, and the others. Throws where another version wrote it. */
function headed<T extends { format: string }>({ lines }: CheckedLines, schema: z.ZodType<T>) {
  const [start, ...others] = lines
  const values = others.map(parseJson)
  if (start === undefined) return { head: undefined, rest: values }
  const value = parseJson(start)
  if (typeof value !== 'object' || value === null || !('format' in value)) {
    return { head: undefined, rest: [value, ...values] }
  }
  return { head: parseStored(start, schema), rest: values }
}

/** Where the head is lost, what follows it is all that is known of the file. */
function linesLost({ damaged }: CheckedLines): number {
  return damaged.reduce((sum, { lines }) => sum + lines, 0)
}

function segmentOf(line: unknown): number {
  const place = FilePlace.safeParse(line)
  if (!place.success) throw new Unreadable('it is not as Bluepencil writes it')
  return place.data.in
}
