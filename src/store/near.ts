import type { Act } from '../event/act.ts'
import { type Entry, isFinding, type ReportedAlert, type ShownAlert } from '../event/event.ts'
import type { Outcome, RoutingRule } from '../event/outcome.ts'
import { dayMs } from '../platform/durations.ts'
import { createNearActs } from './near-acts.ts'
import { createNearMessages, type OnChannel } from './near-messages.ts'

/** An alert that was accepted lately, and what has become of it by now. */
export interface RelatedAlert {
  seq: number
  entry: NearAlert
  outcomes: Readonly<Record<string, NearOutcome>>
}

/** What the others are compared with, and what a message shows of it: thousands of them stay in memory. */
export type NearAlert = ShownAlert

/** What of an outcome says whether a message stands there, or will. */
export interface NearOutcome {
  state: Outcome['state']
  rule?: RoutingRule
  /** Where it is told in another's message. */
  in?: string
}

/** An alert that the message about another tells of too: see `AlertEvent.story`. */
export interface StoryMember {
  alert: NearAlert
  /** The same change, as it came by the other way; the newest of what corrects or withdraws it, and what bears it out. */
  other?: NearAlert
  revision?: NearAlert
  confirmation?: NearAlert
  outcomes: Readonly<Record<string, NearOutcome>>
}

/** What else is known of the change that an event tells of. */
export interface FollowUps {
  /** The same change, as it came by the other way, and what corrects that. */
  other?: NearAlert
  otherRevision?: NearAlert
  /** The newest of what corrects or withdraws the event itself, one after the other. */
  revision?: NearAlert
  /** What bears it out, where it is a finding. */
  confirmation?: NearAlert
  /** What people did about it, oldest first. */
  acts?: readonly Act[]
  /** Of which others its messages tell, oldest first: on some channel. */
  members?: readonly StoryMember[]
  /** All that came after it about the change, oldest first: the same by the other way, what bears it out, and each that corrects or withdraws it. */
  followers?: readonly NearAlert[]
}

/** What was accepted lately, oldest first, as it is in the commit that asks. */
export interface RecentAlerts {
  /** Of one model, by one way. */
  of(model: string, by: ReportedAlert['by']): readonly RelatedAlert[]
  find(id: string): RelatedAlert | undefined
  /** Those that are the same change as this one, or that revise or confirm it, or that are told in its message. */
  about(id: string): readonly RelatedAlert[]
  /** What a channel was sent lately, and is about to be. */
  on(channel: string): OnChannel
}

/** Keeps what a commit may ask for, so that no event scans history. What is tried is undone by what it answers. */
export interface NearIndex extends RecentAlerts {
  add(row: { seq: number; entry: Entry; outcomes: Record<string, Outcome> }): () => void
  settle(id: string, channel: string, outcome: Outcome): () => void
  remove(id: string): void
  laterOf(id: string): FollowUps
  /** Ids of the events about which something came later; of those that the event `by` is about, where that is given. */
  changed(by?: string): string[]
}

/** As long as a small step may take to be found: five daily readings, and the days between two datings of it. */
export const nearMs = 14 * dayMs
/** The newest by either way, whoever floods us: a finding is compared with all of the service's. */
export const mostNear = 5_000
/** So many at once are forgotten: the first key of a map is the slower to find the more before it were deleted. */
const forgottenAtOnce = 500

interface NearAlertRow extends RelatedAlert {
  outcomes: Record<string, NearOutcome>
}

const nearOutcomes = new Map<string, NearOutcome>()

/** One object for all that are alike. */
function nearOutcome(outcome: Outcome): NearOutcome {
  if (outcome.state === 'merged') return { state: 'merged', in: outcome.in }
  const rule = outcome.state === 'not_sent' ? outcome.rule : undefined
  const name = `${outcome.state} ${rule}`
  const known = nearOutcomes.get(name) ?? { state: outcome.state, ...(rule !== undefined && { rule }) }
  nearOutcomes.set(name, known)
  return known
}

