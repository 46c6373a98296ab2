import type { Readiness } from '../../operators/readiness.ts'
import { counted, span } from '../../platform/text.ts'
import { type Html, html } from '../html.ts'
import { alertRows, heldFor, timeOf } from '../page-parts.ts'
import type { ConsoleParts, LastReload } from '../parts.ts'
import { readPage } from '../query.ts'
import type { ConsoleReply, PageContext, PageRequest } from '../reply.ts'

const mostAlerts = 6

/** Is all well, and what came last. Only people who may act get instructions, addresses and codes. */
export async function showOverview(
  { context, mayAct }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { control, clock } = parts
  const { monitor } = parts.config()
  const [ready, heardAt, budgetLeft, silences] = await Promise.all([
    parts.ready(),
    monitor && parts.heardAt(),
    parts.budgetLeft(),
    control.acts.silences(),
  ])
  const { rows: newest } = await readPage(control, { kind: 'alert', limit: mostAlerts })
  const lastReload = parts.lastReload()
  const now = clock.now()
  const heard = monitor && heardText(heardAt, now)
  return {
    page: {
      title: 'Overview',
      isLive: true,
      body: html`<h1 class="verdict ${ready.status === 'ready' ? 'well' : 'wrong'}">${verdict(ready, lastReload)}</h1>
<p class="text">${heard} ${inShort(ready, newest[0]?.entry.receivedAt, now)}</p>
${troublesOf(ready, mayAct, context)}
<div class="columns">
<section aria-labelledby="newest">
<h2 id="newest">Newest alerts</h2>
${newest.length === 0 ? html`<p class="none">No alert has come in yet.</p>` : alertRows(newest, context)}
${newest.length > 0 && html`<p><a href="${context.base}/alerts">All alerts</a></p>`}
</section>
<div>
<section aria-labelledby="channels">
<h2 id="channels">Channels</h2>
<ul class="channels">
${ready.channels.map((channel) => channelRow(channel, { now, mayAct, context }))}
</ul>
</section>
<section aria-labelledby="how">
<h2 id="how">How it works now</h2>
<dl class="facts">
${fact('Store', ready.store.ok ? 'accepts events' : `accepts nothing: ${ready.store.why ?? 'see the log'}`)}
${fact('Subscription', subscriptionOf(ready, mayAct))}
${pollingOf(ready, mayAct, context)}
${budgetOf(budgetLeft, monitor?.tier)}
${fact('Silences in force', silences.length === 0 ? 'none' : html`<a href="${context.base}/silences">${silences.length}</a>`)}
${fact('Configuration', configurationOf(lastReload, context))}
</dl>
</section>
</div>
</div>`,
    },
  }
}

/** How long ago the service last answered or delivered. */
function heardText(heardAt: number | undefined, now: number): string {
  return heardAt === undefined
    ? 'Nothing has been heard from the service yet.'
    : `Last heard from the service ${span(minutesSince(heardAt, now))} ago.`
}

function minutesSince(time: number, now: number): number {
  return Math.max(Math.round((now - time) / 60_000), 0)
}

/** What there is, beside the one sentence. */
function inShort({ channels }: Readiness, newestAt: string | undefined, now: number): string {
  const last =
    newestAt === undefined
      ? 'No alert has come in yet'
      : `The last alert came ${span(minutesSince(Date.parse(newestAt), now))} ago`
  return `${last}; ${counted(channels.length, 'channel')} can get it.`
}

/** One sentence: is all well, and if not, what is wrong. What to do stands below it. Pure. */
function verdict({ store, troubles }: Readiness, lastReload: LastReload | undefined): string {
  if (!store.ok) return 'Events cannot be stored: the service is told to send them again later.'
  const [first, ...others] = troubles
  if (first === undefined) {
    return lastReload?.problem === undefined
      ? 'All is well.'
      : 'The changed configuration cannot be used; the one before is in force.'
  }
  const more =
    others.length === 0 ? '' : `, and ${counted(others.length, 'other thing is', 'other things are')} wrong`
  return `${first.title}${more}.`
}

function troublesOf({ troubles }: Readiness, mayAct: boolean, { timeZone }: PageContext): Html | false {
  if (troubles.length === 0) return false
  return html`<section aria-labelledby="troubles"><h2 id="troubles">What is wrong${mayAct && ', and what to do'}</h2>
<ul class="troubles">
${troubles.map(
  ({ title, text, since }) =>
    html`<li><h3>${title}</h3>${mayAct && html`<p>${text}</p>`}<p class="meta">Since ${timeOf(since, timeZone)}</p></li>`,
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
  return fact('Budget', `${requests} may leave at once (plan: ${plan ?? 'not known'})`)
}

function configurationOf(lastReload: LastReload | undefined, { timeZone }: PageContext): Html {
  if (lastReload === undefined) return html`as read at the start`
  if (lastReload.problem !== undefined) {
    return html`the file was changed ${timeOf(lastReload.at, timeZone)} and cannot be used`
  }
  return html`read again ${timeOf(lastReload.at, timeZone)}`
}

function channelRow(
  { name, type, ok, waiting, oldest, held }: Readiness['channels'][number],
  { now, mayAct, context }: { now: number; mayAct: boolean; context: PageContext },
): Html {
  return html`<li><strong>${name}</strong> <span class="meta">${type}</span><br>
<span class="badge ${ok ? 'sent' : 'failed'}">${ok ? 'in order' : 'something is wrong'}</span>
${waiting > 0 && oldest !== undefined && html` <span class="meta">${waiting} waiting, the oldest for ${span(minutesSince(Date.parse(oldest), now))}</span>`}
${heldFor(name, held, { context, mayAct })}</li>`
}
