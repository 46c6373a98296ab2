import type { Outcome } from '../../event/outcome.ts'
import type { ChangeOutcome, NewEntry, Verdict } from '../store.ts'
import { unavailable } from './failure.ts'
import type { JournalLine } from './format.ts'
import { Kept, saidBy } from './kept.ts'
import {
  addEvent,
  addSegment,
  isFull,
  type Memory,
  outcomeOf,
  type Segment,
  saysTheSame,
  setOutcome,
} from './memory.ts'

/** One commit takes about this much at most; what is left shares the next. */
const commitBytes = 8 * 2 ** 20

interface CommitParts {
  memory: Memory
  now(): number
  segmentSize: number
  newSegment(): Segment
  /** The segment has its first event. */
  onBegun(): void
  /** The last event of a commit is on disk. */
  onStored(last: Kept): void
  /** A change of the segment has ended, or it takes no more events: it may be time to seal it. */
  onRest(segment: Segment): void
}

interface Change {
  segment: Segment
  kept: Kept
  channel: string
  change: ChangeOutcome
  /** Only where this lease is still held. */
  lease?: string | undefined
  /** The change says that a try begins: the lease goes on. */
  begins?: boolean
}

/** An outcome with its lease, as it is when the lines before it are on disk. */
interface Present {
  outcome: Outcome | undefined
  lease: string | undefined
}

/**
 * Group commit: one write, through to the disk, for each file, whoever asks; requests that arrive while a commit is
 * under way share the next one. Each resolves when its lines are on disk; memory changes then and not before.
 */
export interface Committer {
  accept(batch: readonly NewEntry[]): Promise<Verdict[]>
  /** The caller holds the segment until this ends. Answers whether the outcome was changed. */
  change(change: Change): Promise<boolean>
  /** Ends when nothing is waiting and nothing is under way. */
  idle(): Promise<void>
}

/** An outcome with its line for the journal. */
interface Settled {
  outcome: Outcome
  line: string
}

/** Serialised when it was asked for, so that one event that cannot be is refused alone. */
interface NewEvent {
  id: string
  said: number
  content: string | undefined
  outcomes: NewEntry['outcomes']
  entryJson: string
  outcomesJson: string
}

/** Events of the commit that is being gathered, by id. */
type Fresh = Map<string, NewEvent>

interface Accept {
  kind: 'accept'
  batch: NewEvent[]
  resolve(verdicts: Verdict[]): void
  reject(error: unknown): void
}

interface Settle {
  kind: 'settle'
  change: Change
  resolve(changed: boolean): void
  reject(error: unknown): void
}

/** What one commit does to one segment. */
interface Part {
  lines: string[]
  events: Kept[]
  /** In the order in which they were asked for. */
  onDisk: (() => void)[]
  onFailure: ((error: unknown) => void)[]
}

