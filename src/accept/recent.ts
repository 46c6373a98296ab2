import { type AlertEvent, isFinding } from '../event/event.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { Store, Verdict } from '../store/store.ts'
import { changeOf, type ReportedChange, sameChange, stepBefore } from './correlate.ts'
import { createRevisions, type Revision } from './revisions.ts'

/** As long as a small step may take to be found: five daily readings, and the days between two datings of it. */
const rememberedMs = 14 * 24 * 60 * 60_000
/** Of those, the newest by either way, whoever floods us. */
const mostRemembered = 5_000
/** So many at once are forgotten: the first key of a map is the slower to find the more before it were deleted. */
const forgottenAtOnce = 500

/** How an event stands to what came by the other way. */
interface Relation {
  /** The event that told of the same change before, by its id. */
  sameAs: string | null
  /** The smaller step before it, where it goes further. */
  before: ReportedChange | undefined
}

/** What else is known of the change that an event tells of. */
export interface Later {
  /** The same change, as it came by the other way, and what holds in place of that. */
  other: (ReportedChange & { revision: Revision | undefined }) | undefined
  /** What holds in place of the event itself. */
  revision: Revision | undefined
}

/** The changes of the last days. One for all configurations, since events come while these change. */
export interface RecentChanges {
  /**
   * Runs `commit` with what came of the same change before, by the other way. Where that is being stored at this
   * moment, it is waited for: if it cannot be, this one is the first. No event is the same change as two others.
   * Rejects where `commit` does.
   */
  take<T extends { verdict: Verdict }>(
    event: AlertEvent,
    commit: (relation: Relation) => Promise<T>,
  ): Promise<T>
  /**
   * Runs `commit` for an event that says otherwise what the event `earlier` said. From then on it stands for that change,
   * unless that one is known to have come by the other way too: then the two stay what they are. Rejects where `commit` does.
   */
  revise<T extends { verdict: Verdict }>(
    event: AlertEvent,
    earlier: string,
    commit: () => Promise<T>,
  ): Promise<T>
  /** What was found under this id is withdrawn: nothing that comes by the other way is the same change. */
  withdraw<T extends { verdict: Verdict }>(
    event: AlertEvent,
    earlier: string,
    commit: () => Promise<T>,
  ): Promise<T>
  /** The same change, as it came by the other way. */
  otherOf(id: string): ReportedChange | undefined
  laterOf(id: string): Later
  /** The events whose messages are to read otherwise since this event is stored. */
  changedBy(event: AlertEvent): string[]
  /** The same of all events of the last days. */
  changed(): Set<string>
}

interface Known extends ReportedChange {
  /** Whether it is on disk, as soon as that is known; one promise for all that are. */
  stored: Promise<boolean>
  /** Another event is the same change, or is about to be stored as such. */
  taken: boolean
}

interface RecentParts {
  store: Pick<Store, 'list'>
  /** Milliseconds since the epoch. */
  now: number
  /** What was told before cannot be read: a change may then be told twice, rather than not at all. */
  onError: (error: unknown) => void
}

const isStored = Promise.resolve(true)
const alone: Relation = { sameAs: null, before: undefined }

