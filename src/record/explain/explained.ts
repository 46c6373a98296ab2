import * as z from 'zod'
import { type AlertEvent, type Entry, isFinding } from '../../event/event.ts'
import { otherContentId } from '../../event/ids.ts'
import { calmYearsPerAlert, chanceInWords, chanceOf, type Level, type Levels } from '../../event/levels.ts'
import type { Outcome } from '../../event/outcome.ts'
import { counted, minuteText, plain, signed } from '../../platform/text.ts'
import type { FollowUps, NearAlert } from '../../store/near.ts'
import type { StoredEntry } from '../../store/store.ts'
import { changeLines } from './changes.ts'
import { type EarlierEnd, earlierEnds, reason, remarksOn } from './outcome-reason.ts'
import { title } from './title.ts'

/** What became of an event on one channel. */
interface ExplainedOutcome {
  channel: string
  /** As it is stored: `not_sent`, … */
  state: Outcome['state']
  reason: string
  /** The end of `reason` after what the provider answered: copies, edits, an escalation. May be empty. */
  remarks: string
  /** How it stood each time that somebody asked for it to be sent again, oldest first. */
  earlier: EarlierEnd[]
}

/** What is known of a stored event, in sentences: what it is, how it came, and what became of it everywhere. */
export interface Explained {
  title: string
  came: string
  /** Proof, figures, relations, and what is not as documented; a line each. Those that begin with `!` are the last. */
  marks: string[]
  outcomes: ExplainedOutcome[]
  /** The alerts of a digest. */
  members: { id: string; title: string }[]
}

/** What an explanation is made of. */
export interface ExplainSources {
  event(id: string): Promise<StoredEntry | undefined>
  /** What else is known of the change that an event reports. */
  later(id: string): Promise<FollowUps>
  /** `resting`: channels that rest after a failure, and until when (ISO 8601). */
  status(): Promise<{ resting: readonly { channel: string; until: string; why: string }[] }>
}

export async function explained(stored: StoredEntry, sources: ExplainSources): Promise<Explained> {
  const { entry, outcomes } = stored
  const [{ resting }, { followers: later = [] }] = await Promise.all([
    sources.status(),
    sources.later(entry.id),
  ])
  const of = entry.kind === 'digest' ? entry.of : []
  return {
    title: title(entry),
    came: `${cameOf(entry)}, received ${entry.receivedAt}`,
    marks: await marksOf(entry, later, sources),
    outcomes: Object.entries(outcomes).map(([channel, outcome]) => ({
      channel,
      state: outcome.state,
      reason: `${reason(
        outcome,
        resting.find((backoff) => backoff.channel === channel),
      )}${remarksOn(outcome, later)}`,
      remarks: remarksOn(outcome, later),
      earlier: earlierEnds(outcome, (stood) => `${reason(stood)}${remarksOn(stood)}`),
    })),
    members: await Promise.all(of.map(async (id) => ({ id, title: await titleOf(id, sources) }))),
  }
}

type Entries = Pick<ExplainSources, 'event'>

async function marksOf(entry: Entry, later: readonly NearAlert[], sources: Entries): Promise<string[]> {
  if (entry.kind === 'act' && entry.does === 'change-config') return entry.changes.flatMap(changeLines)
  if (entry.kind !== 'alert') return []
  return [
    ...signedBy(entry),
    ...figuresOf(entry).map((line) => `figures: ${line}`),
    ...(entry.sameAs === null ? [] : [`the same change as ${plain(entry.sameAs)}, which came first`]),
    ...relationOf(entry),
    ...(await hadTheOld(entry, sources)),
    ...(await otherContents(entry, sources)).map((id) => `other content came under this id: ${plain(id)}`),
    ...later.map(laterLine),
    ...entry.unrecognised.map(({ field, problem }) => `! ${field}: ${plain(problem)}`),
  ]
}

async function titleOf(id: string, sources: Entries): Promise<string> {
  const entry = (await sources.event(id))?.entry
  return entry === undefined ? '(no longer stored)' : title(entry)
}

function laterLine(later: NearAlert): string {
  if (later.confirms !== undefined) return `confirmed by ${plain(later.id)} later`
  if (later.revises === undefined) return `the same change came as ${plain(later.id)} later`
  return `${isFinding(later) ? 'withdrawn' : 'corrected'} by ${plain(later.id)} later`
}

/** What it is to an event before it, and why it goes where it goes. */
function relationOf({ revises, confirms, before }: AlertEvent): string[] {
  if (confirms !== undefined) return [`confirms ${plain(confirms)}`]
  if (before === undefined) {
    return revises === undefined ? [] : [`it shows readers the same as ${plain(revises)}`]
  }
  return revises === undefined
    ? [`goes further than ${plain(before.id)}, which came first`]
    : [`corrects ${plain(before.id)}, also on channels that got it but would filter this one`]
}

/** Of a correction or withdrawal: who was sent what it corrects, and when; its corrections before this one, too. */
async function hadTheOld({ revises, before }: AlertEvent, sources: Entries): Promise<string[]> {
  if (revises === undefined || before === undefined) return []
  const old = await sources.event(revises)
  if (old?.entry.kind !== 'alert') return []
  const sent = await Promise.all(
    Object.entries(old.outcomes).map(async ([channel, outcome]) => {
      const at = await sentAt(channel, outcome, sources)
      return at === undefined ? [] : [`${channel} (${at})`]
    }),
  )
  const readers = sent.flat().join(', ') || 'nobody'
  const line = `${plain(revises)} was sent to ${readers}`
  return [line, ...(await hadTheOld(old.entry, sources))]
}

