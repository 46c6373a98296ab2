import type { Readiness } from '../../operators/readiness.ts'
import { counted, span } from '../../platform/text.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { ListPage } from '../list-page.ts'
import type { LastReload } from '../parts.ts'
import { type PageContext, timeOf } from '../parts-of-pages.ts'
import { alertRows } from './alert-rows.ts'
import { heldFor } from './held.ts'

/** What the overview says. */
export interface OverviewPageData {
  ready: Readiness
  /** A monitoring service is configured. */
  hasService: boolean
  /** When it last answered or delivered; milliseconds since the epoch. */
  heardAt: number | undefined
  budgetLeft: number | undefined
  tier: string | undefined
  lastReload: LastReload | undefined
  newest: ListPage['rows']
  silences: number
  /** Whoever looks may also act: others get no instructions, addresses or codes. */
  mayAct: boolean
  now: number
}

export function overviewPage(standing: OverviewPageData, context: PageContext): ConsolePage {
  const { ready, newest, silences } = standing
  const isWell = ready.status === 'ready'
  return {
    title: 'Overview',
    isLive: true,
    body: html`<h1 class="verdict ${isWell ? 'well' : 'wrong'}">${verdict(standing)}</h1>
<p class="text">${heard(standing)} ${inShort(standing)}</p>
${troublesOf(standing, context)}
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
${ready.channels.map((channel) => channelRow(channel, standing, context))}
</ul>
</section>
<section aria-labelledby="how">
<h2 id="how">How it works now</h2>
<dl class="facts">
${fact('Store', ready.store.ok ? 'accepts events' : `accepts nothing: ${ready.store.why ?? 'see the log'}`)}
${fact('Subscription', subscriptionOf(standing))}
${pollingOf(standing, context)}
${budgetOf(standing)}
${fact('Silences in force', silences === 0 ? 'none' : html`<a href="${context.base}/silences">${silences}</a>`)}
${fact('Configuration', configurationOf(standing, context))}
</dl>
</section>
</div>
</div>`,
  }
}

/** How old what is known of the service is. */
function heard({ hasService, heardAt, now }: OverviewPageData): string | false {
  if (!hasService) return false
  return heardAt === undefined
    ? 'Nothing has been heard from the service yet.'
    : `Last heard from the service ${span(minutesSince(heardAt, now))} ago.`
}

function minutesSince(time: number, now: number): number {
  return Math.max(Math.round((now - time) / 60_000), 0)
}

/** What there is, beside the one sentence. */
function inShort({ ready, newest, now }: OverviewPageData): string {
  const [first] = newest
  const last =
    first === undefined
      ? 'No alert has come in yet'
      : `The last alert came ${span(minutesSince(Date.parse(first.entry.receivedAt), now))} ago`
  return `${last}; ${counted(ready.channels.length, 'channel')} can get it.`
}

/** One sentence: is all well, and if not, what is wrong. What to do stands below it. Pure. */
function verdict({ ready, lastReload }: Pick<OverviewPageData, 'ready' | 'lastReload'>): string {
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

function troublesOf(
  { ready: { troubles }, mayAct }: OverviewPageData,
  { timeZone }: PageContext,
): Html | false {
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

function subscriptionOf({ ready: { subscription }, mayAct }: OverviewPageData): string {
  const hasWhy = mayAct && 'why' in subscription && typeof subscription.why === 'string'
  return hasWhy ? `${subscription.state}: ${subscription.why}` : subscription.state
}

function pollingOf({ ready: { polling }, mayAct }: OverviewPageData, { timeZone }: PageContext): Html {
  if (!('reason' in polling)) return fact('Polling', 'off')
  const next = polling.nextLook === null ? '' : html`; next ${timeOf(polling.nextLook, timeZone)}`
  const last = polling.lastLook === null ? 'not read yet' : html`read ${timeOf(polling.lastLook, timeZone)}`
  return html`${fact('Polling', mayAct ? `${polling.mode}: ${polling.reason}` : polling.mode)}${fact('Published figures', html`${last}${next}`)}`
}

function budgetOf({ budgetLeft, tier }: OverviewPageData): Html | false {
  if (budgetLeft === undefined) return false
  return fact(
    'Budget',
    `${counted(Math.floor(budgetLeft), 'request')} may leave at once (plan: ${tier ?? 'not known'})`,
  )
}

function configurationOf({ lastReload }: OverviewPageData, { timeZone }: PageContext): Html {
  if (lastReload === undefined) return html`as read at the start`
  if (lastReload.problem !== undefined) {
    return html`the file was changed ${timeOf(lastReload.at, timeZone)} and cannot be used`
  }
  return html`read again ${timeOf(lastReload.at, timeZone)}`
}

function channelRow(
  { name, type, ok, waiting, oldest, held }: Readiness['channels'][number],
  { now, mayAct }: Pick<OverviewPageData, 'now' | 'mayAct'>,
  context: PageContext,
): Html {
  return html`<li><strong>${name}</strong> <span class="meta">${type}</span><br>
<span class="badge ${ok ? 'sent' : 'failed'}">${ok ? 'in order' : 'something is wrong'}</span>
${waiting > 0 && oldest !== undefined && html` <span class="meta">${waiting} waiting, the oldest for ${span(minutesSince(Date.parse(oldest), now))}</span>`}
${heldFor(name, held, { context, mayAct })}</li>`
}
