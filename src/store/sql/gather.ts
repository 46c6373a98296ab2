import { type Entry, isAboutOthers, isFinding } from '../../event/event.ts'
import type { Outcome } from '../../event/outcome.ts'
import type { ChangeOutcome, CommitVerdict, Decided, NewEntry, StoreChange, StoredEntry } from '../store.ts'
import { keyOf } from './keys.ts'
import type { Nearby } from './nearby.ts'
import type { RelatedQuery } from './related.ts'

interface AcceptRequest {
  kind: 'accept'
  batch: readonly NewEntry[]
  resolve(verdicts: CommitVerdict[]): void
  reject(error: unknown): void
}

interface ChangeRequest {
  kind: 'change'
  eventId: string
  channel: string
  change: ChangeOutcome
  /** Changes nothing if this lease was lost. */
  lease?: string | undefined
  resolve(isChanged: boolean): void
  reject(error: unknown): void
}

/** What is asked of a commit. */
export type CommitRequest = AcceptRequest | ChangeRequest

interface KnownOutcome {
  seq: number
  outcome: Outcome | undefined
  lease: string | undefined
}

/** What is there of the events that a commit is about. */
export interface KnownEvents {
  /** By key. */
  entries: Map<string, { seq: number; content: string | null }>
  /** By key and channel. */
  outcomes: Map<string, KnownOutcome>
}

/** An outcome as it will be. */
interface ChangedOutcome {
  seq: number
  channel: string
  outcome: Outcome
  /** The event has one for the channel already. */
  isThere: boolean
}

/** What one commit writes, and the answers that follow when that is on disk. */
export interface GatheredCommit {
  added: Decided[]
  changed: ChangedOutcome[]
  /** For other processes. */
  changes: StoreChange[]
  answers: (() => void)[]
}

interface GatheredOutcome extends KnownOutcome {
  isThere: boolean
}

interface GatheringParts {
  known: KnownEvents
  nearby: Nearby
  read(missing: RelatedQuery): Promise<StoredEntry[]>
  /** The number of the first event that is new. */
  firstSeq: number
  /** New events of this commit, by key. */
  fresh: Map<string, Decided>
  places: Map<string, GatheredOutcome>
  out: GatheredCommit
}

/** So high that each comes after all that is stored: if the database gives the numbers. */
export const notYet = Number.MAX_SAFE_INTEGER - 1_000_000

/**
 * What a commit writes for these requests, in their order. If the function of a request throws, only that request fails. It
 * may run again from the start if another process interferes. `read` queries within the commit, and may reject.
 */
export async function gather(
  requests: readonly CommitRequest[],
  known: KnownEvents,
  near: { nearby: Nearby; firstSeq: number; read(missing: RelatedQuery): Promise<StoredEntry[]> },
): Promise<GatheredCommit> {
  const gathering: GatheringParts = {
    known,
    ...near,
    fresh: new Map(),
    places: new Map(),
    out: { added: [], changed: [], changes: [], answers: [] },
  }
  for (const request of requests) {
    if (request.kind === 'change') change(gathering, request)
    else await accept(gathering, request)
  }
  for (const [key, { outcome, seq, isThere }] of gathering.places) {
    const channel = key.slice(key.indexOf('\n') + 1)
    if (outcome !== undefined) gathering.out.changed.push({ seq, channel, outcome, isThere })
  }
  return gathering.out
}

function change(
  gathering: GatheringParts,
  { eventId, channel, change, lease, ...asked }: ChangeRequest,
): void {
  const { known, fresh, places, nearby, out } = gathering
  const id = keyOf(eventId)
  const inCommit = fresh.get(id)
  const seq = known.entries.get(id)?.seq
  const no = () => out.answers.push(() => asked.resolve(false))
  if (inCommit === undefined && seq === undefined) return void no()
  const key = `${id}\n${channel}`
  const stored = known.outcomes.get(key)
  const before = inCommit
    ? {
        outcome: Object.hasOwn(inCommit.outcomes, channel) ? inCommit.outcomes[channel] : undefined,
        lease: undefined,
      }
    : (places.get(key) ?? stored)
  if (lease !== undefined && before?.lease !== lease) return void no()
  let outcome: Outcome | undefined
  try {
    outcome = change(before?.outcome)
  } catch (error) {
    out.answers.push(() => asked.reject(error))
    return
  }
  if (outcome === undefined) return void no()
  if (inCommit !== undefined) inCommit.outcomes = { ...inCommit.outcomes, [channel]: outcome }
  else places.set(key, { seq: seq ?? 0, outcome, lease: undefined, isThere: stored !== undefined })
  nearby.settle(eventId, channel, outcome)
  if (outcome.state === 'waiting') {
    const isAsked = outcome.againAt !== undefined && outcome.attempts === 0
    out.changes.push({ of: 'outcome', id: eventId, channel, isAsked })
  }
  out.answers.push(() => asked.resolve(true))
}

