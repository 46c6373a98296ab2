import { readChecked } from './checked.ts'
import { Unreadable } from './failure.ts'
import { FilePlace, first, JournalHead, JournalLine, parseJson, parseStored } from './format.ts'

export interface ReadJournal {
  lines: JournalLine[]
  /** The same as they were written, without their brace and what says where they belong: to write the journal anew. */
  texts: string[]
  /** Bytes up to the end of the last whole line; what is behind was never acknowledged. */
  good: number
  /** The number of the last line. */
  last: number
  /** Lines within the good part that had a wrong bit and are whole again. */
  mended: number
  /** Lines within the good part that are lost. */
  lost: number
  /** Whether the head, which holds no event, is one of them. */
  isHeadLost: boolean
  /** Events within the good part that were never acknowledged. */
  stray: number
  /** Version 1 has no checksums. */
  isFirst: boolean
}

/** Where lines of a batch begin that may be cut off. */
interface Batch {
  good: number
  lines: number
  last: number
}

/**
 * Reads a journal as a crash or a sick disk left it. Only the end can be torn by a crash: a last line without its
 * line feed, or a batch whose last lines are missing. Throws `Unreadable` where it is of another version.
 *
 * `next` is the `seq` with which the next segment begins. An abandoned journal may go on from there with what it
 * could not commit: that was never acknowledged, and its sender was told to try again.
 */
export function readJournal(bytes: Buffer, where: { segment: number; next: number }): ReadJournal {
  const checked = readChecked(bytes)
  if (checked.lines.length === 0 && isFirstVersion(bytes)) return readFirst(bytes, where)
  const read: ReadJournal = { ...empty(), good: checked.good, mended: checked.mended }
  let batch: Batch | undefined
  let expected = 0
  for (const text of checked.lines) {
    const value = parseJson(text)
    const place = isHead(value) ? headPlace(text) : FilePlace.parse(value)
    const number = place.n ?? expected
    if (place.in !== where.segment) continue
    read.lost += Math.max(0, number - expected)
    read.isHeadLost ||= expected === 0 && number > 0
    expected = number + 1
    if (number === 0) continue
    const line = JournalLine.safeParse(value)
    if (!line.success) {
      read.lost += 1
      batch = undefined
      continue
    }
    const start = text.byteOffset - bytes.byteOffset
    batch = batchAt(line.data, batch, { good: start, lines: read.lines.length, last: number - 1 })
    if (line.data.op === 'accept' && line.data.seq >= where.next) read.stray += 1
    else add(read, line.data, text.toString('utf8').replace(placed, ''))
  }
  read.last = Math.max(0, expected - 1)
  for (const { after, lines } of checked.damaged) {
    if (after < checked.lines.length) continue
    read.lost += lines
    read.isHeadLost ||= expected === 0
    batch = undefined
  }
  return cut(read, batch)
}

const placed = /^\{"sum":"[0-9a-f]{16}","in":\d+,"n":\d+,/

function empty(): ReadJournal {
  return {
    lines: [],
    texts: [],
    good: 0,
    last: 0,
    mended: 0,
    lost: 0,
    isHeadLost: false,
    stray: 0,
    isFirst: false,
  }
}

function add(read: ReadJournal, line: JournalLine, text: string): void {
  read.lines.push(line)
  read.texts.push(text)
}

function batchAt(line: JournalLine, batch: Batch | undefined, here: Batch): Batch | undefined {
  return line.op === 'accept' && line.rest > 0 ? (batch ?? here) : undefined
}

/** A batch at the end that is not whole was never acknowledged. */
function cut(read: ReadJournal, batch: Batch | undefined): ReadJournal {
  if (batch === undefined) return read
  const { good, lines, last } = batch
  return { ...read, good, last, lines: read.lines.slice(0, lines), texts: read.texts.slice(0, lines) }
}

function isHead(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'format' in value
}

/** Throws where another version wrote it: nothing that follows is ours to guess at. */
function headPlace(text: Buffer): FilePlace {
  return { in: parseStored(text, JournalHead).segment, n: 0 }
}

/** Version 1: as today, but without checksums and numbers. */
function isFirstVersion(bytes: Buffer): boolean {
  return bytes.subarray(0, 200).includes('"version":1,') || bytes.includes('\n{"op":"')
}

function readFirst(bytes: Buffer, { segment, next }: { segment: number; next: number }): ReadJournal {
  const read: ReadJournal = { ...empty(), isFirst: true }
  let batch: Batch | undefined
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, read.good)) {
    const start = read.good
    const text = bytes.subarray(start, end)
    read.good = end + 1
    if (start === 0 && isFirstHead(text, segment)) continue
    const line = firstLine(text)
    if (line === undefined) {
      read.lost += 1
      read.isHeadLost ||= start === 0
      batch = undefined
      continue
    }
    batch = batchAt(line, batch, { good: start, lines: read.lines.length, last: 0 })
    if (line.op === 'accept' && line.seq >= next) read.stray += 1
    else add(read, line, text.toString('utf8').slice(1))
  }
  return cut(read, batch)
}

function isFirstHead(text: Buffer, segment: number): boolean {
  try {
    return parseStored(text, first.journal).segment === segment
  } catch (error) {
    if (error instanceof Unreadable && error.otherVersion) throw error
    return false
  }
}

function firstLine(text: Buffer): JournalLine | undefined {
  try {
    return JournalLine.parse(parseJson(text))
  } catch {
    return undefined
  }
}
