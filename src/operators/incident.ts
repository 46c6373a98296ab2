import * as z from 'zod'
import type { Notice } from '../event/event.ts'

/** Something that is wrong, or was and its end is yet to be reported. */
export const Incident = z.object({
  key: z.string(),
  title: z.string(),
  text: z.string(),
  channel: z.string().nullable(),
  /** ISO 8601, UTC. Tells two incidents of one key apart. */
  since: z.string(),
  /** Its beginning was reported to the operators. */
  told: z.boolean(),
  /** Under which title; by now it may be called otherwise. */
  toldAs: z.string().nullable().default(null),
  /** What is to be reported next may have been reported by a process that ended before it knew. */
  uncertain: z.boolean().default(false),
  /** The title of its end, if that has come. */
  over: z.string().nullable().default(null),
  /** Where it began again while its end was being reported: the next one. */
  again: z
    .object({ title: z.string(), text: z.string(), channel: z.string().nullable(), since: z.string() })
    .nullable()
    .default(null),
})
export type Incident = z.infer<typeof Incident>

export type Phase = Notice['phase']

export const IncidentReport = z.object({
  title: z.string(),
  text: z.string(),
  /** The channel that it is about, which is not asked to carry the news of it. */
  channel: z.string().exactOptional(),
})
export type IncidentReport = z.infer<typeof IncidentReport>

/** What is to be reported next; undefined where the operators know how things stand. */
export function pending(incident: Incident): Phase | undefined {
  if (!incident.told) return 'trouble'
  return incident.over === null ? undefined : 'over'
}

/** After a report that it is wrong. `telling` is what is being reported of it at this moment. */
export function opened(
  before: Incident | undefined,
  key: string,
  report: IncidentReport,
  { since, telling }: { since: string; telling: Phase | undefined },
): Incident {
  const said = { title: report.title, text: report.text, channel: report.channel ?? null }
  if (before === undefined)
    return { key, ...said, since, told: false, toldAs: null, uncertain: false, over: null, again: null }
  const mayBeEnded = before.told && (telling === 'over' || before.uncertain)
  if (before.over !== null && mayBeEnded)
    return { ...before, again: { ...said, since: before.again?.since ?? since } }
  // An end that nobody was told of was none: it is wrong now, as the operators know.
  return { ...before, ...said, over: null }
}

/** After a report that it is well. Undefined where nobody was told that it was not. */
export function resolved(before: Incident, title: string, telling: Phase | undefined): Incident | undefined {
  if (before.again !== null) return { ...before, again: null }
  if (before.over !== null) return before
  if (!before.told && !before.uncertain && telling !== 'trouble') return undefined
  return { ...before, over: title }
}

/** After the operators were told. Undefined where nothing is wrong and all was said. */
export function told(before: Incident, phase: Phase): Incident | undefined {
  if (phase === 'trouble') return { ...before, told: true, uncertain: false }
  if (before.again === null) return undefined
  const none = { told: false, toldAs: null, uncertain: false, over: null, again: null }
  return { ...before, ...before.again, ...none }
}

/** After they could not be told. Undefined where it is over and they were never told of it. */
export function notTold(before: Incident, phase: Phase): Incident | undefined {
  if (before.uncertain) return before
  if (phase === 'trouble') return before.over === null ? before : undefined
  if (before.again === null) return before
  return { ...before, ...before.again, since: before.since, over: null, again: null }
}

/** What is wrong now, as it shows; undefined where it is over. */
export function wrongNow(incident: Incident): Incident | undefined {
  if (incident.again !== null) return { ...incident, ...incident.again, again: null, over: null }
  return incident.over === null ? incident : undefined
}

/** As it was stored by a process that has ended. */
export function recalled(stored: Incident): Incident {
  return { ...stored, uncertain: !stored.told || stored.over !== null }
}
