import * as z from 'zod'
import { type Desk, deskStates } from '../../event/desk.ts'
import { type AlertEvent, isFinding } from '../../event/event.ts'
import { chanceOf } from '../../event/levels.ts'
import type { Outcome } from '../../event/outcome.ts'
import { headline } from '../../message/render/headline.ts'
import { isProvisional, levelsOf, statedSize } from '../../message/render/levels.ts'
import { plain } from '../../platform/text.ts'
import type { StoredEntry } from '../../store/store.ts'
import { number, text, time, timeText } from './fields.ts'

const ways = ['webhook', 'list', 'figures'] as const

/** A change for programs, however many alerts there are about it. What is not known is null. */
export const ChangeRecord = z
  .object({
    id: text('The change: the id of the first alert about it'),
    kind: z.enum(['rate', 'version', 'other']).meta({
      description:
        'rate: the refusal rate changed. version: the version label changed, not a rate. other: not in the documented format',
    }),
    headline: text('The change in one sentence, in English'),
    model: text('Identifier of the model, such as claude, or as the service wrote it').nullable(),
    category: text('Category of the prompts, such as political').nullable(),
    versionFrom: text('Version label before it, if the label changed at that reading').nullable(),
    versionTo: text('Version label since').nullable(),
    firstSeenAt: time('When Bluepencil first received or found it'),
    firstSeenBy: z.enum(ways).meta({
      description:
        'webhook: the service reported it. list: it came from the list of alerts of the service. figures: Bluepencil found it in the published figures',
    }),
    reportedAt: time('When the first report of the service came').nullable(),
    foundAt: time('When Bluepencil found it in the published figures').nullable(),
    detectedAt: text(
      'Of a report, its time; of a finding, the first reading that shows it. ISO 8601, UTC',
    ).nullable(),
    reportedSize: number('Change that the service last reported; percentage points, signed').nullable(),
    since: time('First reading since the change').nullable(),
    rateBefore: number(
      'Mean of the published rates before the change, with less weight for outliers; percent',
    ).nullable(),
    promptsBefore: number('Prompts that count in the rate before').nullable(),
    readingsBefore: number('Readings behind the rate before').int().nullable(),
    rateNow: number('The same since the change; percent').nullable(),
    promptsNow: number('Prompts that count in the rate since').nullable(),
    readingsNow: number('Readings behind the rate since').int().nullable(),
    size: number(
      'Best estimate by the published figures; of a finding, corrected for selection; percentage points, signed',
    ).nullable(),
    sizeFrom: number(
      'Lower end of its 95 percent range; of a finding, it allows for selection; percentage points',
    ).nullable(),
    sizeTo: number('Upper end of its 95 percent range; percentage points').nullable(),
    standardErrors: number('The change, divided by its standard error').nullable(),
    noise: number(
      'Variance of a reading as a multiple of the binomial, as learned; prompts that are not published are assumed',
    ).nullable(),
    drift: number('Part of the difference that a drift explains; subtracted; percentage points').nullable(),
    otherModels: number('How many other models had readings then').int().nullable(),
    otherModelsAlike: number(
      'How many of them moved alike, which makes a change of the measurement more likely',
    )
      .int()
      .nullable(),
    chance: z
      .enum(['very-unlikely', 'unlikely', 'possible'])
      .meta({
        description:
          'How rarely one comparison chosen beforehand differs so much without a change: very-unlikely from 3.9 standard errors on (1 of 10,000), unlikely from 2.6 (1 of 100). It is not the probability that the alert is false',
      })
      .nullable(),
    status: z.enum(['stands', 'provisional', 'confirmed', 'corrected', 'withdrawn']).meta({
      description:
        'stands: not corrected. provisional: found in one reading, not reported. confirmed: later figures show it, too. corrected: the service later reported something else. withdrawn: later figures do not show it',
    }),
    statusBy: text('The alert that confirms, corrects or withdraws it').nullable(),
    statusAt: time('When that came').nullable(),
    desk: z.enum(deskStates).meta({
      description:
        'What the desk does about it: new, checking (somebody has acknowledged or taken it), published (a story about it)',
    }),
    deskBy: text('Who checks it, or published the story').nullable(),
    story: text('Address of the published story').nullable(),
    alerts: z
      .array(z.string())
      .meta({ description: 'Every alert about it, by id, in the order in which they came' }),
  })
  .meta({ description: 'One row for each change, however many reports there were of it' })
