import * as z from 'zod'
import type { AlertEvent, Entry, Notice } from '../../event/event.ts'
import { isoTime } from '../../platform/clock.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/durations.ts'

/** How the changes came that began in a span of time. Each change is counted once, on the day on which it came first. */
export interface LedgerTally {
  webhookOnly: number
  pollingOnly: number
  both: number
  /** Of both: which way was first, and by how many minutes in the median; null if there was none. */
  webhookFirst: number
  webhookLeadMinutes: number | null
  pollingFirst: number
  pollingLeadMinutes: number | null
  /** Of those by webhook only: the figures showed them, did not within the window, may yet, or nobody looked. */
  shown: number
  neverShown: number
  tooRecent: number
  notCompared: number
}

/** Another version label, a report that nothing changed, or one whose size cannot be read. */
type Besides = 'version' | 'unchanged' | 'withoutSize'

/** Times are ISO 8601, UTC; days are calendar days in UTC, both included. */
export interface Account {
  from: string
  to: string
  days: (LedgerTally & { day: string })[]
  total: LedgerTally
  /** Alerts about no change of a rate, which are not counted above. */
  besides: Record<Besides, number>
  /** Hours in which a way was known not to work. What came while Bluepencil did not run is not known to it. */
  hoursWithout: { webhook: number; polling: number }
  /** Since when the figures are read, and when they were last; null if they never were. */
  polling: { since: string; lastRead: string } | null
  /** How many figures were seen published anew with another rate in these days; absent if they were not counted. */
  revisions?: number
}

export interface AccountParts {
  /** Everything that came since the first day, in any order. */
  entries: readonly Entry[]
  from: string
  to: string
  /** Milliseconds since the epoch, as all that follow. */
  now: number
  /** For how long the figures may take to show what a webhook reports. */
  windowMs: number
  polling: { since: number; lastRead: number } | null
  /** As in `Account`. */
  revisions?: number
}

/** Incidents in which nothing comes by a way, by their keys. */
const withoutWebhook = ['subscription', 'signature', 'secret', 'store', 'polling']
const withoutPolling = ['figures', 'store']

/** Accounts for every change by the ways in which it came. Pure. */
export function accountFor(parts: AccountParts): Account {
  const { from, to, polling, revisions } = parts
  const all = changesOf(parts).filter(({ day }) => day >= from && day <= to)
  const changes = all.filter((change) => change.besides === undefined)
  const count = (besides: Besides) => all.filter((change) => change.besides === besides).length
  const days = daysBetween(from, to).map((day) => ({
    day,
    ...tally(changes.filter((change) => change.day === day)),
  }))
  return {
    from,
    to,
    days,
    total: tally(changes),
    besides: {
      version: count('version'),
      unchanged: count('unchanged'),
      withoutSize: count('withoutSize'),
    },
    hoursWithout: {
      webhook: hoursOf(withoutWebhook, parts),
      polling: hoursOf(withoutPolling, parts),
    },
    polling: polling && { since: isoTime(polling.since), lastRead: isoTime(polling.lastRead) },
    ...(revisions !== undefined && { revisions }),
  }
}

interface AccountedChange {
  day: string
  besides: Besides | undefined
  by: 'webhook' | 'polling' | 'both'
  first: 'webhook' | 'polling'
  leadMs: number
  figures: 'shown' | 'neverShown' | 'tooRecent' | 'notCompared'
}

function changesOf(parts: AccountParts): AccountedChange[] {
  const alerts = parts.entries.filter((entry) => entry.kind === 'alert')
  const corrected = new Map(
    alerts.flatMap(({ id, revises }) => (revises === undefined ? [] : [[id, revises]])),
  )
  const seconds = new Map(
    alerts.flatMap((event) => (event.sameAs === null ? [] : [[firstOf(event.sameAs, corrected), event]])),
  )
  // A second whose first came before is counted on the day of that; a correction is of a change that was counted.
  return alerts
    .filter(({ sameAs, revises, confirms }) => sameAs === null && (revises ?? confirms) === undefined)
    .map((event) => changeOf(event, seconds.get(event.id), parts))
}

/** What was said first of a change, by the id of any correction of it. */
function firstOf(id: string, corrected: ReadonlyMap<string, string>): string {
  let first = id
  for (let before = corrected.get(id); before !== undefined; before = corrected.get(before)) first = before
  return first
}