export function createNearIndex(): NearIndex {
  const ways = { service: new Map<string, NearAlertRow>(), figures: new Map<string, NearAlertRow>() }
  /** By way and model. */
  const models = {
    service: new Map<string, Set<NearAlertRow>>(),
    figures: new Map<string, Set<NearAlertRow>>(),
  }
  /** By the id that they name. */
  const naming = new Map<string, NearAlertRow[]>()
  const acts = createNearActs()
  const messages = createNearMessages()

  function find(id: string): NearAlertRow | undefined {
    return ways.service.get(id) ?? ways.figures.get(id)
  }

  function otherOf(id: string): NearAlert | undefined {
    const sameAs = find(id)?.entry.sameAs ?? null
    if (sameAs !== null) return find(sameAs)?.entry
    return naming.get(id)?.find(({ entry }) => entry.sameAs === id)?.entry
  }

  /** What says nothing new has no `before`. */
  function revisionOf(id: string): NearAlert | undefined {
    const next = naming.get(id)?.findLast(({ entry }) => entry.revises === id && entry.before !== undefined)
    return next && (revisionOf(next.entry.id) ?? next.entry)
  }

  function leadersOf(id: string): string[] {
    return Object.values(find(id)?.entry.story ?? {})
  }

  /** Whatever it revises, one after the other, each with the same change by the other way: a message tells of both. */
  function changedBy({ sameAs, revises, confirms, before, story = {} }: NearAlert): string[] {
    const leaders = Object.values(story)
    if (sameAs !== null) return [sameAs, ...leaders, ...leadersOf(sameAs)]
    if (confirms !== undefined) return [confirms, ...leadersOf(confirms)]
    if (revises === undefined || before === undefined) return leaders
    const other = otherOf(revises)
    const earlier = find(revises)
    return [revises, ...(other === undefined ? [] : [other.id]), ...(earlier ? changedBy(earlier.entry) : [])]
  }

  function confirmationOf(id: string): NearAlert | undefined {
    return naming.get(id)?.findLast(({ entry }) => entry.confirms === id)?.entry
  }

  function followersOf(id: string): NearAlert[] {
    const found = new Set<NearAlertRow>()
    const about = [id]
    for (const one of about) {
      for (const row of naming.get(one) ?? []) {
        const { sameAs, confirms, revises, before } = row.entry
        const isSame = one === id && (sameAs === id || confirms === id)
        if (found.has(row) || (!isSame && (revises !== one || before === undefined))) continue
        found.add(row)
        about.push(row.entry.id)
      }
    }
    return [...found].toSorted((one, other) => one.seq - other.seq).map(({ entry }) => entry)
  }

  function membersOf(id: string): StoryMember[] {
    const told = (naming.get(id) ?? []).filter(({ entry }) => isStoryOf(entry, id))
    return told.map(({ entry, outcomes }) => {
      const other = otherOf(entry.id)
      const revision = revisionOf(entry.id)
      const confirmation = confirmationOf(entry.id)
      return {
        alert: entry,
        outcomes,
        ...(other !== undefined && { other }),
        ...(revision !== undefined && { revision }),
        ...(confirmation !== undefined && { confirmation }),
      }
    })
  }

  function remove(id: string): void {
    acts.remove(id)
    messages.remove(id)
    const row = find(id)
    if (row === undefined) return
    const by = wayOf(row.entry)
    ways[by].delete(id)
    const { model } = row.entry
    if (model !== null) models[by].get(model)?.delete(row)
    for (const named of namedBy(row.entry)) {
      const left = (naming.get(named) ?? []).filter((one) => one !== row)
      if (left.length === 0) naming.delete(named)
      else naming.set(named, left)
    }
  }

  return {
    of: (model, by) => [...(models[by].get(model) ?? [])],
    find,
    about: (id) => naming.get(id) ?? [],
    on: messages.on,
    remove,
    add({ seq, entry: whole, outcomes }) {
      if (whole.kind === 'act') return acts.add(whole)
      if (whole.kind === 'digest') return messages.add(whole.id, outcomes)
      if (whole.kind !== 'alert') return () => undefined
      const { body: _, content: _content, evidence: _evidence, methodology: _methodology, ...entry } = whole
      const near = Object.entries(outcomes).map(([channel, outcome]) => [channel, nearOutcome(outcome)])
      const row: NearAlertRow = { seq, entry, outcomes: Object.fromEntries(near) }
      const by = wayOf(entry)
      remove(entry.id)
      ways[by].set(entry.id, row)
      if (entry.model !== null) {
        const known = models[by].get(entry.model)
        if (known === undefined) models[by].set(entry.model, new Set([row]))
        else known.add(row)
      }
      for (const named of namedBy(entry)) naming.set(named, [...(naming.get(named) ?? []), row])
      messages.add(entry.id, outcomes, entry)
      if (ways[by].size >= mostNear + forgottenAtOnce) {
        for (const oldest of [...ways[by].keys()].slice(0, forgottenAtOnce)) remove(oldest)
      }
      return () => remove(entry.id)
    },
    settle(id, channel, outcome) {
      const row = find(id)
      const undo = messages.settle(id, channel, outcome, row?.entry)
      if (row === undefined) return undo
      const before = row.outcomes
      row.outcomes = { ...before, [channel]: nearOutcome(outcome) }
      return () => {
        undo()
        row.outcomes = before
      }
    },
    laterOf(id) {
      const other = otherOf(id)
      const otherRevision = other && revisionOf(other.id)
      const revision = revisionOf(id)
      const members = membersOf(id)
      const confirmation = confirmationOf(id)
      const followers = followersOf(id)
      return {
        ...(other !== undefined && { other }),
        ...(otherRevision !== undefined && { otherRevision }),
        ...(revision !== undefined && { revision }),
        ...(confirmation !== undefined && { confirmation }),
        ...acts.about(id),
        ...(members.length > 0 && { members }),
        ...(followers.length > 0 && { followers }),
      }
    },
    changed(by) {
      const row = by === undefined ? undefined : find(by)
      const acted = acts.changed(by)
      const rows = by === undefined ? [...ways.service.values(), ...ways.figures.values()] : row ? [row] : []
      return [...new Set([...rows.flatMap(({ entry }) => changedBy(entry)), ...acted])]
    },
  }
}

function wayOf(entry: NearAlert): ReportedAlert['by'] {
  return isFinding(entry) ? 'figures' : 'service'
}

function isStoryOf({ story = {} }: NearAlert, id: string): boolean {
  return Object.values(story).includes(id)
}

/** Each once. */
function namedBy({ sameAs, revises, confirms, story = {} }: NearAlert): string[] {
  return [...new Set([sameAs, revises, confirms, ...Object.values(story)].flatMap((id) => id ?? []))]
}
