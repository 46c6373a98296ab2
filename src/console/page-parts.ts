import { randomUUID } from 'node:crypto'
import { alertPath } from '../config/console.ts'
import { type Desk, deskOf } from '../event/desk.ts'
import { type AlertEvent, type Entry, isFinding } from '../event/event.ts'
import type { Outcome, RoutingRule } from '../event/outcome.ts'
import type { RateSeries } from '../message/chart/series.ts'
import { english } from '../message/words/words.ts'
import { dayMs, minuteMs } from '../platform/durations.ts'
import { counted, signed, span } from '../platform/text.ts'
import { whatHolds } from '../record/explain/outcome-reason.ts'
import { title } from '../record/explain/title.ts'
import type { HeldAlerts } from '../store/held.ts'
import type { StoredEntry } from '../store/store.ts'
import { type Html, html } from './html.ts'
import type { ConsoleParts, PublishedSeries } from './parts.ts'
import type { PageContext } from './reply.ts'
import { sparkline } from './sparkline.ts'

export function timeOf(iso: string, timeZone: string): Html {
  if (Number.isNaN(Date.parse(iso))) return html`${iso}`
  return html`<time datetime="${iso}">${english.time(iso, timeZone)}</time>`
}

/** After so long a date says more than how long ago it was. */
const longestAgoMs = 7 * dayMs

/** "5 hours ago", with the exact time at hand. */
export function agoOf(iso: string, { now, timeZone }: Pick<PageContext, 'now' | 'timeZone'>): Html {
  const past = now - Date.parse(iso)
  if (Number.isNaN(past) || past > longestAgoMs || past < -minuteMs) return timeOf(iso, timeZone)
  const minutes = Math.max(Math.round(past / minuteMs), 0)
  const words = minutes === 0 ? 'just now' : `${span(minutes)} ago`
  return html`<time datetime="${iso}" title="${english.time(iso, timeZone)}">${words}</time>`
}

/** How old figures are that could not be read anew. */
export function asOf(
  { outdated = '', readAt }: Pick<PublishedSeries, 'outdated' | 'readAt'>,
  timeZone: string,
): string {
  const why = outdated.charAt(0).toUpperCase() + outdated.slice(1)
  return `${why}; figures as of ${english.time(readAt, timeZone)}.`
}

export const stateNames: Record<Outcome['state'], string> = {
  sent: 'sent',
  waiting: 'waiting',
  held: 'held',
  merged: 'in another message',
  failed: 'failed',
  not_sent: 'not sent',
}

/** As the form of a channel's filters has them; `explain` has their keys. */
export const ruleNames: Record<RoutingRule, string> = {
  models: 'models',
  events: 'types',
  categories: 'categories of prompts',
  minDelta: 'smallest change',
  direction: 'direction',
  stale: 'too old',
  'operators-only': 'for operators only',
  'channel-removed': 'channel removed',
  'same-change': 'same change',
  'nothing-new': 'nothing new',
  unsubscribed: 'unsubscribed',
  'not-escalated': 'not escalated',
}

/** What became of something: in a word, and beside it in colour. */
export function stateBadge(state: Outcome['state'], channel?: string): Html {
  return html`<span class="badge ${state}">${channel !== undefined && html`<span class="of">${channel}</span> `}${stateNames[state]}</span>`
}

/** What every form that does something holds. The key makes a second click the same act. */
export function formFields({ token }: Pick<PageContext, 'token'>): Html {
  return html`<input type="hidden" name="token" value="${token}"><input type="hidden" name="key" value="${randomUUID()}">`
}

interface ButtonForm {
  action: string
  label: string
  /** Only in its accessible name. */
  about: string
  fields?: Record<string, string>
  isQuiet?: boolean
}