async function accept(gathering: GatheringParts, { batch, resolve, reject }: AcceptRequest): Promise<void> {
  const { fresh, nearby, out } = gathering
  let judged = judge(gathering, batch)
  const undo = () => {
    for (const { entry } of judged.chosen) nearby.remove(entry.id)
  }
  for (let missing = nearby.missing(); missing !== undefined; missing = nearby.missing()) {
    undo()
    nearby.read(missing, await gathering.read(missing))
    judged = judge(gathering, batch)
  }
  if (judged.failure !== undefined) {
    undo()
    const { error } = judged.failure
    out.answers.push(() => reject(error))
    return
  }
  for (const decided of judged.chosen) {
    const { entry, outcomes } = decided
    fresh.set(keyOf(entry.id), decided)
    out.added.push(decided)
    const channels = Object.keys(outcomes).filter((name) => outcomes[name]?.state === 'waiting')
    out.changes.push({ of: 'event', id: entry.id, channels, isAbout: isAboutOthers(entry) })
  }
  const { verdicts } = judged
  out.answers.push(() => resolve(verdicts))
}

interface JudgedBatch {
  verdicts: CommitVerdict[]
  chosen: Decided[]
  /** What a decision threw: perhaps because what it compares with was not read yet. */
  failure?: { error: unknown }
}

/** What a batch comes to, by the alerts that were read so far. Its own events are among them then. */
function judge({ known, fresh, nearby, firstSeq }: GatheringParts, batch: readonly NewEntry[]): JudgedBatch {
  const verdicts: CommitVerdict[] = []
  const chosen: Decided[] = []
  const chosenById = new Map<string, Entry>()
  try {
    for (const item of batch) {
      const id = keyOf(item.entry.id)
      const verdict = verdictOn(item, chosenById.get(id) ?? fresh.get(id)?.entry ?? known.entries.get(id))
      if (verdict === 'new') chosenById.set(id, item.entry)
      const decided = verdict !== 'new' ? undefined : 'decide' in item ? item.decide(nearby.near) : item
      verdicts.push(verdict === 'new' && decided === undefined ? 'duplicate' : verdict)
      if (decided === undefined) continue
      chosen.push({ ...decided })
      nearby.add({ seq: firstSeq + fresh.size + chosen.length - 1, ...decided })
    }
  } catch (error) {
    return { verdicts, chosen, failure: { error } }
  }
  return { verdicts, chosen }
}

function verdictOn(
  { entry }: NewEntry,
  known: Entry | { content: string | null } | undefined,
): CommitVerdict {
  if (known === undefined) return 'new'
  const content = entry.kind === 'alert' ? entry.content : undefined
  const first = 'content' in known ? known.content : undefined
  return content === undefined || content === first ? 'duplicate' : 'changed'
}

/** What decisions of these requests will ask for, as far as that is known before: what came by the other way. */
export function foreseenFor(requests: readonly CommitRequest[]): RelatedQuery {
  const of = new Map<string, RelatedQuery['of'][number]>()
  for (const request of requests) {
    if (request.kind !== 'accept') continue
    for (const item of request.batch) {
      const { entry } = item
      if (!('decide' in item) || entry.kind !== 'alert' || entry.model === null) continue
      const pair: RelatedQuery['of'][number] = [keyOf(entry.model), isFinding(entry) ? 'service' : 'figures']
      of.set(pair.join(' '), pair)
    }
  }
  return { of: [...of.values()], ids: [], about: [], on: [] }
}
