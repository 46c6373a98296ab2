import type { ListQuery, StoredEntry } from '../store.ts'
import type { Disk } from './disk.ts'
import { Unreadable, unavailable } from './failure.ts'
import type { SegmentFiles } from './files.ts'
import type { Kept } from './kept.ts'
import type { Memory, Segment } from './memory.ts'
import { mendSealed, quarantineSealed, readSealed } from './sealed.ts'

/** A page of the console and the one before it. One parsed segment takes about 3 MB. */
const kept = 2

/** Reads events wherever they are: in memory where their segment is live, else from its sealed file. */
export interface Archive {
  find(id: string): Promise<StoredEntry | undefined>
  list(query: ListQuery): Promise<StoredEntry[]>
  /** The events of a sealed segment, for their caller alone. Mends its file where that is damaged, so only in upkeep's turn. */
  load(segment: Segment): Promise<Map<string, Kept>>
  /** The segment is live again, or gone. */
  forget(segment: Segment): void
}

export function createArchive(
  parts: {
    disk: Disk
    files: SegmentFiles
    memory: Memory
    /** Does the work when nothing else moves a segment between memory and disk. */
    inTurn<T>(work: () => Promise<T>): Promise<T>
    onTrouble(sentence: string): void
  },
  onLost: (segment: Segment) => void,
): Archive {
  const { files, memory } = parts
  /** Least recently used first. */
  const recent = new Map<Segment, Promise<Map<string, Kept>>>()

  /** The one that was asked for last, where it was found alone. */
  let single: { segment: Segment; id: string; found: Promise<Kept | undefined> } | undefined

  async function eventsOf(segment: Segment): Promise<Map<string, Kept>> {
    if (segment.state !== 'sealed') return segment.events
    const reading = recent.get(segment) ?? read(segment)
    recent.delete(segment)
    recent.set(segment, reading)
    for (const old of [...recent.keys()].slice(0, -kept)) recent.delete(old)
    try {
      return await reading
    } catch (error) {
      recent.delete(segment)
      throw error
    }
  }

  /**
   * Only reads. The segment may change, be sealed again or be dropped meanwhile: what must be written anew is read once
   * more in its turn, and so is what could not be read.
   */
  async function read(segment: Segment): Promise<Map<string, Kept>> {
    const found = await readSealed(files, segment.number).catch(() => undefined)
    if (found === undefined || found.isOutdated) return parts.inTurn(() => load(segment))
    return byId(found.events)
  }

  /**
   * One event is found without the thousand that lie with it: a page of the console shows one. Whoever asks for two has all
   * of them read. What is damaged is read whole, and mended.
   */
  async function one(segment: Segment, id: string): Promise<Kept | undefined> {
    if (segment.state !== 'sealed' || recent.has(segment)) return undefined
    if (single?.segment === segment) return single.id === id ? single.found : undefined
    const found = files.readOne(segment.number, id).catch(() => undefined)
    single = { segment, id, found }
    return found
  }

  async function load(segment: Segment): Promise<Map<string, Kept>> {
    if (segment.state !== 'sealed') return segment.events
    try {
      const { events, lost } = await mendSealed(parts, segment.number)
      const found = byId(events)
      if (lost > 0) memory.held.forget((id) => memory.ids.get(id) === segment && !found.has(id))
      return found
    } catch (error) {
      if (!(error instanceof Unreadable)) {
        throw unavailable(`${files.name(segment.number, 'json')} could not be read`, error)
      }
      segment.state = 'lost'
      parts.onTrouble(await quarantineSealed(parts, segment.number, error))
      onLost(segment)
      return segment.events
    }
  }

  return {
    load,
    forget(segment) {
      recent.delete(segment)
      if (single?.segment === segment) single = undefined
    },
    async find(id) {
      const segment = memory.ids.get(id)
      if (segment === undefined) return undefined
      const found = (await one(segment, id)) ?? (await eventsOf(segment)).get(id)
      return found === undefined ? undefined : toStored(found)
    },
    async list({ limit, before = Number.POSITIVE_INFINITY }) {
      const found: StoredEntry[] = []
      for (const segment of memory.segments.toReversed()) {
        if (found.length >= limit) break
        if (segment.first >= before) continue
        for (const event of [...(await eventsOf(segment)).values()].toReversed()) {
          if (event.seq < before && found.length < limit) found.push(toStored(event))
        }
      }
      return found
    },
  }
}

function byId(events: Kept[]): Map<string, Kept> {
  return new Map(events.map((event) => [event.id, event]))
}

/** The caller may change what it is given. */
function toStored({ seq, entry, outcomes }: Kept): StoredEntry {
  return { seq, entry, outcomes: { ...outcomes } }
}
