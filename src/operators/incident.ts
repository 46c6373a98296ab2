import { hash } from 'node:crypto'
import * as z from 'zod'
import type { Notice } from '../event/event.ts'

/** Something that is wrong, or was wrong and its end is not reported yet. */
export const Incident = z.object({
  key: z.string(),
  title: z.string(),
  text: z.string(),
  channel: z.string().nullable(),
  /** ISO 8601, UTC. Two incidents of one key differ in this. */
  since: z.string(),
  /** Its beginning was reported to the operators. */
  told: z.boolean(),
  /** The title of that notice; it may have changed since. */
  toldAs: z.string().nullable().default(null),
  /** What is to be reported next may have been reported by a process that ended before it knew. */
  uncertain: z.boolean().default(false),
  /** The title of its end, if that has come. */
  over: z.string().nullable().default(null),
  /** If it began again while its end was being reported: the next incident. */
  again: z
    .object({ title: z.string(), text: z.string(), channel: z.string().nullable(), since: z.string() })
    .nullable()
    .default(null),
})
export type Incident = z.infer<typeof Incident>

/** What is stored of all of them; what cannot be read is none. */
export const StoredIncidents = z.array(Incident).catch([])

export type Phase = Notice['phase']

export const IncidentReport = z.object({
  title: z.string(),
  text: z.string(),
  /** The channel that it is about: it gets no notice of it. */
  channel: z.string().exactOptional(),
})
export type IncidentReport = z.infer<typeof IncidentReport>

/** All that is known of one key. */
export interface IncidentRecord {
  /** What is wrong, or whose end is not reported yet. */
  incident: Incident | undefined
  /** The `since` of a change that is not written yet. */
  unsaved?: string | undefined
  /** It began here and was never written: another process may have reported the same. */
  isBegun?: boolean
  /** The `since` of the last incident that ended here, written or not. */
  endedSince?: string
  /** What is being reported at this moment. */
  reporting?: Phase | undefined
  /** When the last incident began; milliseconds since the epoch. */
  latest?: number
}

/** When the next incident begins: never when the last one did, as what begins twice within a millisecond is two incidents. */
export function nextSince(record: IncidentRecord, at: number): string {
  const now = Math.floor(at)
  const last = record.latest ?? Number.NEGATIVE_INFINITY
  record.latest = last >= now && last - now < 1_000 ? last + 1 : now
  return new Date(record.latest).toISOString()
}

/** What is to be reported next; undefined if the operators know how things are. */
export function pending(incident: Incident): Phase | undefined {
  if (!incident.told) return 'trouble'
  return incident.over === null ? undefined : 'over'
}

/** After a report that it is wrong. `reporting`: what is being reported of it at this moment. */
export function opened(
  before: Incident | undefined,
  key: string,
  { title, text, channel }: IncidentReport,
  { since, reporting }: { since: string; reporting: Phase | undefined },
): Incident {
  const content = { title, text, channel: channel ?? null }
  if (before === undefined)
    return { key, ...content, since, told: false, toldAs: null, uncertain: false, over: null, again: null }
  const mayBeEnded = before.told && (reporting === 'over' || before.uncertain)
  if (before.over !== null && mayBeEnded)
    return { ...before, again: { ...content, since: before.again?.since ?? since } }
  // Nobody knows of an end that was not reported: it is wrong now, as the operators know.
  return { ...before, ...content, over: null }
}

/** After a report that it is well. Undefined if nobody knows that it was not. */
export function resolved(
  before: Incident,
  title: string,
  reporting: Phase | undefined,
): Incident | undefined {
  if (before.again !== null) return { ...before, again: null }
  if (before.over !== null) return before
  if (!before.told && !before.uncertain && reporting !== 'trouble') return undefined
  return { ...before, over: title }
}

/** After the operators were alerted. Undefined if nothing is wrong and all was reported. */
export function reported(before: Incident, phase: Phase): Incident | undefined {
  if (phase === 'trouble') return { ...before, told: true, uncertain: false }
  if (before.again === null) return undefined
  const none = { told: false, toldAs: null, uncertain: false, over: null, again: null }
  return { ...before, ...before.again, ...none }
}

/** After they could not be alerted. Undefined if it is over and they never knew of it. */
export function notReported(before: Incident, phase: Phase): Incident | undefined {
  if (before.uncertain) return before
  if (phase === 'trouble') return before.over === null ? before : undefined
  if (before.again === null) return before
  return { ...before, ...before.again, since: before.since, over: null, again: null }
}

/** What is wrong now, as it is shown; undefined if it is over. */
export function wrongNow(incident: Incident): Incident | undefined {
  if (incident.again !== null) return { ...incident, ...incident.again, again: null, over: null }
  return incident.over === null ? incident : undefined
}

/** As it was stored by a process that has ended. */
export function recalled(stored: Incident): Incident {
  return { ...stored, uncertain: !stored.told || stored.over !== null }
}

/** What two processes found wrong is one incident, from when the first of them did; only one of them reports it. */
export function asOne(theirs: Incident, { title, text, channel, over }: Incident): Incident {
  return theirs.over === null ? { ...theirs, title, text, channel, over } : theirs
}

/** What the operators read of it. `now`: milliseconds since the epoch. */
export function noticeOf(incident: Incident, phase: Phase, now: number): Notice {
  const { key, title, text, channel, since, over, toldAs } = incident
  const content =
    phase === 'over' ? { title: over ?? title, text: `Resolved: ${toldAs ?? title}.` } : { title, text }
  const report = channel === null ? content : { ...content, channel }
  return {
    ...notice(key, report, { phase, episode: since, now }),
    about: { key, since },
    ...(incident.uncertain && { uncertain: true }),
  }
}

/** Two notices of one key differ in their `episode`. The same episode is the same notice, stored once. */
export function notice(
  key: string,
  { channel, title, text }: IncidentReport,
  { phase, episode, now }: { phase: Phase; episode: string; now: number },
): Notice {
  return {
    kind: 'notice',
    id: noticeId(key, phase, episode),
    phase,
    channel: channel ?? null,
    title,
    text,
    receivedAt: new Date(now).toISOString(),
  }
}

/** `ntc_…`: the same key, phase and episode are the same notice, stored and sent once. */
export function noticeId(key: string, phase: string, episode: string): string {
  return `ntc_${hash('sha256', JSON.stringify([key, phase, episode])).slice(0, 24)}`
}
