import { stringify } from 'yaml'
import { ChannelFilters } from '../../channels/settings.ts'
import { alertPath } from '../../config/console.ts'
import type { Act, MaskedChange, StoredFilters } from '../../event/act.ts'
import type { Entry } from '../../event/event.ts'
import { scopeInWords } from '../../message/render/acts.ts'
import { plain } from '../../platform/text.ts'
import { title } from '../../record/explain/title.ts'
import { filtersInWords, hoursInWords } from '../filters-in-words.ts'
import { type Html, html } from '../html.ts'
import { timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { readPage } from '../query.ts'
import type { ConsoleReply, PageContext, PageRequest } from '../reply.ts'
import { AlertsQuery, rowsOnPage } from './alerts.ts'

/** What a change of the configuration was, before and after; secrets are masked in the act itself. */
function fromWhatToWhat(id: string, changes: readonly MaskedChange[]): Html {
  return html`<details><summary>From what to what</summary>${changes.map(
    ({ of, from, to }) =>
      html`<pre tabindex="0" role="region" aria-label="${of}, ${id}">${stringify({ [of]: { from: from ?? 'not set', to: to ?? 'not set' } }, { lineWidth: 0 })}</pre>`,
  )}</details>`
}

/** What people did, wherever they did it, newest first. */
export async function showLog(
  { context, query }: PageRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { base, timeZone } = context
  const { before } = AlertsQuery.parse(query)
  const page = await readPage(control, { kind: 'act', limit: rowsOnPage, before })
  const rows = await Promise.all(
    page.rows.map(async ({ entry }) => ({ entry, what: await deedOf(entry, control, context) })),
  )
  return {
    page: {
      title: 'Audit log',
      isLive: before === undefined,
      body: html`<h1>Audit log</h1>
<p class="text">What people did in chats, by command, by mail or here. Entries are never changed, and kept until the retention ends.</p>
${rows.length === 0 && html`<p class="none">Nobody has done anything yet.</p>`}
${
  rows.length > 0 &&
  html`<table class="cards"><thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead><tbody>
${rows.map(
  ({ entry, what }) =>
    html`<tr><td data-label="When"><a href="${alertPath(base, entry.id)}">${timeOf(entry.receivedAt, timeZone)}</a></td><td data-label="What">${what} <span class="meta">${entry.kind === 'act' && entry.by.via}</span></td></tr>`,
)}</tbody></table>`
}
${page.before !== undefined && html`<nav class="pages" aria-label="More of the log"><a href="${base}/log?before=${page.before}" rel="next">Older</a></nav>`}`,
    },
  }
}

/** A sentence about an act, with the headline of what it is about in place of an id; for settings, from what to what. */
async function deedOf(
  entry: Entry,
  { event }: Pick<ConsoleParts['control'], 'event'>,
  context: PageContext,
): Promise<Html> {
  if (entry.kind !== 'act') return html`${title(entry)}`
  const id = 'entry' in entry ? entry.entry : entry.about
  const about = id === null ? undefined : (await event(id))?.entry
  return html`${about === undefined ? title(entry) : linkedTitle(title(entry), about, context)}${changeOf(entry, context)}`
}

function linkedTitle(sentence: string, about: Entry, { base }: PageContext): Html {
  const link = html`<a href="${alertPath(base, about.id)}">${nameOf(about)}</a>`
  const id = plain(about.id)
  const start = sentence.indexOf(id)
  if (start === -1) return html`${sentence}, about ${link}`
  return html`${sentence.slice(0, start)}${link}${sentence.slice(start + id.length)}`
}

function nameOf(about: Entry): string {
  return about.kind === 'act' && about.does === 'silence' ? scopeInWords(about.scope) : title(about)
}

function changeOf(act: Act, context: PageContext): Html | false {
  if (act.does === 'change-config') return fromWhatToWhat(act.id, act.changes)
  if (act.does === 'change-filters')
    return html`<p class="meta">From: ${inWords(act.was, context)}<br>To: ${inWords(act.becomes, context)}</p>`
  return act.does === 'restore-filters' && html`<p class="meta">From: ${inWords(act.was, context)}</p>`
}

function inWords(stored: StoredFilters, { timeZone }: PageContext): string {
  const { data } = ChannelFilters.safeParse(stored)
  if (data === undefined) return 'what this version cannot read'
  return [filtersInWords(data), ...hoursInWords({ ...data, timeZone })].join(' ')
}