/** When readers of a channel had it: in its own message, or in a digest. */
async function sentAt(channel: string, outcome: Outcome, sources: Entries): Promise<string | undefined> {
  if (outcome.state === 'sent') return outcome.at
  if (outcome.state !== 'merged') return undefined
  const other = (await sources.event(outcome.in))?.outcomes[channel]
  return other?.state === 'sent' ? `${other.at}, in the message about ${plain(outcome.in)}` : undefined
}

/** Those that came under its id later; of an id that was used for anything, the first ones. */
async function otherContents({ id }: AlertEvent, sources: Entries): Promise<string[]> {
  const ids: string[] = []
  for (let number = 2; ; number += 1) {
    const other = otherContentId(id, number)
    if ((await sources.event(other)) === undefined) return ids
    ids.push(other)
  }
}

function cameOf(entry: Entry): string {
  if (entry.kind === 'alert') return `${wayOf(entry)}, detected ${entry.detectedAt ?? '(not readable)'}`
  return entry.kind === 'act' ? `by ${plain(entry.by.name)}, from ${entry.by.via}` : 'from Bluepencil itself'
}

function wayOf(event: AlertEvent): string {
  if (isFinding(event)) return 'found by polling the published figures'
  return event.source === 'webhook' ? 'reported by webhook' : 'reported in the list of alerts'
}

function signedBy({ evidence }: AlertEvent): string[] {
  if (evidence === undefined) return []
  const { hash, encoding, key } = evidence.form
  return [
    `signed with ${hash} (${encoding}, key ${key}), by the secret with the fingerprint ${evidence.secret}`,
  ]
}

const shown = {
  visible: 'the change is visible',
  'not-yet': 'the change was not visible when the alert came',
  'not-shown': 'no level before and after was available when the alert came',
  'not-read': 'not read when the alert came',
}

/** Every figure that led to the decision, as far as there are any: what a message leaves out stands here. */
function figuresOf(alert: AlertEvent): string[] {
  const { figures } = alert
  if (figures === null) return []
  const { levels, readAt, state } = figures
  if (levels === undefined) return [shown[state]]
  const { now, before, since } = levels
  const read = readAt === null || readAt === since ? '' : ` (read ${minuteText(readAt)})`
  return [
    `${levelText(now)} in ${counted(now.readings, 'reading')} since ${minuteText(since)}; ${levelText(before)} in ${before.readings} before${read}`,
    ...estimateOf(levels),
    ...testOf(levels),
    ...thresholdOf(alert),
  ]
}

function levelText({ rate, prompts }: Level): string {
  const of = prompts === null ? '' : ` of ${prompts.toLocaleString('en')} prompts`
  return `${rate}%${of}`
}

/** What the difference is less: nothing is to be said of it. Percentage points. */
const leastSmaller = 0.05

function estimateOf({ now, before, size, drift }: Levels): string[] {
  const difference = now.rate - before.rate
  if (Math.abs(difference - size) < leastSmaller) return []
  const drifting = Math.abs(drift) < leastSmaller ? '' : ` and of a drift of ${signed(drift)} points`
  return [
    `best estimate ${signed(size)} points instead of ${signed(difference)}: corrected for selection (a change looks larger at the time it is noticed)${drifting}`,
  ]
}

function testOf({ interval: [from, to], standardErrors, noise, besides }: Levels): string[] {
  const more = besides < leastSmaller ? '' : `, another error of ${besides.toFixed(1)} points`
  const chance = chanceInWords[chanceOf(standardErrors)]
  return [
    `${chance}: 95% range ${signed(from)} to ${signed(to)} points`,
    `${standardErrors.toFixed(1)} standard errors, noise × ${noise.toFixed(2)}${more}`,
  ]
}

const Threshold = z.object({ threshold: z.number(), readingsPerYear: z.number() })
const FindingBody = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('no JSON')
      return z.NEVER
    }
  })
  .pipe(z.object({ figures: Threshold }))

/** What a finding had to exceed, and how often that happens without a change. A report of the service needs to exceed nothing. */
function thresholdOf(alert: AlertEvent): string[] {
  if (!isFinding(alert)) return []
  const { data } = FindingBody.safeParse(alert.body.text)
  if (data === undefined) return []
  const { threshold, readingsPerYear } = data.figures
  return [
    `threshold ${threshold.toFixed(1)}: about one false alert in ${calmYearsPerAlert(readingsPerYear)} simulated years`,
  ]
}

/** A chat has room for so many lines below the title. */
const most = 4

/** The same in a few lines: how it came, and what became of it on each channel; those that have not sent it come first. */
export function inShort(id: string, { came, outcomes }: Explained): string[] {
  const lines = outcomes
    .toSorted((one, other) => Number(one.state === 'sent') - Number(other.state === 'sent'))
    .map(({ channel, state, reason }) => `${channel}: ${state.replace('_', ' ')}, ${reason}`)
  const all = [`${plain(id)}: ${came}`, ...lines]
  if (all.length <= most) return all
  const rest = counted(all.length - most + 1, 'more channel')
  return [...all.slice(0, most - 1), `and ${rest}: bluepencil explain ${plain(id)}`]
}
