import type { Outcome } from '../../event/outcome.ts'
import { namedIn } from '../near.ts'
import type { Verdict } from '../store.ts'
import { unavailable } from './failure.ts'
import type { JournalLine } from './format.ts'
import { Kept } from './kept.ts'
import { addSegment, type Memory, outcomeOf, type Segment, saysTheSame, setOutcome } from './memory.ts'
import type { Accept, Made, NewEvent, Request, RequestedChange, Settle } from './requests.ts'

/** One commit takes about this much at most; what is left shares the next. */
const commitBytes = 8 * 2 ** 20

/** What one commit does to one segment. */
export interface Part {
  lines: string[]
  events: Kept[]
  /** In the order in which they were asked for. */
  onDisk: (() => void)[]
  onFailure: ((error: unknown) => void)[]
  /** What was told to neighbours before it is on disk; undone in reverse. */
  undo: (() => void)[]
}

/** An outcome with its lease, as it is when the lines before it are on disk. */
interface Present {
  outcome: Outcome | undefined
  lease: string | undefined
}

/** An outcome with its line for the journal. */
interface Settled {
  outcome: Outcome
  line: string
}

/** Events of the commit that is being gathered, by id. */
type Fresh = Map<string, NewEvent>

export interface GatherParts {
  memory: Memory
  now(): number
  segmentSize: number
  newSegment(): Segment
  /** A change of the segment has ended, or it takes no more events: it may be time to seal it. */
  onRest(segment: Segment): void
}

/** A commit that is being gathered. */
interface Gathering extends GatherParts {
  parts: Map<Segment, Part>
  fresh: Fresh
  /** What its requests make of their outcomes, by channel and event. */
  changed: Map<string, Present>
}

/**
 * What goes into the next commit, and how many requests it takes from the start of the queue. Those that need no commit
 * are answered at once. No I/O, no wait. Memory stays as it is until the commit is on disk, with one exception: where
 * the new events need another segment, `segmentFor` adds it and makes it `memory.current`.
 */
export function gather(
  queue: readonly Request[],
  ground: GatherParts,
): { parts: Map<Segment, Part>; taken: number } {
  const gathering: Gathering = { ...ground, parts: new Map(), fresh: new Map(), changed: new Map() }
  let taken = 0
  let bytes = 0
  for (const request of queue) {
    if (bytes >= commitBytes) break
    const added = request.kind === 'settle' ? addSettle(gathering, request) : addAccept(gathering, request)
    if (added === undefined) break
    bytes += added
    taken += 1
  }
  return { parts: gathering.parts, taken }
}

/** Answers the bytes that it added. */
function addSettle({ memory, parts, changed }: Gathering, request: Settle): number {
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
  part.undo.push(memory.near.settle(kept.id, channel, outcome))
  part.onDisk.push(() => {
    if (begins) {
      kept.outcomes[channel] = outcome
      memory.near.onDisk(kept.id, channel, outcome)
    } else setOutcome(memory, segment, kept, { channel, outcome })
    request.resolve(true)
  })
  return line.length
}

/** Undefined where the outcome stays as it is. Throws what the caller's function throws, which is refused alone. */
function settled(
  { kept, channel, change }: RequestedChange,
  before: Outcome | undefined,
): Settled | undefined {
  const outcome = change(before)
  if (outcome === undefined) return undefined
  const whole = { op: 'settle', id: kept.id, channel, outcome } satisfies JournalLine
  return { outcome, line: JSON.stringify(whole).slice(1) }
}

/** Answers the bytes that it added, or undefined where the batch must wait for the next commit. */
function addAccept(gathering: Gathering, request: Accept): number | undefined {
  const { memory, parts, fresh } = gathering
  const own: Fresh = new Map()
  const verdicts = request.batch.map((event) => {
    const verdict = verdictOn(memory, event, fresh, own)
    if (verdict === 'new') own.set(event.id, event)
    return verdict
  })
  if (own.size === 0 && !request.batch.some(({ id }) => fresh.has(id))) {
    request.resolve(verdicts)
    return 0
  }
  const segment = segmentFor(gathering, own.size)
  if (segment === undefined) return undefined
  let chosen: Chosen[]
  try {
    chosen = decideAll(gathering, own)
  } catch (error) {
    request.reject(error)
    return 0
  }
  if (chosen.length < own.size) {
    const isStored = new Set(chosen.map(({ event }) => event.id))
    for (const [index, { id }] of request.batch.entries()) {
      if (own.has(id) && !isStored.has(id)) verdicts[index] = 'duplicate'
    }
  }
  if (chosen.length === 0 && fresh.size === 0) {
    request.resolve(verdicts)
    return 0
  }
  const part = partOf(parts, segment)
  const bytes = addEvents(gathering, part, chosen)
  part.onDisk.push(() => request.resolve(verdicts))
  part.onFailure.push((error) => request.reject(unavailable('the event could not be stored', error)))
  return bytes
}

/** A new event that is to be stored, decided. */
interface Chosen {
  event: NewEvent
  seq: number
  made: Made
  undo(): void
}

/** Decides the events of a batch, each with those before it as its neighbours. Throws what one of them throws. */
function decideAll({ memory, fresh }: Gathering, own: Fresh): Chosen[] {
  const chosen: Chosen[] = []
  try {
    for (const event of own.values()) {
      const made = event.make(memory.near)
      if (made === undefined) continue
      const seq = memory.nextSeq + fresh.size + chosen.length
      const { entry, outcomes } = made
      const undo = memory.near.add({ seq, entry, outcomes })
      chosen.push({ event, seq, made, undo })
    }
  } catch (error) {
    for (const { undo } of chosen.toReversed()) undo()
    throw error
  }
  return chosen
}

/** Answers the bytes that it added. */
function addEvents({ now, fresh }: Gathering, part: Part, batch: readonly Chosen[]): number {
  const at = now()
  let bytes = 0
  for (const [index, { event, seq, made, undo }] of batch.entries()) {
    const { entry, outcomes, entryJson, outcomesJson } = made
    const rest = batch.length - 1 - index
    const line = `"op":"accept","rest":${rest},"at":${at},"seq":${seq},"entry":${entryJson},"outcomes":${outcomesJson}}`
    fresh.set(event.id, event)
    part.undo.push(undo)
    part.events.push(
      Kept.written(
        { id: event.id, detectedMs: event.detectedMs, content: event.content, names: namedIn(entry) },
        { at, seq, outcomes },
        entryJson,
      ),
    )
    part.lines.push(line)
    bytes += line.length
  }
  return bytes
}

function verdictOn(memory: Memory, { id, content }: NewEvent, fresh: Fresh, own: Fresh): Verdict {
  const segment = memory.ids.get(id)
  if (segment !== undefined) return saysTheSame(segment, id, content) ? 'duplicate' : 'changed'
  const first = fresh.get(id) ?? own.get(id)
  if (first === undefined) return 'new'
  return content === undefined || content === first.content ? 'duplicate' : 'changed'
}

/**
 * Where so many new events go. A batch lies in one segment, for it is written at once or not at all; one that is
 * larger than any segment has one to itself. New events of one commit all go to one segment, so that they fail
 * together and their `seq` is not spent.
 */
function segmentFor(gathering: Gathering, wanted: number): Segment | undefined {
  const { memory, segmentSize, newSegment, onRest } = gathering
  const { current } = memory
  const already = gathering.fresh.size
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

function partOf(parts: Map<Segment, Part>, segment: Segment): Part {
  const known = parts.get(segment)
  if (known !== undefined) return known
  const part: Part = { lines: [], events: [], onDisk: [], onFailure: [], undo: [] }
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
