import type { Notice } from '../event/event.ts'
import { modelName } from '../message/render/words.ts'
import { english } from '../message/words/words.ts'
import { counted, listed } from '../platform/text.ts'
import { noticeId } from './incident.ts'

/** Early on the first day of a working week: what is amiss can be mended in its time. */
const reportHour = '09:00'

/** What a channel's weekly report is about. Times are ISO 8601, UTC. */
export interface StatusReportData {
  /** The models that the channel asks for. */
  models: readonly string[]
  /** Alerts of the last seven days: all that came, and those that were sent here. */
  came: number
  sent: number
  /** When the newest delivery came; undefined if none is expected, null if there is none for long. */
  delivered: string | null | undefined
  /** When the published figures were last read; undefined if they are not, null if they never could be. */
  read: string | null | undefined
  /** Titles of what is wrong now. */
  wrong: readonly string[]
}

/** The Monday by whose report a channel is up to date, such as `2026-11-16`: the last at nine o'clock in its time zone. */
export function reportDay(now: number, timeZone: string): string {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  const monday = here.subtract({ days: here.dayOfWeek - 1 }).withPlainTime(reportHour)
  const isPast = Temporal.ZonedDateTime.compare(monday, here) <= 0
  return (isPast ? monday : monday.subtract({ weeks: 1 })).toPlainDate().toString()
}

/** The same channel and Monday are the same report. It is sent once, even if several processes send it, or one sends it again. */
export function reportId(channel: string, day: string): string {
  return noticeId(`status:${channel}`, 'over', day)
}

/** A sign of life, and of what: a channel that has read nothing for a week may be one on which all is calm, or nothing works. */
export function statusReport(
  { name, timeZone }: { name: string; timeZone: string },
  { models, came, sent, delivered, read, wrong }: StatusReportData,
  now: number,
): Notice {
  const at = (time: string | null, never: string) => (time === null ? never : english.time(time, timeZone))
  const text = [
    alertsOf(came, sent),
    ...(delivered === undefined ? [] : [`Last delivery: ${at(delivered, 'none in the last 30 days')}.`]),
    ...(read === undefined ? [] : [`Published figures last read: ${at(read, 'never')}.`]),
    wrong.length === 0 ? 'There are no known problems.' : `Current problems: ${wrong.join('; ')}.`,
  ]
  return {
    kind: 'notice',
    id: reportId(name, reportDay(now, timeZone)),
    phase: 'over',
    channel: null,
    to: [name],
    status: true,
    title: `Bluepencil is watching ${listed(
      models.map((model) => modelName(model)),
      'and',
    )}`,
    text: text.join(' '),
    receivedAt: new Date(now).toISOString(),
  }
}

function alertsOf(came: number, sent: number): string {
  if (came === 0) return 'No alert came in the last seven days.'
  return `${counted(came, 'alert')} came in the last seven days, and ${sentOf(came, sent)} sent here.`
}

function sentOf(came: number, sent: number): string {
  if (came === 1) return sent === 1 ? 'it was' : 'it was not'
  if (sent === 0) return 'none of them was'
  return sent === 1 ? 'one of them was' : `${sent} of them were`
}
