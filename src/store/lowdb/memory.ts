import type { Outcome } from '../../event/outcome.ts'
import { type Contents, hasContent } from './contents.ts'
import type { Disk } from './disk.ts'
import type { SegmentFiles } from './files.ts'
import type { Ids } from './forms.ts'
import { createHeld, type HeldNotifications } from './held.ts'
import { createJournal, type Journal, type JournalFound } from './journal.ts'
import type { Kept } from './kept.ts'
import { createNeighbours, type Neighbours } from './neighbours.ts'
import { createOwed, type OwedNotifications } from './owed.ts'
import { shared } from './sent-messages.ts'

/**
 * A part of the events, in order of arrival. Live: its events are in memory, because it takes new ones, owes
 * something or is about to change; its journal holds what its sealed file (if it has one) does not. Sealed: on disk
 * alone. Lost: its file was damaged and set aside; its ids are still known. Dropped: past retention.
 */
export interface Segment {
  readonly number: number
  state: 'live' | 'sealing' | 'sealed' | 'lost' | 'dropped'
  /** By id, in order of arrival; empty unless live or being sealed. */
  events: Map<string, Kept>
  /** What its events say, where they are not in memory. */
  contents: Contents
  journal: Journal
  /** How many events it has, wherever they are. */
  count: number
  /** The lowest and the highest `seq`. */
  first: number
  last: number
  /** When its newest event was accepted, milliseconds since the epoch. */
  newestAt: number
  /** The newest time at which the service saw one of them; milliseconds since the epoch. */
  newestSaid: number
  /** Notifications that it owes. */
  waiting: number
  /** Changes under way: while there are any, it is neither sealed nor dropped. */
  busy: number
}

/** What the process knows without reading: all ids, all segments, and the events of those that are live. */
export interface Memory {
  /** Ascending by number, and so by `seq`. */
  segments: Segment[]
  ids: Map<string, Segment>
  /** By the id that they name: what is about it, in order of arrival. */
  naming: Map<string, string[]>
  owed: OwedNotifications
  held: HeldNotifications
  /** As they are when the commit that is being gathered is on disk. */
  near: Neighbours
  /** The segment that takes new events; the next event begins one where there is none. */
  current: Segment | undefined
  nextSegment: number
  nextSeq: number
  /** The last alert that the service delivered to this process; milliseconds since the epoch. */
  lastAlert: { at: number; detectedAt: number } | undefined
}

/**
 * A journal that is this long is full, however few its events: reading and sealing it holds all of it in memory.
 * 1,000 ordinary events and their outcomes take about 1 MB.
 */
const fullBytes = 32 * 2 ** 20

export function isFull(segment: Segment, segmentSize: number): boolean {
  return segment.count >= segmentSize || segment.journal.size() >= fullBytes
}

const nothing: Contents = new Uint32Array()

export function createMemory(now: () => number): Memory {
  return {
    segments: [],
    ids: new Map(),
    naming: new Map(),
    owed: createOwed(now),
    held: createHeld(),
    near: createNeighbours(),
    current: undefined,
    nextSegment: 1,
    nextSeq: 1,
    lastAlert: undefined,
  }
}

export function createSegment(
  disk: Disk,
  files: SegmentFiles,
  number: number,
  found: JournalFound = { good: 0, torn: false, lines: 0 },
): Segment {
  return {
    number,
    state: 'live',
    events: new Map(),
    contents: nothing,
    journal: createJournal(disk, files.path(number, 'journal'), { segment: number, ...found }),
    count: 0,
    first: Number.POSITIVE_INFINITY,
    last: 0,
    newestAt: 0,
    newestSaid: 0,
    waiting: 0,
    busy: 0,
  }
}

export function addSegment(memory: Memory, segment: Segment): void {
  memory.segments.push(segment)
  memory.nextSegment = Math.max(memory.nextSegment, segment.number + 1)
}

/** Takes in ids of events that stay on disk. */
export function addIds(memory: Memory, segment: Segment, file: Ids): void {
  for (const id of file.ids) memory.ids.set(id, segment)
  for (const [id, ...named] of file.about) addNames(memory, id, named)
  segment.count = file.ids.length
  segment.contents = file.contents
  extend(memory, segment, file)
}

/**
 * Whether what is known under the id says the same as `content`. Findings and notices are given without any: they are
 * the same as whatever has their id.
 */
export function saysTheSame(segment: Segment, id: string, content: string | undefined): boolean {
  if (content === undefined) return true
  const kept = segment.events.get(id)
  return kept === undefined ? hasContent(segment.contents, id, content) : kept.content === content
}

export function addEvent(memory: Memory, segment: Segment, kept: Kept): void {
  memory.ids.set(kept.id, segment)
  addNames(memory, kept.id, kept.names)
  segment.events.set(kept.id, kept)
  segment.count += 1
  const { seq, at, detectedMs } = kept
  extend(memory, segment, { first: seq, last: seq, newestAt: at, newestSaid: detectedMs })
  for (const [channel, { state }] of Object.entries(kept.outcomes)) {
    if (state === 'held') memory.held.update(kept, channel)
    if (state !== 'waiting') continue
    segment.waiting += 1
    memory.owed.update(kept, channel)
  }
}

function addNames({ naming }: Memory, id: string, names: readonly string[]): void {
  for (const named of names) {
    const known = naming.get(named)
    if (known === undefined) naming.set(named, [id])
    else if (!known.includes(id)) known.push(id)
  }
}

export function setOutcome(
  memory: Memory,
  segment: Segment,
  kept: Kept,
  { channel, outcome }: { channel: string; outcome: Outcome },
): void {
  if (outcomeOf(kept, channel)?.state === 'waiting') segment.waiting -= 1
  if (outcome.state === 'waiting') segment.waiting += 1
  kept.outcomes[channel] = shared(kept.outcomes, channel, outcome)
  memory.owed.update(kept, channel)
  memory.held.update(kept, channel)
  memory.near.onDisk(kept.id, channel, outcome)
}

/** A channel may be called `constructor`. */
export function outcomeOf({ outcomes }: Kept, channel: string): Outcome | undefined {
  return Object.hasOwn(outcomes, channel) ? outcomes[channel] : undefined
}

type Extent = Pick<Segment, 'first' | 'last' | 'newestAt' | 'newestSaid'>

function extend(memory: Memory, segment: Segment, { first, last, newestAt, newestSaid }: Extent): void {
  segment.first = Math.min(segment.first, first)
  segment.last = Math.max(segment.last, last)
  segment.newestAt = Math.max(segment.newestAt, newestAt)
  segment.newestSaid = Math.max(segment.newestSaid, newestSaid)
  memory.nextSeq = Math.max(memory.nextSeq, last + 1)
}