export type ChangeRecord = z.infer<typeof ChangeRecord>

/** What became of an alert on a channel, for programs. */
export const NotificationRecord = z
  .object({
    change: text('The change that the alert is about'),
    alert: text('The alert, by its id'),
    channel: text('The channel, as the configuration names it'),
    state: z.enum(['waiting', 'sent', 'failed', 'not_sent', 'held', 'merged']).meta({
      description:
        'merged: part of the message about another alert. held: it waits for quiet hours, a digest or a silence. not_sent: a rule excludes it',
    }),
    at: time('When it was sent, or failed').nullable(),
    reason: text('Why it was not sent, failed or waits; the alert in whose message it is').nullable(),
    headline: text('Headline of the message as it was first sent, in the language of the channel').nullable(),
    editedAt: time('When the message was last edited').nullable(),
    copies: number('Attempts without an answer: each may have produced a copy').int(),
  })
  .meta({ description: 'The result of each alert on each channel that was configured when it came' })
export type NotificationRecord = z.infer<typeof NotificationRecord>

interface StoredAlertEntry extends StoredEntry {
  entry: AlertEvent
}

/** All alerts about one change, the first one first. */
type AlertsOfChange = readonly [StoredAlertEntry, ...StoredAlertEntry[]]

/** Groups alerts by the change that they are about. `rows` has all of them, oldest first. Pure. */
export function changesIn(rows: readonly StoredEntry[]): AlertsOfChange[] {
  const changes = new Map<string, [StoredAlertEntry, ...StoredAlertEntry[]]>()
  for (const row of rows) {
    const { entry } = row
    if (entry.kind !== 'alert') continue
    const alert = { ...row, entry }
    // An alert about the same change, or one that corrects or confirms it, follows the one that it names.
    const named = entry.revises ?? entry.confirms ?? entry.sameAs
    const change = named === null || named === undefined ? undefined : changes.get(named)
    if (change === undefined) changes.set(entry.id, [alert])
    else {
      change.push(alert)
      changes.set(entry.id, change)
    }
  }
  return [...new Set(changes.values())]
}

/** Pure. */
export function changeRecordOf(alerts: AlertsOfChange, deskOf: (alert: AlertEvent) => Desk): ChangeRecord {
  const entries = alerts.map(({ entry }) => entry)
  const [{ entry: first }] = alerts
  const report = entries.find((entry) => !isFinding(entry))
  const lastReport = entries.findLast((entry) => !isFinding(entry) && entry.delta !== null)
  const finding = entries.find((entry) => isFinding(entry) && entry.revises === undefined && !entry.confirms)
  const confirmation = entries.findLast(({ confirms }) => confirms !== undefined)
  const levels = [confirmation, finding, lastReport, first]
    .map((entry) => entry && levelsOf(entry))
    .find(Boolean)
  const version = first.version ?? levels?.version
  const [sizeFrom = null, sizeTo = null] = levels?.interval ?? []
  return {
    id: first.id,
    kind: first.version ? 'version' : first.category === null && first.delta === null ? 'other' : 'rate',
    headline: headline(first, { size: statedSize(first) }),
    model: line(first.model),
    category: line(first.category),
    versionFrom: line(version?.from ?? null),
    versionTo: line(version?.to ?? null),
    firstSeenAt: timeText(first.receivedAt),
    firstSeenBy: wayOfAlert(first),
    reportedAt: report ? timeText(report.receivedAt) : null,
    foundAt: finding ? timeText(finding.receivedAt) : null,
    detectedAt: first.detectedAt,
    reportedSize: lastReport?.delta ?? null,
    since: levels ? timeText(levels.since) : null,
    rateBefore: levels?.before.rate ?? null,
    promptsBefore: levels?.before.prompts ?? null,
    readingsBefore: levels?.before.readings ?? null,
    rateNow: levels?.now.rate ?? null,
    promptsNow: levels?.now.prompts ?? null,
    readingsNow: levels?.now.readings ?? null,
    size: levels?.size ?? null,
    sizeFrom,
    sizeTo,
    standardErrors: levels?.standardErrors ?? null,
    noise: levels?.noise ?? null,
    drift: levels?.drift ?? null,
    otherModels: levels?.alike?.others ?? null,
    otherModelsAlike: levels?.alike?.moved ?? null,
    chance: levels ? chanceOf(levels.standardErrors) : null,
    ...statusOf(entries),
    ...deskColumns(lastOf(entries.map(deskOf))),
    alerts: entries.map(({ id }) => id),
  }
}