export function createCommitter({
  memory,
  now,
  segmentSize,
  newSegment,
  onBegun,
  onStored,
  onRest,
}: CommitParts): Committer {
  let queue: (Accept | Settle)[] = []
  let running: Promise<void> | undefined

  function ask(request: Accept | Settle): void {
    queue.push(request)
    running ??= run()
  }

  async function run(): Promise<void> {
    // Whoever asks in the same turn shares the first commit.
    await Promise.resolve()
    while (queue.length > 0) {
      const parts = gather()
      await Promise.all([...parts].map(([segment, part]) => commit(segment, part)))
    }
    running = undefined
  }

  function gather(): Map<Segment, Part> {
    const parts = new Map<Segment, Part>()
    const fresh: Fresh = new Map()
    const changed = new Map<string, Present>()
    let taken = 0
    let bytes = 0
    for (const request of queue) {
      if (bytes >= commitBytes) break
      if (request.kind === 'settle') {
        bytes += addSettle(parts, changed, request)
      } else {
        const added = addAccept(parts, fresh, request)
        if (added === undefined) break
        bytes += added
      }
      taken += 1
    }
    queue = queue.slice(taken)
    return parts
  }

  /** Answers the bytes that it added. `changed` holds what earlier requests of this commit make of their outcomes. */
  function addSettle(parts: Map<Segment, Part>, changed: Map<string, Present>, request: Settle): number {
    const { segment, kept, channel, lease, begins = false } = request.change
    const key = `${channel}\n${kept.id}`
    const before = changed.get(key) ?? {
      outcome: outcomeOf(kept, channel),
      lease: memory.owed.leaseOf(kept.id, channel),
    }
    const isLost = lease !== undefined && before.lease !== lease
    let after: Settled | undefined
    try {
      after = isLost ? undefined : settled(request.change, before.outcome)
    } catch (error) {
      request.reject(error)
      return 0
    }
    if (after === undefined && !changed.has(key)) {
      request.resolve(false)
      return 0
    }
    const part = partOf(parts, segment)
    part.onFailure.push((error) => request.reject(unavailable('the outcome could not be stored', error)))
    if (after === undefined) {
      part.onDisk.push(() => request.resolve(false))
      return 0
    }
    const { outcome, line } = after
    changed.set(key, { outcome, lease: begins ? lease : undefined })
    part.lines.push(line)
    part.onDisk.push(() => {
      if (begins) kept.outcomes[channel] = outcome
      else setOutcome(memory, segment, kept, { channel, outcome })
      request.resolve(true)
    })
    return line.length
  }

  /** Answers the bytes that it added, or undefined where the batch must wait for the next commit. */
  function addAccept(parts: Map<Segment, Part>, fresh: Fresh, request: Accept): number | undefined {
    const own: Fresh = new Map()
    const verdicts = request.batch.map((event) => {
      const verdict = verdictOn(event, fresh, own)
      if (verdict === 'new') own.set(event.id, event)
      return verdict
    })
    if (own.size === 0 && !request.batch.some(({ id }) => fresh.has(id))) {
      request.resolve(verdicts)
      return 0
    }
    const segment = segmentFor(own.size, fresh.size)
    if (segment === undefined) return undefined
    const part = partOf(parts, segment)
    const at = now()
    let bytes = 0
    let rest = own.size
    for (const [index, event] of request.batch.entries()) {
      if (verdicts[index] !== 'new') continue
      rest -= 1
      const seq = memory.nextSeq + fresh.size
      const { outcomes, entryJson, outcomesJson } = event
      const line = `"op":"accept","rest":${rest},"at":${at},"seq":${seq},"entry":${entryJson},"outcomes":${outcomesJson}}`
      fresh.set(event.id, event)
      part.events.push(Kept.written(event, { at, seq, outcomes }, entryJson))
      part.lines.push(line)
      bytes += line.length
    }
    part.onDisk.push(() => request.resolve(verdicts))
    part.onFailure.push((error) => request.reject(unavailable('the event could not be stored', error)))
    return bytes
  }

  function verdictOn({ id, content }: NewEvent, ...uncommitted: Fresh[]): Verdict {
    const segment = memory.ids.get(id)
    if (segment !== undefined) return saysTheSame(segment, id, content) ? 'duplicate' : 'changed'
    const first = uncommitted.map((events) => events.get(id)).find((event) => event !== undefined)
    if (first === undefined) return 'new'
    return content === undefined || content === first.content ? 'duplicate' : 'changed'
  }

  /**
   * Where so many new events go. A batch lies in one segment, for it is written at once or not at all; one that is
   * larger than any segment has one to itself. New events of one commit all go to one segment, so that they fail
   * together and their `seq` is not spent.
   */
  function segmentFor(wanted: number, already: number): Segment | undefined {
    const current = memory.current
    if (current !== undefined && (already > 0 || !isAbandoned(current))) {
      const used = current.count + already
      if (wanted === 0 || used === 0 || used + wanted <= segmentSize) return current
      if (already > 0) return undefined
    }
    const segment = newSegment()
    addSegment(memory, segment)
    memory.current = segment
    if (current !== undefined) onRest(current)
    return segment
  }

  async function commit(segment: Segment, part: Part): Promise<void> {
    segment.held += 1
    try {
      await segment.journal.append(part.lines)
    } catch (error) {
      rejectRepeats(new Set(part.events.map(({ id }) => id)), error)
      for (const failed of part.onFailure) failed(error)
      segment.held -= 1
      return
    }
    const isBegun = segment.count === 0
    for (const kept of part.events) addEvent(memory, segment, kept)
    if (isBegun) onBegun()
    const last = part.events.at(-1)
    if (last !== undefined) onStored(last)
    for (const done of part.onDisk) done()
    if (memory.current === segment && isFull(segment, segmentSize)) memory.current = undefined
    if (memory.current !== segment) await segment.journal.rest()
    segment.held -= 1
    onRest(segment)
  }

  /** Who asked for the same event while it was being written waited for that commit, and fails with it. */
  function rejectRepeats(ids: Set<string>, error: unknown): void {
    if (ids.size === 0) return
    queue = queue.filter((request) => {
      if (request.kind !== 'accept' || !request.batch.some(({ id }) => ids.has(id))) return true
      request.reject(unavailable('the event could not be stored', error))
      return false
    })
  }

  return {
    async accept(batch) {
      if (batch.length === 0) return []
      const events = batch.map(toNewEvent)
      return new Promise((resolve, reject) => ask({ kind: 'accept', batch: events, resolve, reject }))
    },
    change: (change) => new Promise((resolve, reject) => ask({ kind: 'settle', change, resolve, reject })),
    async idle() {
      while (running !== undefined) await running
    },
  }
}

/** Undefined where the outcome stays as it is. Throws what the caller's function throws, which is refused alone. */
function settled({ kept, channel, change }: Change, before: Outcome | undefined): Settled | undefined {
  const outcome = change(before)
  if (outcome === undefined) return undefined
  const whole = { op: 'settle', id: kept.id, channel, outcome } satisfies JournalLine
  return { outcome, line: JSON.stringify(whole).slice(1) }
}

function partOf(parts: Map<Segment, Part>, segment: Segment): Part {
  const known = parts.get(segment)
  if (known !== undefined) return known
  const part: Part = { lines: [], events: [], onDisk: [], onFailure: [] }
  parts.set(segment, part)
  return part
}

/**
 * A journal that could not be cut back to its good part takes no more events; the next segment begins with the
 * `seq` that failed, by which opening knows what in this one was never acknowledged. An empty one is tried again.
 */
function isAbandoned(segment: Segment): boolean {
  return segment.journal.isTorn() && segment.count > 0
}

function toNewEvent({ entry, outcomes }: NewEntry): NewEvent {
  return {
    id: entry.id,
    said: saidBy(entry),
    content: entry.kind === 'alert' ? entry.content : undefined,
    outcomes: { ...outcomes },
    entryJson: JSON.stringify(entry),
    outcomesJson: JSON.stringify(outcomes),
  }
}
