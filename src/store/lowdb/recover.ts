import { counted } from '../../text/counted.ts'
import type { Disk } from './disk.ts'
import { reasonOf, Unreadable } from './failure.ts'
import { quarantine, type SegmentFiles, type SegmentKind } from './files.ts'
import type { JournalLine } from './format.ts'
import type { Ids } from './forms.ts'
import { type JournalFound, journalHead, journalLines } from './journal.ts'
import { replaceFile } from './json-file.ts'
import { Kept } from './kept.ts'
import { addEvent, addIds, addSegment, createSegment, isFull, type Memory } from './memory.ts'
import { type ReadJournal, readJournal } from './read-journal.ts'
import { mendSealed, quarantineSealed } from './sealed.ts'
import { shared } from './sent-messages.ts'

interface RecoverParts {
  disk: Disk
  files: SegmentFiles
  memory: Memory
  segmentSize: number
  onTrouble(sentence: string): void
}

/** What the files of one segment say. */
export interface Recovered {
  number: number
  /** What is known of its sealed file where that is not read now. */
  ids: Ids | undefined
  /** Its sealed file is missing, or was set aside. */
  isLost: boolean
  /** Some of it was damaged, which has been reported. */
  isHurt: boolean
  /** Version 1 wrote it. */
  isFirst: boolean
  /** Where it has a journal: its events as they are after every change. */
  live: (JournalFound & { events: Map<string, Kept>; hasSealed: boolean }) | undefined
}

/**
 * Reads the folder as the last process left it, however that ended. Sealed segments are known by their ids alone;
 * what has a journal is read whole. Damage is mended or set aside and reported, and everything else is served.
 */
export async function recover(parts: RecoverParts): Promise<Recovered[]> {
  const found: Recovered[] = []
  let next = Number.POSITIVE_INFINITY
  for (const [number, kinds] of [...(await parts.files.present())].reverse()) {
    const one = kinds.has('journal')
      ? await readLive(parts, number, kinds, next)
      : await readWithoutJournal(parts, number, kinds)
    for (const { seq } of one.live?.events.values() ?? []) next = Math.min(next, seq)
    if (one.ids !== undefined) next = Math.min(next, one.ids.first)
    found.push(one)
  }
  found.reverse()
  for (const one of found) await remember(parts, one)
  return found
}