export async function recallChanges(parts: RecentParts): Promise<RecentChanges> {
  const ways = { service: new Map<string, Known>(), figures: new Map<string, Known>() }
  const pairs = new Map<string, string>()
  const others = new Map<string, ReportedChange>()
  const revisions = createRevisions()

  function otherWay({ by }: ReportedChange): Map<string, Known> {
    return ways[by === 'service' ? 'figures' : 'service']
  }

  function find(id: string): Known | undefined {
    return ways.service.get(id) ?? ways.figures.get(id)
  }

  function remember(change: ReportedChange, stored: Promise<boolean>): Known {
    const way = ways[change.by]
    const known = { ...change, stored, taken: false }
    way.set(known.id, known)
    if (way.size >= mostRemembered + forgottenAtOnce) {
      for (const oldest of [...way.keys()].slice(0, forgottenAtOnce)) forget(way, oldest)
    }
    return known
  }

  function forget(way: Map<string, Known>, id: string): void {
    way.delete(id)
    pairs.delete(id)
    others.delete(id)
  }

  function pair(first: Known, second: Known): void {
    first.taken = true
    second.taken = true
    pairs.set(first.id, second.id)
    others.set(first.id, second)
    others.set(second.id, first)
  }

  /** What it is the second of, claimed for it; undefined where it is the first. */
  async function claim(known: Known): Promise<Known | undefined> {
    for (;;) {
      const free = [...otherWay(known).values()].filter(({ taken }) => !taken)
      const first = sameChange(known, free)
      known.taken = first !== undefined
      if (first === undefined) return undefined
      first.taken = true
      // It came before: no two wait for each other.
      if (await first.stored) return first
    }
  }

  const before = await recent(parts.store, parts.now - rememberedMs).catch((error: unknown) => {
    parts.onError(error)
    return []
  })
  for (const event of before) {
    if (event.revises !== undefined) {
      recallRevision(event, event.revises)
      continue
    }
    const known = remember(changeOf(event), isStored)
    const first = event.sameAs === null ? undefined : find(event.sameAs)
    if (first !== undefined) pair(first, known)
  }

  function recallRevision(event: AlertEvent, revises: string): void {
    revisions.note(event)
    const first = find(revises)
    // What says nothing new stands for nothing.
    if (first === undefined || first.taken || event.before === undefined) return
    first.taken = true
    // A finding that is withdrawn stands for no other change.
    if (!isFinding(event)) remember(changeOf(event), isStored)
  }

  function allStored(change: ReportedChange): Known[] {
    return [...otherWay(change).values()].filter(({ stored }) => stored === isStored)
  }

  /** Remembers the event while it is being stored, and from then on where it is new. */
  async function storing<T extends { verdict: Verdict }>(
    event: AlertEvent,
    commit: (known: Known) => Promise<T>,
  ): Promise<T> {
    const outcome = Promise.withResolvers<boolean>()
    const known = remember(changeOf(event), outcome.promise)
    let isNew = false
    try {
      const result = await commit(known)
      isNew = result.verdict === 'new'
      return result
    } finally {
      if (isNew) known.stored = isStored
      else forget(ways[known.by], known.id)
      outcome.resolve(isNew)
    }
  }

  async function noting<T extends { verdict: Verdict }>(
    event: AlertEvent,
    commit: () => Promise<T>,
  ): Promise<T> {
    const result = await commit()
    if (result.verdict === 'new') revisions.note(event)
    return result
  }

  /** A message tells of both. */
  function withOther(id: string): string[] {
    const other = others.get(id)
    return other === undefined ? [id] : [id, other.id]
  }

  return {
    async take(event, commit) {
      // The same id may be on its way: what becomes of that one decides.
      for (let same = find(event.id); same !== undefined; same = find(event.id)) {
        if (await same.stored) return commit(alone)
      }
      return storing(event, async (known) => {
        const first = await claim(known)
        const before = first === undefined ? stepBefore(known, allStored(known)) : undefined
        const result = await commit({ sameAs: first?.id ?? null, before }).catch((error: unknown) => {
          if (first !== undefined) first.taken = false
          throw error
        })
        if (first !== undefined && result.verdict === 'new') pair(first, known)
        else if (first !== undefined) first.taken = false
        return result
      })
    },
    async revise(event, earlier, commit) {
      const first = find(earlier)
      if (first === undefined || first.taken) return noting(event, commit)
      first.taken = true
      return storing(event, async () => {
        const result = await noting(event, commit).catch((error: unknown) => {
          first.taken = false
          throw error
        })
        first.taken = result.verdict === 'new'
        return result
      })
    },
    async withdraw(event, earlier, commit) {
      const result = await noting(event, commit)
      const first = find(earlier)
      if (first !== undefined && result.verdict === 'new') first.taken = true
      return result
    },
    otherOf: (id) => others.get(id),
    laterOf(id) {
      const other = others.get(id)
      return {
        other: other && { ...other, revision: revisions.lastOf(other.id) },
        revision: revisions.lastOf(id),
      }
    },
    changedBy(event) {
      const first = event.sameAs === null ? [] : [event.sameAs]
      return [...first, ...revisions.before(event.id).flatMap(withOther)]
    },
    changed: () => new Set([...pairs.keys(), ...[...revisions.revised()].flatMap(withOther)]),
  }
}

/** The alerts since then, oldest first. */
async function recent(store: Pick<Store, 'list'>, since: number): Promise<AlertEvent[]> {
  const found: AlertEvent[] = []
  for await (const rows of newestFirst(store)) {
    for (const { entry } of rows) if (entry.kind === 'alert') found.push(entry)
    const oldest = rows.at(-1)
    if (oldest === undefined || Date.parse(oldest.entry.receivedAt) < since) break
    if (found.length >= mostRemembered) break
  }
  return found.reverse()
}
