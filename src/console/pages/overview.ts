import { alertPath } from '../../config/console.ts'
import { knownModels } from '../../event/event.ts'
import { meanOf } from '../../message/chart/series.ts'
import { dayText } from '../../message/chart/words.ts'
import { modelName } from '../../message/render/words.ts'
import { english } from '../../message/words/words.ts'
import type { WellSince } from '../../operators/incidents.ts'
import type { Readiness } from '../../operators/readiness.ts'
import { isoTime } from '../../platform/clock.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import { counted, percentText, span } from '../../platform/text.ts'
import { title } from '../../record/explain/title.ts'
import type { StoredEntry } from '../../store/store.ts'
import { type Html, html } from '../html.ts'
import {
  agoOf,
  alertRows,
  buttonForm,
  desksOf,
  heldFor,
  sendAllForm,
  sendNowForm,
  timeOf,
} from '../page-parts.ts'
import type { ConsoleParts, LastReload } from '../parts.ts'
import { type ListPage, readAlerts, readPage } from '../query.ts'
import type { ConsoleReply, PageContext, PageRequest } from '../reply.ts'
import { sparkline } from '../sparkline.ts'
import { openList } from './setup.ts'

const mostAlerts = 6
/** So many of what is held, or has nobody, are listed. */
const mostListed = 5
/** An alert that nobody took for so long is history; milliseconds. */
const unclaimedMs = 2 * dayMs

/** Is all well, what needs somebody, and what came last. Only people who may act get instructions, addresses and codes. */
export async function showOverview(
  { context, mayAct, isAdmin }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { control } = parts
  const { monitor } = parts.config()
  const [ready, heardAt, budgetLeft, silences, { rows: newest }, held, failed, unclaimed, models] =
    await Promise.all([
      parts.ready(),
      monitor && parts.heardAt(),
      parts.budgetLeft(),
      control.acts.silences(),
      readPage(control, { kind: 'alert', limit: mostAlerts }),
      readPage(control, { outcome: 'held', limit: mostListed }),
      readPage(control, { outcome: 'failed', limit: mostListed }),
      unclaimedAlerts(parts, context.now),
      monitor === undefined ? [] : Promise.all(knownModels.map((model) => modelLine(model, parts))),
    ])
  const desks = await desksOf(newest, parts)
  const tests = isAdmin && newest.length === 0 ? await newestTests(parts) : []
  const lastReload = parts.lastReload()
  return {
    page: {
      title: 'Overview',
      isLive: true,
      body: html`<h1>${verdict(ready, lastReload, failed.rows.length + unclaimed.rows.length > 0)}</h1>
<p class="text">${wellText(ready, parts.wellSince(), context)}${inShort(ready, newest[0]?.entry.receivedAt, context)}</p>
${troublesOf(ready, mayAct, context)}
${isAdmin && openList(parts, context)}
${needsOf({ failed, unclaimed }, { context, mayAct })}
${heldOf(ready, held.rows, { context, mayAct })}
<div class="columns"><div>
${models.length > 0 && html`<section aria-labelledby="models"><h2 id="models">Models, 90 days</h2><ul class="rows models">${models.map((model) => html`<li>${model(context)}</li>`)}</ul></section>`}
<section aria-labelledby="newest">
<h2 id="newest">Newest alerts</h2>
${newest.length === 0 ? html`<p class="none">No alert has come in yet.</p>${tests.length > 0 && alertRows(tests, context)}` : alertRows(newest, context, { desks })}
${newest.length > 0 && html`<p><a href="${context.base}/alerts">All alerts</a></p>`}
</section></div>
<div>
<section aria-labelledby="channels">
<h2 id="channels">Channels</h2>
<ul class="rows">${ready.channels.map((channel) => channelRow(channel, context.now))}</ul>
${isAdmin && parts.configEditing.refusal() === undefined && html`<p><a href="${context.base}/setup/channel">Add a channel</a></p>`}
</section>
<section aria-labelledby="how">
<h2 id="how">How it works now</h2>
<dl class="facts">
${fact('Store', ready.store.ok ? 'accepts events' : `accepts nothing: ${ready.store.why ?? 'see the log'}`)}
${monitor && fact('Monitoring service', heardText(heardAt, context))}
${fact('Subscription', subscriptionOf(ready, mayAct))}
${pollingOf(ready, mayAct, context)}
${budgetOf(budgetLeft, monitor?.tier)}
${fact('Silences in force', silences.length === 0 ? 'none' : html`<a href="${context.base}/silences">${silences.length}</a>`)}
${fact('Configuration', configurationOf(lastReload, context))}
</dl>
</section>
</div></div>`,
    },
  }
}

