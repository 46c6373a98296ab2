import { detectedMs } from '../said.ts'
import type { Decided, NewEntry, Verdict } from '../store.ts'
import { unavailable } from './failure.ts'
import { type GatherParts, gather, type Part } from './gather.ts'
import type { Kept } from './kept.ts'
import { addEvent, isFull, type Segment } from './memory.ts'
import type { Made, NewEvent, Request, RequestedChange } from './requests.ts'

interface CommitParts extends GatherParts {
  /** The segment has its first event. */
  onBegun(): void
  /** The last event of a commit is on disk. */
  onStored(last: Kept): void
}

/**
 * Group commit: one write, through to the disk, for each file, whoever asks; requests that arrive while a commit is
 * under way share the next one. Each resolves when its lines are on disk; memory changes then and not before.
 */
export interface Committer {
  accept(batch: readonly NewEntry[]): Promise<Verdict[]>
  /** The caller holds the segment until this ends. Answers whether the outcome was changed. */
  change(change: RequestedChange): Promise<boolean>
  /** Ends when nothing is waiting and nothing is under way. */
  idle(): Promise<void>
}

/**
 * So many requests are worth a write of their own: while it is under way, the rest of the same turn is read. Else 64
 * deliveries that came together would all wait for one write, and nothing would be done meanwhile.
 */
const enough = 16

export function createCommitter({ onBegun, onStored, ...ground }: CommitParts): Committer {
  const { memory, segmentSize, onRest } = ground
  let queue: Request[] = []
  let running: Promise<void> | undefined
  let begin = () => {}

  function ask(request: Request): void {
    queue.push(request)
    running ??= run()
    if (queue.length === enough) begin()
  }

  /** Ends when all that asks in this turn of the event loop has asked, or enough have. */
  function gathered(): Promise<void> {
    return new Promise((resolve) => {
      begin = resolve
      setImmediate(resolve)
    })
  }

  async function run(): Promise<void> {
    // Else, of deliveries that were read together, the first would go to the disk alone and the others wait for it.
    await gathered()
    while (queue.length > 0) {
      const { parts, taken } = gather(queue, ground)
      queue = queue.slice(taken)
      await Promise.all([...parts].map(([segment, part]) => commit(segment, part)))
    }
    running = undefined
  }

  async function commit(segment: Segment, part: Part): Promise<void> {
    segment.busy += 1
    try {
      await segment.journal.append(part.lines)
    } catch (error) {
      for (const undo of part.undo.toReversed()) undo()
      rejectRepeats(new Set(part.events.map(({ id }) => id)), error)
      for (const failed of part.onFailure) failed(error)
      segment.busy -= 1
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
    segment.busy -= 1
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
    accept: (batch) =>
      new Promise((resolve, reject) =>
        ask({ kind: 'accept', batch: batch.map(toNewEvent), resolve, reject }),
      ),
    change: (change) => new Promise((resolve, reject) => ask({ kind: 'settle', change, resolve, reject })),
    async idle() {
      while (running !== undefined) await running
    },
  }
}

function toNewEvent(asked: NewEntry): NewEvent {
  const { entry } = asked
  const about = {
    id: entry.id,
    detectedMs: detectedMs(entry),
    content: entry.kind === 'alert' ? entry.content : undefined,
  }
  if ('decide' in asked) {
    const { decide } = asked
    return { ...about, make: (near) => made(decide(near)) }
  }
  const decided = made(asked)
  return { ...about, make: () => decided }
}

function made(decided: Decided | undefined): Made | undefined {
  if (decided === undefined) return undefined
  const { entry, outcomes } = decided
  return {
    entry,
    outcomes: { ...outcomes },
    entryJson: JSON.stringify(entry),
    outcomesJson: JSON.stringify(outcomes),
  }
}
