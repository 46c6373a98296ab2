import { Unreadable } from './failure.ts'
import { JournalHead, JournalLine, parseJson, parseStored } from './format.ts'

export interface ReadJournal {
  lines: JournalLine[]
  /** Bytes up to the end of the last whole line; what is behind was never acknowledged. */
  good: number
  /** Lines within the good part that do not read. */
  damaged: number
  /** Events within the good part that were never acknowledged. */
  stray: number
  /** The good part without either, nor the head. */
  mended: string
}

/**
 * Reads a journal as a crash or a sick disk left it. Only the end can be torn by a crash: a last line without its
 * line feed, or a batch whose last lines are missing. Throws `Unreadable` where it is of another version.
 *
 * `next` is the `seq` with which the next segment begins. An abandoned journal may go on from there with what it
 * could not commit: that was never acknowledged, and its sender was told to try again.
 */
export function readJournal(
  bytes: Buffer,
  { segment, next }: { segment: number; next: number },
): ReadJournal {
  const read: ReadJournal = { lines: [], good: 0, damaged: 0, stray: 0, mended: '' }
  let batch: { good: number; lines: number; mended: number } | undefined
  let start = 0
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    const text = bytes.subarray(start, end)
    const line = start === 0 ? readHead(text, segment) : readLine(text)
    if (line === undefined) read.damaged += 1
    if (line?.op === 'accept' && line.rest > 0) {
      batch ??= { good: start, lines: read.lines.length, mended: read.mended.length }
    } else batch = undefined
    start = end + 1
    if (line === undefined || line.op === 'head') continue
    if (line.op === 'accept' && line.seq >= next) {
      read.stray += 1
      continue
    }
    read.lines.push(line)
    read.mended += `${text.toString('utf8')}\n`
  }
  read.good = start
  if (batch === undefined) return read
  return {
    ...read,
    good: batch.good,
    lines: read.lines.slice(0, batch.lines),
    mended: read.mended.slice(0, batch.mended),
  }
}

function readHead(text: Buffer, segment: number): { op: 'head' } | undefined {
  try {
    return parseStored(text, JournalHead).segment === segment ? { op: 'head' } : undefined
  } catch (error) {
    // A head of another version: nothing that follows is ours to guess at. One that is not even JSON: damage.
    if (error instanceof Unreadable && error.otherVersion) throw error
    return undefined
  }
}

function readLine(text: Buffer): JournalLine | undefined {
  try {
    const parsed = JournalLine.safeParse(parseJson(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
