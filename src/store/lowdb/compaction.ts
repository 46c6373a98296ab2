import { judgeTime, timesOf, type Witnesses } from '../trusted-time.ts'
import type { Archive } from './archive.ts'
import type { Disk } from './disk.ts'
import { reasonOf, unavailable } from './failure.ts'
import type { SegmentFiles } from './files.ts'
import type { History } from './history.ts'
import type { Memory, Segment } from './memory.ts'
import { joined, type Range } from './ranges.ts'

/** What moves whole segments between memory and disk, one at a time, beside the commits. */
export interface Upkeep {
  /** Does the work when none of the below is under way. It must not wait for another turn. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Seals the segment soon, where it takes no more events, owes nothing and is not being changed. */
  sealSoon(segment: Segment): void
  /** Brings the events of a sealed segment back into memory, so that one of them can change. */
  thaw(segment: Segment): Promise<void>
  /** Drops the segments whose newest event is older than `before` and that owe and hold nothing; answers how many events. */
  retain(before: number, witnesses: Witnesses): Promise<number>
  /** Ends when nothing is under way. */
  idle(): Promise<void>
}

/**
 * Sealing writes NNNNNN.json, then NNNNNN.ids, then removes NNNNNN.journal. A crash in between leaves a journal beside
 * a sealed file that holds all of it already; opening applies it once more, which changes nothing, and seals again.
 *
 * A sealed segment that changes (a replay) is not rewritten at each change: its changes go to a new journal beside
 * the sealed file, which is folded in, by the same steps, when the segment owes nothing again.
 */
export function createUpkeep(parts: {
  disk: Disk
  files: SegmentFiles
  memory: Memory
  archive: Archive
  history: History
  now(): number
  onTrouble(sentence: string): void
  onDoubt(sentence: string | null): void
}): Upkeep {
  const { disk, files, memory, archive, history } = parts
  let last: Promise<unknown> = Promise.resolve()
  const failed = new Set<Segment>()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }

  function canSeal(segment: Segment): boolean {
    return segment.state === 'live' && segment !== memory.current && isFree(segment)
  }

  async function seal(segment: Segment): Promise<void> {
    if (!canSeal(segment)) return
    segment.state = 'sealing'
    try {
      await write(segment)
    } catch (error) {
      segment.state = 'live'
      if (!failed.has(segment)) parts.onTrouble(troubleOf(segment, error))
      failed.add(segment)
      return
    }
    segment.state = 'sealed'
    segment.events = new Map()
    failed.delete(segment)
  }

  async function write(segment: Segment): Promise<void> {
    // It was thawed, and nothing changed.
    if (segment.journal.size() === 0) return
    // Its first commit was cut off by a crash.
    if (segment.count === 0) return segment.journal.remove()
    const { contents } = await files.writeSealed(segment.number, [...segment.events.values()])
    segment.contents = contents
    // A journal that stays is harmless: see above.
    await segment.journal.remove().catch(() => undefined)
  }

  function troubleOf(segment: Segment, error: unknown): string {
    const name = files.name(segment.number, 'json')
    return `${name} could not be written (${reasonOf(error)}); its events are safe in ${files.name(segment.number, 'journal')}, and it is tried again`
  }

  /** What may go by the time that is believed; none while our clock is in doubt. What is found of the clock is kept. */
  async function oldSegments(before: number, witnesses: Witnesses) {
    const now = parts.now()
    const { seen, doubt } = judgeTime(history.data.time, now, witnesses)
    if (doubt !== undefined) parts.onDoubt(doubt)
    const segments = memory.segments.filter(({ count }) => count > 0)
    const times = timesOf(segments, now)
    const holding = holdingSegments()
    const old = segments.flatMap((segment, index) => {
      const newest = times[index] ?? now
      return newest < before && isFree(segment) && !holding.has(segment)
        ? [{ segment, newest, last: segment.last }]
        : []
    })
    if (seen.steadyMs !== undefined || old.length === 0) {
      await history.save({ time: seen }).catch(() => undefined)
      return []
    }
    // Before the files go: what is missing without this would be taken for lost, and a repeat of it for new.
    await history.save({
      time: seen,
      horizon: Math.max(history.data.horizon ?? 0, ...old.map(({ newest }) => newest)),
      gone: joined([
        ...history.data.gone,
        ...old.map(({ segment: { first, last } }): Range => [first, last]),
      ]),
    })
    const isAsItWas = ({ segment, last }: (typeof old)[number]) => segment.last === last && isFree(segment)
    const holdingNow = holdingSegments()
    return old.flatMap((one) => (isAsItWas(one) && !holdingNow.has(one.segment) ? [one.segment] : []))
  }

  function holdingSegments(): Set<Segment | undefined> {
    return new Set(memory.held.list().map(({ eventId }) => memory.ids.get(eventId)))
  }

  async function drop(segment: Segment): Promise<void> {
    await segment.journal.remove()
    // The sealed file goes last: without its ids it is read, without its events they would be taken for lost.
    await disk.remove(files.path(segment.number, 'ids'))
    await disk.remove(files.path(segment.number, 'json'))
  }

  return {
    inTurn,
    sealSoon(segment) {
      if (canSeal(segment)) void inTurn(() => seal(segment))
    },
    thaw: (segment) =>
      inTurn(async () => {
        if (segment.state !== 'sealed') return
        const events = await archive.load(segment)
        archive.forget(segment)
        // Its file is lost.
        if (segment.state !== 'sealed') return
        segment.events = events
        segment.state = 'live'
      }),
    retain: (before, witnesses) =>
      inTurn(async () => {
        for (const segment of failed) await seal(segment)
        const old = new Set((await oldSegments(before, witnesses)).filter(isFree))
        if (old.size === 0) return 0
        if (memory.current !== undefined && old.has(memory.current)) memory.current = undefined
        memory.segments = memory.segments.filter((segment) => !old.has(segment))
        for (const [id, segment] of memory.ids) {
          if (!old.has(segment)) continue
          memory.ids.delete(id)
          memory.near.remove(id)
        }
        for (const [named, ids] of memory.naming) {
          if (![named, ...ids].some((id) => memory.ids.has(id))) memory.naming.delete(named)
        }
        let gone = 0
        for (const segment of old) {
          segment.state = 'dropped'
          segment.events = new Map()
          archive.forget(segment)
          gone += segment.count
        }
        try {
          for (const segment of old) await drop(segment)
          await disk.syncFolder(files.folder)
        } catch (error) {
          throw unavailable('old events could not be dropped', error)
        }
        return gone
      }),
    async idle() {
      let seen: Promise<unknown> | undefined
      while (seen !== last) {
        seen = last
        await seen
      }
    },
  }
}

function isFree(segment: Segment): boolean {
  return segment.waiting === 0 && segment.busy === 0
}