/** Before the first alert, the tests that were sent show that channels work. */
async function newestTests({ control }: Pick<ConsoleParts, 'control'>): Promise<StoredEntry[]> {
  const { rows } = await readPage(control, { kind: 'act', limit: 50 })
  return rows.filter(({ entry }) => entry.kind === 'act' && entry.does === 'test').slice(0, mostAlerts)
}

/** Changes of the last days that nobody has acknowledged: the first alert of each, since what the desk does holds for both. */
async function unclaimedAlerts({ control }: Pick<ConsoleParts, 'control'>, now: number): Promise<ListPage> {
  const from = new Date(now - unclaimedMs).toISOString().slice(0, 10)
  const { rows, before } = await readAlerts(control, { desk: 'new', from, limit: 4 * mostListed })
  const ids = new Set(rows.map(({ entry }) => entry.id))
  const firsts = rows.filter(({ entry: { sameAs } }) => sameAs === null || !ids.has(sameAs))
  const shown = firsts.slice(0, mostListed)
  return { rows: shown, before: firsts.length > mostListed ? shown.at(-1)?.seq : before }
}

/** What waits for a person, beside what is wrong: alerts without anybody, and what could not be sent. */
function needsOf(
  { failed, unclaimed }: { failed: ListPage; unclaimed: ListPage },
  { context, mayAct }: { context: PageContext; mayAct: boolean },
): Html | false {
  if (failed.rows.length + unclaimed.rows.length === 0) return false
  const { base } = context
  const rowOf = ({ entry }: StoredEntry, act: Html | false) =>
    html`<li><div class="row"><a class="headline" href="${alertPath(base, entry.id)}">${title(entry)}</a> <span class="meta">${agoOf(entry.receivedAt, context)}</span> ${act}</div></li>`
  return html`<section aria-labelledby="needs"><h2 id="needs">What needs somebody</h2>
${failed.rows.length > 0 && html`<h3><span class="badge failed">failed</span> Could not be sent</h3><ul class="rows">${failed.rows.map((row) => rowOf(row, false))}</ul><p><a href="${base}/failed">Why, and send again</a></p>`}
${
  unclaimed.rows.length > 0 &&
  html`<h3>Nobody has it yet</h3><ul class="rows">${unclaimed.rows.map((row) =>
    rowOf(
      row,
      mayAct &&
        buttonForm(context, {
          action: `/alerts/${encodeURIComponent(row.entry.id)}/acknowledge`,
          label: 'Acknowledge',
          about: row.entry.id,
        }),
    ),
  )}</ul>${unclaimed.before !== undefined && html`<p><a href="${base}/alerts?desk=new">All that nobody has</a></p>`}`
}</section>`
}

/** What is held for each channel, and each alert of it. */
function heldOf(
  { channels }: Readiness,
  rows: readonly StoredEntry[],
  { context, mayAct }: { context: PageContext; mayAct: boolean },
): Html | false {
  const held = channels.filter((channel) => channel.held !== undefined && channel.held.length > 0)
  if (held.length === 0) return false
  return html`<section aria-labelledby="held"><h2 id="held">Held</h2>
${mayAct && held.length > 1 && sendAllForm(held, context)}
${held.map(
  (channel) => html`<h3>${channel.name}</h3>${heldFor(channel.name, channel.held, { context, mayAct })}
<ul class="rows">${rows.flatMap(({ entry, outcomes }) =>
    outcomes[channel.name]?.state !== 'held'
      ? []
      : [
          html`<li><div class="row"><a class="headline" href="${alertPath(context.base, entry.id)}">${title(entry)}</a> ${mayAct && sendNowForm(channel.name, context, entry.id)}</div></li>`,
        ],
  )}</ul>`,
)}</section>`
}

/** A model as a small line: stored figures alone. */
async function modelLine(
  model: string,
  { storedFigures }: Pick<ConsoleParts, 'storedFigures'>,
): Promise<(context: PageContext) => Html> {
  const figures = await storedFigures(model, 'overall').catch(() => undefined)
  return ({ base }) => {
    const name = html`<a class="headline" href="${base}/models#${model}">${modelName(model)}</a>`
    const last = figures?.series.days.at(-1)
    if (figures === undefined || last === undefined)
      return html`${name} <span class="meta">No figures are stored yet</span>`
    const { series } = figures
    const of = last.at > series.to - dayMs ? 'today so far' : `on ${dayText(last.at, english)}`
    return html`${name} ${sparkline(series)} <span>${percentText(last.percent)} <span class="meta">${of}, mean ${percentText(meanOf(series.days))}</span></span>`
  }
}

