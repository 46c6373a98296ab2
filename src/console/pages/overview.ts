import type { Readiness } from '../../server/readiness.ts'
import { counted, span } from '../../text/counted.ts'
import { type Html, html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { ListPage } from '../listing/query.ts'
import type { LastReload } from '../parts.ts'
import { type PageContext, timeOf } from '../parts-of-pages.ts'
import { alertRows } from './alert-rows.ts'

/** What the overview says. */
export interface Standing {
  ready: Readiness
  budgetLeft: number | undefined
  tier: string | undefined
  lastReload: LastReload | undefined
  newest: ListPage['rows']
  silences: number
  now: number
}

export function overviewPage(standing: Standing, context: PageContext): Page {
  const { ready, newest, silences } = standing
  const isWell = ready.status === 'ready'
  return {
    title: 'Overview',
    isLive: true,
    body: html`<h1 class="verdict ${isWell ? 'well' : 'wrong'}">${verdict(standing)}</h1>
<p class="text">${inShort(standing)}</p>
${troublesOf(ready, context)}
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
${ready.channels.map((channel) => channelRow(channel, standing.now))}
</ul>
</section>
<section aria-labelledby="how">
<h2 id="how">How it works now</h2>
<dl class="facts">
${fact('Store', ready.store.ok ? 'accepts events' : `accepts nothing: ${ready.store.why ?? 'see the log'}`)}
${fact('Subscription', subscriptionOf(ready))}
${pollingOf(ready, context)}
${budgetOf(standing)}
${fact('Silences in force', silences === 0 ? 'none' : html`<a href="${context.base}/silences">${silences}</a>`)}
${fact('Configuration', configurationOf(standing, context))}
</dl>
</section>
</div>
</div>`,
  }
}

/** What there is, beside the one sentence. */
function inShort({ ready, newest, now }: Standing): string {
  const [first] = newest
  const minutes =
    first === undefined ? 0 : Math.max(Math.round((now - Date.parse(first.received)) / 60_000), 0)
  const last = first === undefined ? 'No alert has come in yet' : `The last alert came ${span(minutes)} ago`
  return `${last}; ${counted(ready.channels.length, 'channel')} can get it.`
}

/** One sentence: is all well, and if not, what is wrong. What to do stands below it. Pure. */
function verdict({ ready, lastReload }: Pick<Standing, 'ready' | 'lastReload'>): string {
  if (!ready.store.ok) return 'Events cannot be stored: the service is told to send them again later.'
  const [first, ...others] = ready.troubles
  if (first === undefined) {
    return lastReload?.problem === undefined
      ? 'All is well.'
      : 'The changed configuration cannot be used; the one before is in force.'
  }
  const more =
    others.length === 0 ? '' : `, and ${counted(others.length, 'other thing is', 'other things are')} wrong`
  return `${first.title}${more}.`
}

function troublesOf({ troubles }: Readiness, { timeZone }: PageContext): Html | false {
  if (troubles.length === 0) return false
  return html`<section aria-labelledby="troubles"><h2 id="troubles">What is wrong, and what to do</h2>
<ul class="troubles">
${troubles.map(
  ({ title, text, since }) =>
    html`<li><h3>${title}</h3><p>${text}</p><p class="meta">Since ${timeOf(since, timeZone)}</p></li>`,
)}
</ul></section>`
}

function fact(name: string, value: string | number | Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function subscriptionOf({ subscription }: Readiness): string {
  const why = 'why' in subscription && typeof subscription.why === 'string' ? `: ${subscription.why}` : ''
  return `${subscription.state}${why}`
}

function pollingOf({ polling }: Readiness, { timeZone }: PageContext): Html {
  if (!('reason' in polling)) return fact('Polling', 'off')
  const next = polling.nextLook === null ? '' : html`; next ${timeOf(polling.nextLook, timeZone)}`
  const last = polling.lastLook === null ? 'not read yet' : html`read ${timeOf(polling.lastLook, timeZone)}`
  return html`${fact('Polling', `${polling.mode}: ${polling.reason}`)}${fact('Published figures', html`${last}${next}`)}`
}

function budgetOf({ budgetLeft, tier }: Standing): Html | false {
  if (budgetLeft === undefined) return false
  return fact(
    'Budget',
    `${counted(Math.floor(budgetLeft), 'request')} may leave at once (plan: ${tier ?? 'not known'})`,
  )
}

function configurationOf({ lastReload }: Standing, { timeZone }: PageContext): Html {
  if (lastReload === undefined) return html`as read at the start`
  if (lastReload.problem !== undefined) {
    return html`the file was changed ${timeOf(lastReload.at, timeZone)} and cannot be used`
  }
  return html`read again ${timeOf(lastReload.at, timeZone)}`
}

function channelRow({ name, type, ok, waiting, oldest }: Readiness['channels'][number], now: number): Html {
  const minutes = oldest === undefined ? 0 : Math.max(Math.round((now - Date.parse(oldest)) / 60_000), 0)
  return html`<li><strong>${name}</strong> <span class="meta">${type}</span><br>
<span class="badge ${ok ? 'sent' : 'failed'}">${ok ? 'in order' : 'something is wrong'}</span>
${waiting > 0 && html` <span class="meta">${waiting} waiting, the oldest for ${span(minutes)}</span>`}</li>`
}
