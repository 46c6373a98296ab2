import type { ListQuery, StoredEntry } from '../store.ts'
import type { Disk } from './disk.ts'
import { Unreadable, unavailable } from './failure.ts'
import type { SegmentFiles } from './files.ts'
import type { Kept } from './kept.ts'
import type { Memory, Segment } from './memory.ts'
import { readSealed, setAsideSealed } from './sealed.ts'

/** A page of the console and the one before it. One parsed segment takes about 3 MB. */
const kept = 2

/** Reads events wherever they are: in memory where their segment is live, else from its sealed file. */
export interface Archive {
  find(id: string): Promise<StoredEntry | undefined>
  list(query: ListQuery): Promise<StoredEntry[]>
  /** The events of a sealed segment, for their caller alone. */
  load(segment: Segment): Promise<Map<string, Kept>>
  /** The segment is live again, or gone. */
  forget(segment: Segment): void
}

export function createArchive(
  parts: { disk: Disk; files: SegmentFiles; memory: Memory; onTrouble(sentence: string): void },
  onLost: (segment: Segment) => void,
): Archive {
  const { files, memory } = parts
  /** Least recently used first. */
  const recent = new Map<Segment, Promise<Map<string, Kept>>>()

  async function eventsOf(segment: Segment): Promise<Map<string, Kept>> {
    if (segment.state !== 'sealed') return segment.events
    const read = recent.get(segment) ?? load(segment)
    recent.delete(segment)
    recent.set(segment, read)
    for (const old of [...recent.keys()].slice(0, -kept)) recent.delete(old)
    try {
      return await read
    } catch (error) {
      recent.delete(segment)
      throw error
    }
  }

  async function load(segment: Segment): Promise<Map<string, Kept>> {
    try {
      const { events } = await readSealed(parts, segment.number)
      return new Map(events.map((event) => [event.id, event]))
    } catch (error) {
      // It was dropped, or changed, while it was being read.
      if (segment.state !== 'sealed') return segment.events
      if (!(error instanceof Unreadable)) {
        throw unavailable(`${files.name(segment.number, 'json')} could not be read`, error)
      }
      segment.state = 'lost'
      parts.onTrouble(await setAsideSealed(parts, segment.number, error))
      onLost(segment)
      return segment.events
    }
  }

  return {
    load,
    forget: (segment) => void recent.delete(segment),
    async find(id) {
      const segment = memory.ids.get(id)
      if (segment === undefined) return undefined
      const found = (await eventsOf(segment)).get(id)
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

/** The caller may change what it is given. */
function toStored({ seq, entry, outcomes }: Kept): StoredEntry {
  return { seq, entry, outcomes: { ...outcomes } }
}