/** A correction has a state of its own: what was done last counts. */
function lastOf(desks: readonly Desk[]): Desk {
  return desks.reduce((last, desk) => ((desk.at ?? '') > (last.at ?? '') ? desk : last), { state: 'new' })
}

export function deskColumns({ state, by, story }: Desk): Pick<ChangeRecord, 'desk' | 'deskBy' | 'story'> {
  return { desk: state, deskBy: state === 'new' ? null : line(by?.name ?? null), story: story ?? null }
}

/** The last verdict counts. */
function statusOf(entries: readonly AlertEvent[]): Pick<ChangeRecord, 'status' | 'statusBy' | 'statusAt'> {
  const verdict = entries.findLast(({ revises, confirms }) => (revises ?? confirms) !== undefined)
  if (verdict === undefined) {
    const isAlone = entries.every(isFinding) && entries.some((entry) => isProvisional(entry))
    return { status: isAlone ? 'provisional' : 'stands', statusBy: null, statusAt: null }
  }
  const status = verdict.confirms !== undefined ? 'confirmed' : isFinding(verdict) ? 'withdrawn' : 'corrected'
  return { status, statusBy: verdict.id, statusAt: timeText(verdict.receivedAt) }
}

function wayOfAlert(alert: AlertEvent): (typeof ways)[number] {
  if (isFinding(alert)) return 'figures'
  return alert.source === 'webhook' ? 'webhook' : 'list'
}

/** Pure. */
export function notificationRecordsOf(alerts: AlertsOfChange): NotificationRecord[] {
  const [{ entry: first }] = alerts
  return alerts.flatMap(({ entry, outcomes }) =>
    Object.entries(outcomes).map(([channel, outcome]) => ({
      change: first.id,
      alert: entry.id,
      channel,
      state: outcome.state,
      ...whatBecame(outcome),
      copies: 'unanswered' in outcome ? (outcome.unanswered ?? 0) : 0,
    })),
  )
}

function whatBecame(outcome: Outcome): Pick<NotificationRecord, 'at' | 'reason' | 'headline' | 'editedAt'> {
  const nothing = { at: null, reason: null, headline: null, editedAt: null }
  switch (outcome.state) {
    case 'sent':
      return {
        at: timeText(outcome.at),
        reason: null,
        headline: line(outcome.message?.headline ?? null),
        editedAt: outcome.editedAt === undefined ? null : timeText(outcome.editedAt),
      }
    case 'failed':
      return { ...nothing, at: timeText(outcome.at), reason: line(outcome.why) }
    case 'merged':
      return { ...nothing, reason: line(outcome.in) }
    case 'not_sent':
      return { ...nothing, reason: line(`${outcome.rule}: ${outcome.why}`) }
    case 'held':
    case 'waiting':
      return { ...nothing, reason: line(outcome.why) }
  }
}

/** Text from outside as one harmless line. */
function line(value: string | null): string | null {
  return value === null ? null : plain(value, 500)
}
