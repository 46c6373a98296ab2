import { setAsideSealed } from './archive.ts'
import type { Disk } from './disk.ts'
import { reasonOf, Unreadable } from './failure.ts'
import { type SegmentFiles, type SegmentKind, setAside } from './files.ts'
import type { IdsFile, JournalLine } from './format.ts'
import { journalHead } from './journal.ts'
import { replaceFile } from './json-file.ts'
import { Kept } from './kept.ts'
import { addEvent, addIds, addSegment, createSegment, isFull, type Memory } from './memory.ts'
import { type ReadJournal, readJournal } from './read-journal.ts'

export interface RecoverParts {
  disk: Disk
  files: SegmentFiles
  memory: Memory
  segmentSize: number
  onTrouble(sentence: string): void
}

/** What the files of one segment say. */
interface Found {
  number: number
  /** What is known of its sealed file where that is not read now. */
  ids: IdsFile | undefined
  isLost: boolean
  /** Where it has a journal: its events as they are after every change. */
  live: { events: Map<string, Kept>; good: number; torn: boolean; hasSealed: boolean } | undefined
}

/**
 * Reads the folder as the last process left it, however that ended. Sealed segments are known by their ids alone;
 * what has a journal is read whole. Damage is set aside and told, and everything else is served.
 */
export async function recover(parts: RecoverParts): Promise<void> {
  const found: Found[] = []
  let next = Number.POSITIVE_INFINITY
  for (const [number, kinds] of [...(await parts.files.present())].reverse()) {
    const one = kinds.has('journal')
      ? await readLive(parts, number, kinds, next)
      : await readSealed(parts, number, kinds)
    for (const { seq } of one.live?.events.values() ?? []) next = Math.min(next, seq)
    if (one.ids !== undefined) next = Math.min(next, one.ids.first)
    found.push(one)
  }
  for (const one of found.reverse()) await remember(parts, one)
}

async function readSealed(parts: RecoverParts, number: number, kinds: Set<SegmentKind>): Promise<Found> {
  const { disk, files } = parts
  const ids = kinds.has('ids') ? await files.readIds(number) : undefined
  const sealed: Found = { number, ids, isLost: false, live: undefined }
  if (!kinds.has('json')) return { ...sealed, isLost: true }
  if (ids !== undefined && ids.bytes === (await files.sealedBytes(number))) return sealed
  try {
    return { ...sealed, ids: await files.writeIds(number, await files.readSealed(number)) }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    parts.onTrouble(await setAsideSealed(disk, files, number, error))
    return { ...sealed, isLost: true }
  }
}

async function readLive(
  parts: RecoverParts,
  number: number,
  kinds: Set<SegmentKind>,
  next: number,
): Promise<Found> {
  const { disk, files } = parts
  const bytes = (await disk.read(files.path(number, 'journal'))) ?? Buffer.alloc(0)
  const read = await readJournalOf(parts, number, next, bytes)
  if (read === undefined) return readSealed(parts, number, kinds)
  const isMended = read.damaged > 0 || read.stray > 0
  const good = isMended ? await mend(parts, number, read) : read.good

  const base = kinds.has('json') ? await readBase(parts, number) : undefined
  const ids = kinds.has('ids') && base === undefined ? await files.readIds(number) : undefined
  const events = new Map(base?.map((event) => [event.id, event]))
  for (const line of read.lines) apply(events, line)
  // Changes of events that were lost with their sealed file.
  if (events.size === 0 && ids !== undefined) return { number, ids, isLost: true, live: undefined }
  const torn = !isMended && good < bytes.length
  return { number, ids, isLost: false, live: { events, good, torn, hasSealed: base !== undefined } }
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
    const suffix = await setAside(disk, files.path(segment, 'journal'), 'rename')
    onTrouble(
      `${name} could not be read (${reasonOf(error)}) and is kept as ${name}${suffix}; its events are not shown, and what they owe is not sent; everything else is served`,
    )
    return undefined
  }
}

async function readBase(
  { disk, files, onTrouble }: RecoverParts,
  number: number,
): Promise<Kept[] | undefined> {
  try {
    return await files.readSealed(number)
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    onTrouble(await setAsideSealed(disk, files, number, error))
    return undefined
  }
}

/** Keeps a copy of a damaged journal, and leaves in its place the lines that are good. Answers its length. */
async function mend(
  { disk, files, onTrouble }: RecoverParts,
  number: number,
  read: ReadJournal,
): Promise<number> {
  const name = files.name(number, 'journal')
  const path = files.path(number, 'journal')
  const suffix = await setAside(disk, path, 'copy')
  const text = journalHead(number) + read.mended
  await replaceFile(disk, path, text)
  const kept = `the file as it was is kept as ${name}${suffix}`
  if (read.damaged > 0) {
    onTrouble(
      `${count(read.damaged, 'line')} of ${name} could not be read, and ${kept}; an event may be missing, or a notification may be sent again; everything else is served`,
    )
  }
  if (read.stray > 0) {
    onTrouble(
      `${count(read.stray, 'event')} of ${name} had not been stored when the disk failed, and ${kept}; the sender was told to send again`,
    )
  }
  return Buffer.byteLength(text)
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`
}

/** An event that is there already came with the sealed file; a settlement without its event had a damaged one. */
function apply(events: Map<string, Kept>, line: JournalLine): void {
  if (line.op === 'accept') {
    const { at, seq, entry, outcomes } = line
    if (!events.has(entry.id)) events.set(entry.id, Kept.read({ at, seq, entry, outcomes }))
    return
  }
  const event = events.get(line.id)
  if (event !== undefined) event.outcomes[line.channel] = line.outcome
}

async function remember({ disk, files, memory, segmentSize }: RecoverParts, found: Found): Promise<void> {
  const { number, ids, isLost, live } = found
  const segment = createSegment(disk, files, number, live)
  memory.current = undefined
  addSegment(memory, segment)
  if (ids !== undefined) addIds(memory, segment, ids)
  if (live === undefined) {
    segment.state = isLost ? 'lost' : 'sealed'
    return
  }
  segment.count = 0
  for (const event of live.events.values()) addEvent(memory, segment, event)
  if (!live.hasSealed && !isFull(segment, segmentSize)) memory.current = segment
  await segment.journal.mend()
  await segment.journal.rest()
}