function changeOf(event: AlertEvent, second: AlertEvent | undefined, parts: AccountParts): AccountedChange {
  const first = wayOf(event)
  const isBoth = second !== undefined && wayOf(second) !== first
  return {
    day: event.receivedAt.slice(0, 10),
    besides: besidesOf(event),
    by: isBoth ? 'both' : first,
    first,
    leadMs: second === undefined ? 0 : Date.parse(second.receivedAt) - Date.parse(event.receivedAt),
    figures: figuresOn(event, parts),
  }
}

/** By what was said first of it. Undefined if it is a change of a rate. */
function besidesOf({ version, delta }: AlertEvent): Besides | undefined {
  if (version !== undefined) return 'version'
  if (delta === null) return 'withoutSize'
  return delta === 0 ? 'unchanged' : undefined
}

function wayOf({ source }: AlertEvent): 'webhook' | 'polling' {
  return source === 'webhook' ? 'webhook' : 'polling'
}

function figuresOn(
  { figures, receivedAt }: AlertEvent,
  { now, windowMs, polling }: AccountParts,
): AccountedChange['figures'] {
  if (figures?.state === 'visible') return 'shown'
  const at = Date.parse(receivedAt)
  const isCompared = figures?.state === 'not-yet'
  if (polling === null || polling.since > at) return isCompared ? 'neverShown' : 'notCompared'
  if (now < at + windowMs) return 'tooRecent'
  return polling.lastRead >= at + windowMs || isCompared ? 'neverShown' : 'notCompared'
}

function tally(changes: readonly AccountedChange[]): LedgerTally {
  const count = (wanted: (change: AccountedChange) => boolean) => changes.filter(wanted).length
  const firsts = (way: AccountedChange['first']) =>
    changes.filter(({ by, first }) => by === 'both' && first === way)
  const alone = (figures: AccountedChange['figures']) =>
    count((change) => change.by === 'webhook' && change.figures === figures)
  return {
    webhookOnly: count(({ by }) => by === 'webhook'),
    pollingOnly: count(({ by }) => by === 'polling'),
    both: count(({ by }) => by === 'both'),
    webhookFirst: firsts('webhook').length,
    webhookLeadMinutes: medianMinutes(firsts('webhook')),
    pollingFirst: firsts('polling').length,
    pollingLeadMinutes: medianMinutes(firsts('polling')),
    shown: alone('shown'),
    neverShown: alone('neverShown'),
    tooRecent: alone('tooRecent'),
    notCompared: alone('notCompared'),
  }
}

function medianMinutes(changes: readonly AccountedChange[]): number | null {
  const leads = changes.map(({ leadMs }) => leadMs).toSorted((one, other) => one - other)
  const low = leads[Math.floor((leads.length - 1) / 2)]
  const high = leads[Math.floor(leads.length / 2)]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2 / minuteMs)
}

/** Of the days in question, those hours that any such trouble took, in tenths. */
function hoursOf(keys: readonly string[], { entries, from, to, now }: AccountParts): number {
  const notices = entries.filter((entry) => entry.kind === 'notice')
  const start = Date.parse(from)
  const end = Math.min(Date.parse(to) + dayMs, now)
  const spans = notices
    .flatMap((notice) => spanOf(notice, keys, notices, now))
    .map(([begins, ends]) => [Math.max(begins, start), Math.min(ends, end)] as const)
    .toSorted(([one], [other]) => one - other)
  let total = 0
  let until = start
  for (const [begins, ends] of spans) {
    total += Math.max(0, ends - Math.max(begins, until))
    until = Math.max(until, ends)
  }
  return Math.round((total / hourMs) * 10) / 10
}

function spanOf(
  { phase, about, receivedAt }: Notice,
  keys: readonly string[],
  all: readonly Notice[],
  now: number,
) {
  if (about === undefined || !keys.includes(about.key)) return []
  const begins = Date.parse(about.since)
  if (phase === 'over') return [[begins, Date.parse(receivedAt)] as const]
  const isOver = all.some(
    (other) => other.phase === 'over' && other.about?.key === about.key && other.about.since === about.since,
  )
  return isOver ? [] : [[begins, now] as const]
}

function daysBetween(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += dayMs) days.push(isoTime(at).slice(0, 10))
  return days
}

const Polling = z.object({ begunAt: z.number(), succeededAt: z.number() })

/** Since when the figures are read, from what polling remembers; null if they never were. */
export function pollingKnown(state: unknown): AccountParts['polling'] {
  const { data } = Polling.safeParse(state)
  return data === undefined ? null : { since: data.begunAt, lastRead: data.succeededAt }
}
