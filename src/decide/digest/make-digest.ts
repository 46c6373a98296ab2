import { createHash } from 'node:crypto'
import type { PublishedStory } from '../../event/desk.ts'
import type { AlertEvent, Digest, DigestItem, ShownAlert } from '../../event/event.ts'
import { isoTime } from '../../platform/clock.ts'

/** Alerts that one wait held for one channel, oldest first. */
export interface HeldTogether {
  /** What a digest of them would be called. */
  id: string
  channel: string
  by: string
  /** When the wait ended; milliseconds since the epoch. */
  until: number
  alerts: readonly AlertEvent[]
  /** What the service reported of a change that was found first, by the id of the finding. */
  reports: ReadonlyMap<string, ShownAlert>
  /** The alerts that stand for the same change as it came by the other way, by the id of that. */
  copies: ReadonlyMap<string, string>
  /** Stories that were published about what an alert corrects or withdraws, by its id. */
  published: ReadonlyMap<string, readonly PublishedStory[]>
  silence?: Digest['silence']
  now: number
}

/** What becomes of them. */
export interface ComposedDigest {
  /** Found and withdrawn within the wait: readers need neither. */
  dropped: string[]
  /** The only alert that is left: it is sent by itself, and its message includes the corrections. */
  alone?: { id: string; correctedBy: string[] }
  digest?: Digest
}

/** A digest keeps the figures of so many alerts, the largest; the others are known by their ids. */
const mostItems = 50

/** Pure. */
export function compose(held: HeldTogether): ComposedDigest {
  const { alerts, reports, copies, published, id, channel, by, until, silence } = held
  const ids = new Set(alerts.map((alert) => alert.id))
  /** The one of them that it corrects or withdraws, also if it says so of its copy. */
  const revisedBy = ({ revises = '' }: AlertEvent) =>
    ids.has(revises) ? revises : (copies.get(revises) ?? revises)
  const revisions = new Map(
    alerts.flatMap((alert) =>
      alert.revises !== undefined && alert.before !== undefined ? [[revisedBy(alert), alert]] : [],
    ),
  )
  const stories = alerts
    .filter((alert) => !ids.has(revisedBy(alert)))
    .map((first) => [first, ...revisionsOf(first.id, revisions)])
  const [dropped, left] = [stories.filter(isWithdrawn), stories.filter((story) => !isWithdrawn(story))]
  const droppedIds = dropped.flat().map((alert) => alert.id)
  const [only, ...more] = left
  const [first] = only ?? []
  if (only === undefined || first === undefined) return { dropped: droppedIds }
  if (more.length === 0 && silence === undefined) {
    const correctedBy = only.slice(1).map((alert) => alert.id)
    return { dropped: droppedIds, alone: { id: first.id, correctedBy } }
  }
  const told = new Set(left.flat())
  const of = alerts.filter((alert) => told.has(alert))
  const items = left
    .flatMap((story) => story.at(-1) ?? [])
    .map((last) => withStories(reports.get(last.id) ?? shownOf(last), published.get(last.id)))
  const digest: Digest = {
    kind: 'digest',
    id,
    channel,
    by,
    from: of[0]?.receivedAt ?? isoTime(until),
    until: isoTime(until),
    count: left.length,
    of: of.map((alert) => alert.id),
    items: items.toSorted(byWeight).slice(0, mostItems),
    ...(silence !== undefined && { silence }),
    receivedAt: isoTime(held.now),
  }
  return { dropped: droppedIds, digest }
}

/** What corrects or withdraws it, one after the other. */
function revisionsOf(id: string, revisions: ReadonlyMap<string, AlertEvent>): AlertEvent[] {
  const chain: AlertEvent[] = []
  for (
    let next = revisions.get(id);
    next !== undefined && !chain.includes(next);
    next = revisions.get(next.id)
  ) {
    chain.push(next)
  }
  return chain
}

function isWithdrawn(story: readonly AlertEvent[]): boolean {
  return story.length > 1 && isWithdrawal(story.at(-1))
}

/** Polling takes back what it found. */
export function isWithdrawal(event: AlertEvent | undefined): boolean {
  return event?.found === true && event.revises !== undefined
}

/** What corrects a published story comes first, however small it is: it must not be cut off. */
function byWeight(one: DigestItem, other: DigestItem): number {
  const isCorrection = (item: DigestItem) => Number(item.published !== undefined)
  return isCorrection(other) - isCorrection(one) || size(other) - size(one)
}

function size({ delta }: ShownAlert): number {
  return Math.abs(delta ?? 0)
}

function withStories(item: ShownAlert, published: readonly PublishedStory[] = []): DigestItem {
  return published.length === 0 ? item : { ...item, published }
}

function shownOf(event: AlertEvent): ShownAlert {
  const { body: _, content: _content, evidence: _evidence, methodology: _methodology, ...shown } = event
  return shown
}

/** `number`: 2 for the second digest of one wait, and so on. There is a second if alerts came while the first was made. */
export function digestId(channel: string, by: string, until: number, number: number): string {
  const hash = createHash('sha256').update(JSON.stringify([channel, by, until, number]))
  return `dgs_${hash.digest('hex').slice(0, 24)}`
}