/** Since when nothing is wrong. Before its start, a process knows nothing. */
function wellText(
  { store, troubles }: Readiness,
  since: WellSince | undefined,
  { timeZone }: PageContext,
): Html | false {
  if (!store.ok || troubles.length > 0 || since === undefined) return false
  const why = since.after === 'start' ? 'when Bluepencil started' : 'when the last problem was resolved'
  return html`No problem since ${timeOf(isoTime(since.at), timeZone)}, ${why}. `
}

/** How long ago the service last answered or delivered. */
function heardText(heardAt: number | undefined, context: PageContext): Html {
  return heardAt === undefined
    ? html`has not answered yet`
    : html`last answered ${agoOf(isoTime(heardAt), context)}`
}

/** What there is, beside the one sentence. */
function inShort({ channels }: Readiness, newestAt: string | undefined, context: PageContext): Html {
  const last =
    newestAt === undefined
      ? 'No alert has come in yet'
      : html`The last alert came ${agoOf(newestAt, context)}`
  const well = channels.filter(({ ok }) => ok).length
  if (channels.length === 0) return html`${last}. There is no channel yet.`
  const all = counted(channels.length, 'channel')
  return well === channels.length
    ? html`${last}. Alerts go to ${all}.`
    : html`${last}. Of ${all}, ${well} ${well === 1 ? 'works' : 'work'}.`
}

/** One sentence: is all well, and if not, what is wrong. What to do stands below it. Pure. */
function verdict(
  { store, troubles }: Readiness,
  lastReload: LastReload | undefined,
  needsSomebody: boolean,
): string {
  if (!store.ok) return 'Events cannot be stored; the service sends them again later.'
  const [first, ...others] = troubles
  if (first === undefined) {
    if (lastReload?.problem !== undefined) {
      return 'The changed configuration cannot be used; the previous one stays in use.'
    }
    return needsSomebody ? 'Everything works. Some alerts need somebody.' : 'All is well.'
  }
  const more =
    others.length === 0 ? '' : `, and ${counted(others.length, 'other thing is', 'other things are')} wrong`
  return `${first.title}${more}.`
}

function troublesOf({ troubles }: Readiness, mayAct: boolean, { timeZone }: PageContext): Html | false {
  if (troubles.length === 0) return false
  return html`<section aria-labelledby="troubles"><h2 id="troubles">What is wrong${mayAct && ', and what to do'}</h2>
<ul class="rows">
${troubles.map(
  ({ title, text, since }) =>
    html`<li class="wrong"><h3>${title}</h3>${mayAct && html`<p>${text}</p>`}<p class="meta">Since ${timeOf(since, timeZone)}</p></li>`,
)}
</ul></section>`
}

function fact(name: string, value: string | number | Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function subscriptionOf({ subscription }: Readiness, mayAct: boolean): string {
  const hasWhy = mayAct && 'why' in subscription && typeof subscription.why === 'string'
  return hasWhy ? `${subscription.state}: ${subscription.why}` : subscription.state
}

function pollingOf({ polling }: Readiness, mayAct: boolean, { timeZone }: PageContext): Html {
  if (!('reason' in polling)) return fact('Polling', 'off')
  const next = polling.nextLook === null ? '' : html`; next ${timeOf(polling.nextLook, timeZone)}`
  const last = polling.lastLook === null ? 'not read yet' : html`read ${timeOf(polling.lastLook, timeZone)}`
  return html`${fact('Polling', mayAct ? `${polling.mode}: ${polling.reason}` : polling.mode)}${fact('Published figures', html`${last}${next}`)}`
}

function budgetOf(left: number | undefined, plan: string | number | undefined): Html | false {
  if (left === undefined) return false
  const requests = counted(Math.floor(left), 'request')
  return fact('Budget', `${requests} left now (plan: ${plan ?? 'unknown'})`)
}

function configurationOf(lastReload: LastReload | undefined, { timeZone }: PageContext): Html {
  if (lastReload === undefined) return html`as read at the start`
  if (lastReload.problem !== undefined) {
    return html`the file was changed ${timeOf(lastReload.at, timeZone)} and cannot be used`
  }
  return html`read again ${timeOf(lastReload.at, timeZone)}`
}

function channelRow({ name, type, ok, waiting, oldest }: Readiness['channels'][number], now: number): Html {
  return html`<li><strong>${name}</strong> <span class="meta">${type}</span><br>
<span class="badge ${ok ? 'sent' : 'failed'}">${ok ? 'in order' : 'something is wrong'}</span>
${waiting > 0 && oldest !== undefined && html` <span class="meta">${waiting} waiting, the oldest for ${span(minutesSince(Date.parse(oldest), now))}</span>`}</li>`
}

function minutesSince(time: number, now: number): number {
  return Math.max(Math.round((now - time) / minuteMs), 0)
}