async function readWithoutJournal(
  parts: RecoverParts,
  number: number,
  kinds: Set<SegmentKind>,
): Promise<Recovered> {
  const { files } = parts
  const ids = kinds.has('ids') ? await files.readIds(number) : undefined
  const sealed: Recovered = { number, ids, isLost: false, isHurt: false, isFirst: false, live: undefined }
  if (!kinds.has('json')) return { ...sealed, isLost: true }
  if (ids !== undefined && ids.bytes === (await files.sealedBytes(number))) return sealed
  try {
    const { events, isHurt } = await mendSealed(parts, number)
    return { ...sealed, isHurt, isFirst: true, ids: await files.writeIds(number, events) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    parts.onTrouble(await quarantineSealed(parts, number, error))
    return { ...sealed, isHurt: true, isLost: true }
  }
}

async function readLive(
  parts: RecoverParts,
  number: number,
  kinds: Set<SegmentKind>,
  next: number,
): Promise<Recovered> {
  const { disk, files } = parts
  const bytes = (await disk.read(files.path(number, 'journal'))) ?? Buffer.alloc(0)
  const read = await readJournalOf(parts, number, next, bytes)
  if (read === undefined) return { ...(await readWithoutJournal(parts, number, kinds)), isHurt: true }
  const isDamaged = read.lost > 0 || read.mended > 0 || read.stray > 0
  const journal =
    isDamaged || read.isFirst
      ? await writeAnew(parts, number, read, isDamaged)
      : // Its end may be in the system's memory alone, where a process was killed: cut back to what is read, it is on disk.
        { good: read.good, torn: bytes.length > 0, lines: read.last }

  const base = kinds.has('json') ? await readBase(parts, number) : undefined
  const ids = kinds.has('ids') && base === undefined ? await files.readIds(number) : undefined
  const events = new Map(base?.events.map((event) => [event.id, event]))
  for (const line of read.lines) apply(events, line)
  const isHurt = isDamaged || (base?.isHurt ?? kinds.has('json'))
  const found: Recovered = { number, ids, isLost: false, isHurt, isFirst: read.isFirst, live: undefined }
  // Changes of events that were lost with their sealed file.
  if (events.size === 0 && ids !== undefined) return { ...found, isLost: true }
  return { ...found, live: { ...journal, events, hasSealed: base !== undefined } }
}

async function readJournalOf(
  { disk, files, onTrouble }: RecoverParts,
  segment: number,
  next: number,
  bytes: Buffer,
): Promise<ReadJournal | undefined> {
  try {
    return readJournal(bytes, { segment, next })
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    const name = files.name(segment, 'journal')
    const suffix = await quarantine(disk, files.path(segment, 'journal'), 'rename')
    onTrouble(
      `${name} could not be read (${reasonOf(error)}) and is kept as ${name}${suffix}; its events are not shown, and what they owe is not sent; everything else is served`,
    )
    return undefined
  }
}

async function readBase(
  parts: RecoverParts,
  number: number,
): Promise<{ events: Kept[]; isHurt: boolean } | undefined> {
  try {
    return await mendSealed(parts, number)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    parts.onTrouble(await quarantineSealed(parts, number, error))
    return undefined
  }
}

/** Leaves the lines that are good in place of a damaged journal, of which a copy is kept, or of one of version 1. */
async function writeAnew(
  { disk, files, onTrouble }: RecoverParts,
  number: number,
  read: ReadJournal,
  isDamaged: boolean,
): Promise<JournalFound> {
  const name = files.name(number, 'journal')
  const path = files.path(number, 'journal')
  const suffix = isDamaged ? await quarantine(disk, path, 'copy') : ''
  const bytes = Buffer.concat([journalHead(number), journalLines(number, 0, read.texts)])
  await replaceFile(disk, path, bytes)
  for (const what of damagesOf(read)) {
    onTrouble(what(name, `the file as it was is kept as ${name}${suffix}`))
  }
  return { good: bytes.length, torn: false, lines: read.texts.length }
}

function* damagesOf({ mended, lost, isHeadLost, stray }: ReadJournal) {
  if (mended > 0) {
    yield (name: string, kept: string) =>
      `${counted(mended, 'line')} of ${name} had a wrong bit and ${mended === 1 ? 'was' : 'were'} mended; nothing is lost by it, and ${kept}`
  }
  if (lost === 1 && isHeadLost) {
    yield (name: string, kept: string) =>
      `the head of ${name} could not be read; nothing is lost by it, and ${kept}`
  } else if (lost > 0) {
    yield (name: string, kept: string) =>
      `${counted(lost, 'line')} of ${name} could not be read, and ${kept}; an event may be missing, or a notification may be sent again; everything else is served`
  }
  if (stray > 0) {
    yield (name: string, kept: string) =>
      `${counted(stray, 'event')} of ${name} had not been stored when the disk failed, and ${kept}; the sender was asked to send again`
  }
}

/** An event that is there already came with the sealed file; a settlement without its event had a damaged one. */
function apply(events: Map<string, Kept>, line: JournalLine): void {
  if (line.op === 'accept') {
    const { at, seq, entry, outcomes } = line
    if (!events.has(entry.id)) events.set(entry.id, Kept.read({ at, seq, entry, outcomes }))
    return
  }
  const event = events.get(line.id)
  if (event !== undefined) event.outcomes[line.channel] = shared(event.outcomes, line.channel, line.outcome)
}

async function remember({ disk, files, memory, segmentSize }: RecoverParts, found: Recovered): Promise<void> {
  const { number, ids, isLost, live } = found
  const segment = createSegment(disk, files, number, live)
  memory.current = undefined
  addSegment(memory, segment)
  if (ids !== undefined) addIds(memory, segment, ids)
  if (live === undefined) {
    segment.state = isLost ? 'lost' : 'sealed'
    if (!isLost && ids !== undefined) memory.held.add(ids.held)
    return
  }
  segment.count = 0
  for (const event of live.events.values()) addEvent(memory, segment, event)
  if (!live.hasSealed && !isFull(segment, segmentSize)) memory.current = segment
  await segment.journal.mend()
  await segment.journal.rest()
}