export function buttonForm(
  context: Pick<PageContext, 'base' | 'token'>,
  { action, label, about, fields = {}, isQuiet = true }: ButtonForm,
): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="${context.base}${action}">${formFields(context)}${hidden}<button${isQuiet && html` class="quiet"`} aria-label="${label}: ${about}">${label}</button></form>`
}

const linkedParts = /\b((?:evt|poll|dgs|ntc)_[\w~-]+|\d{4}-\d\d-\d\dT[\d:.]+Z)/

/** A sentence in which the entries that it names are links, and times are those of the reader. */
export function linked({ base, timeZone }: Pick<PageContext, 'base' | 'timeZone'>, text: string): Html[] {
  return text.split(linkedParts).map((part, index) => {
    if (index % 2 === 0) return html`${part}`
    return /^\d/.test(part) ? timeOf(part, timeZone) : html`<a href="${alertPath(base, part)}">${part}</a>`
  })
}

/** For a channel that got no message. */
export function sendAgainForm(
  id: string,
  { channel, wasTried }: { channel: string; wasTried: boolean },
  context: PageContext,
): Html {
  const action = `/alerts/${encodeURIComponent(id)}/send-again`
  return buttonForm(context, {
    action,
    label: wasTried ? 'Send again' : 'Send it',
    about: `${id} to ${channel}`,
    fields: { channel },
  })
}

/** What waits for a channel: how much, until when, what for; and the way to send it now. */
export function heldFor(
  channel: string,
  held: readonly HeldAlerts[] | undefined,
  { context, mayAct }: { context: PageContext; mayAct: boolean },
): Html | false {
  if (held === undefined) return false
  return html`<div class="caveat">${held.map(
    ({ count, until, by }) =>
      html`<p>${counted(count, 'alert is', 'alerts are')} held until ${timeOf(until, context.timeZone)}: ${whatHolds(by)}.</p>`,
  )}${mayAct && sendNowForm(channel, context)}</div>`
}

/** All that is held for a channel, or one alert of it. */
export function sendNowForm(channel: string, context: PageContext, id?: string): Html {
  return buttonForm(context, {
    action: `/channels/${channel}/send-held`,
    label: 'Send now',
    about: id === undefined ? `what is held for ${channel}` : `${id} to ${channel}`,
    ...(id !== undefined && { fields: { id } }),
  })
}

/** Everything that is held, on all channels at once. */
export function sendAllForm(
  channels: readonly { held?: readonly HeldAlerts[] }[],
  context: PageContext,
): Html | false {
  const counts = channels.flatMap(({ held = [] }) => (held.length === 0 ? [] : [alertsIn(held)]))
  if (counts.length === 0) return false
  const count = counts.reduce((sum, one) => sum + one, 0)
  const form = buttonForm(context, {
    action: '/send-held',
    label: 'Send all now',
    about: 'everything that is held',
  })
  return html`<div class="row"><span>${counted(count, 'alert is', 'alerts are')} held for ${counted(counts.length, 'channel')}.</span> ${form}</div>`
}

function alertsIn(held: readonly HeldAlerts[]): number {
  return held.reduce((sum, { count }) => sum + count, 0)
}

/** The rates of models over ninety days as small lines, by `seriesKey`. */
export type Sparklines = ReadonlyMap<string, RateSeries>

export function seriesKey({ model, category }: Pick<AlertEvent, 'model' | 'category'>): string {
  return `${model}/${category}`
}

/** What the desk does about alerts, by their ids. */
export type Desks = ReadonlyMap<string, Desk>

export async function desksOf(
  rows: readonly StoredEntry[],
  { control }: Pick<ConsoleParts, 'control'>,
): Promise<Desks> {
  const alerts = rows.filter(({ entry }) => entry.kind === 'alert')
  const read = alerts.map(async ({ entry: { id } }) => {
    const { acts = [] } = await control.later(id)
    return [id, deskOf(acts)] as const
  })
  return new Map(await Promise.all(read))
}

/** Alerts, or other entries, newest first: how large, a link, when it came, and what became of it. */
export function alertRows(
  rows: readonly StoredEntry[],
  context: PageContext,
  beside: { sparklines?: Sparklines; desks?: Desks } = {},
): Html {
  return html`<ol class="alerts">${rows.map((row) => alertRow(row, context, beside))}</ol>`
}

function alertRow(
  { entry, outcomes }: StoredEntry,
  context: PageContext,
  { sparklines = new Map(), desks = new Map() }: { sparklines?: Sparklines; desks?: Desks },
): Html {
  const { state = 'new', by } = desks.get(entry.id) ?? {}
  const what = state === 'published' ? 'has published it' : 'is checking it'
  const holder = state !== 'new' && by !== undefined && html` · <strong>${by.name}</strong> ${what}`
  const states = Object.entries(outcomes).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const series = entry.kind === 'alert' ? sparklines.get(seriesKey(entry)) : undefined
  const at = entry.kind === 'alert' ? Date.parse(entry.detectedAt ?? entry.receivedAt) : undefined
  return html`<li>
${sizeOf(entry)}
<div><a class="headline" href="${alertPath(context.base, entry.id)}">${title(entry)}</a>
<p class="meta">${agoOf(entry.receivedAt, context)} · ${wayOf(entry)}${holder}</p>
${states.length > 0 && html`<p class="badges">${states.map(([channel, { state }]) => html`${stateBadge(state, channel)} `)}</p>`}
</div>${series && sparkline(series, at)}</li>`
}

/** "+12", "−0.8": percentage points. */
export function pointsText(delta: number): string {
  return signed(delta).replace('.0', '')
}

/** How large a change is, with its arrow; for ears, more or fewer refusals. */
function sizeOf(entry: Entry): Html {
  const delta = entry.kind === 'alert' ? entry.delta : null
  if (delta === null || delta === 0)
    return html`<span class="tone"><span class="unseen">no size</span></span>`
  const [tone, words] = delta > 0 ? ['rise', 'more refusals'] : ['fall', 'fewer refusals']
  return html`<span class="tone ${tone}">${pointsText(delta)}<span class="unseen"> points, ${words}</span></span>`
}

export function wayOf(entry: Entry): string {
  if (entry.kind !== 'alert') return 'from Bluepencil'
  if (isFinding(entry)) return 'found in the figures'
  return entry.source === 'webhook' ? 'by webhook' : 'in the list of alerts'
}
