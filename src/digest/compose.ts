import { createHash } from 'node:crypto'
import { isoTime } from '../clock.ts'
import type { Digest } from '../event/digest.ts'
import type { AlertEvent, ShownAlert } from '../event/event.ts'

/** Alerts that one wait held for one channel, oldest first. */
export interface HeldTogether {
  /** What a digest of them would be called. */
  id: string
  channel: string
  by: string
  /** When the wait ended; milliseconds since the epoch. */
  until: number
  alerts: readonly AlertEvent[]
  silence?: Digest['silence']
  now: number
}

/** What becomes of them. */
export interface Composed {
  /** Found and withdrawn within the wait: readers need not hear of either. */
  dropped: string[]
  /** The only one that is left: it is sent as it is, and its message tells of what corrects it. */
  alone?: { id: string; correctedBy: string[] }
  digest?: Digest
}

/** Pure. */
export function compose(held: HeldTogether): Composed {
  const { alerts, id, channel, by, until, silence } = held
  const ids = new Set(alerts.map(({ id }) => id))
  const stories = alerts
    .filter(({ revises }) => revises === undefined || !ids.has(revises))
    .map((first) => [first, ...revisionsOf(first.id, alerts)])
  const isWithdrawn = (story: readonly AlertEvent[]) => isWithdrawal(story.at(-1)) && story.length > 1
  const dropped = stories.filter(isWithdrawn).flatMap((story) => story.map(({ id }) => id))
  const left = stories.filter((story) => !isWithdrawn(story))
  const [only, ...more] = left
  const [first] = only ?? []
  if (only === undefined || first === undefined) return { dropped }
  if (more.length === 0 && silence === undefined) {
    return { dropped, alone: { id: first.id, correctedBy: only.slice(1).map(({ id }) => id) } }
  }
  const of = left.flat().toSorted((one, other) => alerts.indexOf(one) - alerts.indexOf(other))
  const digest: Digest = {
    kind: 'digest',
    id,
    channel,
    by,
    from: of[0]?.receivedAt ?? isoTime(until),
    until: isoTime(until),
    of: of.map(({ id }) => id),
    items: left.flatMap((story) => story.at(-1) ?? []).map(shownOf),
    ...(silence !== undefined && { silence }),
    receivedAt: isoTime(held.now),
  }
  return { dropped, digest }
}

/** What corrects or withdraws it, one after the other. */
function revisionsOf(id: string, alerts: readonly AlertEvent[]): AlertEvent[] {
  const next = alerts.findLast(({ revises, before }) => revises === id && before !== undefined)
  return next === undefined ? [] : [next, ...revisionsOf(next.id, alerts)]
}

/** Polling takes back what it found. */
function isWithdrawal(event: AlertEvent | undefined): boolean {
  return event?.found === true && event.revises !== undefined
}

function shownOf(event: AlertEvent): ShownAlert {
  const { body: _, content: _content, evidence: _evidence, methodology: _methodology, ...shown } = event
  return shown
}

/** `number`: the second digest of one wait, the third, where more came while the first was made. */
export function digestId(channel: string, by: string, until: number, number: number): string {
  const hash = createHash('sha256').update(JSON.stringify([channel, by, until, number]))
  return `dgs_${hash.digest('hex').slice(0, 24)}`
}
