import { alertPath } from '../../config/console.ts'
import { counted } from '../../platform/text.ts'
import type { FilterTrial } from '../filter-trial.ts'
import { type Html, html } from '../html.ts'
import { type PageContext, timeOf } from '../parts-of-pages.ts'

const most = 20

/** What other filters would have meant for what came in, beside those in force. */
export function trialOf(
  { from, alerts, messages, became, added, dropped }: FilterTrial,
  context: PageContext,
): Html {
  return html`<p class="text">${counted(alerts, 'alert')} came in since ${timeOf(from, context.timeZone)}. This is what would have become of them.</p>
<table class="cards"><thead><tr><th scope="col">What</th><th scope="col">As it is</th><th scope="col">Changed</th></tr></thead><tbody>
<tr><th scope="row">Messages</th><td data-label="As it is">${messages.asItIs}</td><td data-label="Changed">${messages.changed}</td></tr>
${became.map(
  ({ what, asItIs, changed }) =>
    html`<tr><th scope="row">Alerts ${what}</th><td data-label="As it is">${asItIs}</td><td data-label="Changed">${changed}</td></tr>`,
)}</tbody></table>
${alertsOf('It would also get', 'It would get nothing more.', added, context)}
${alertsOf('It would no longer get', 'Nothing would be missing.', dropped, context)}`
}

function alertsOf(
  title: string,
  none: string,
  alerts: FilterTrial['added'],
  { base, timeZone }: PageContext,
): Html {
  if (alerts.length === 0) return html`<p class="none">${none}</p>`
  return html`<h3>${title} (${alerts.length})</h3><ul class="tried">${alerts
    .slice(0, most)
    .map(
      ({ id, receivedAt, headline }) =>
        html`<li>${timeOf(receivedAt, timeZone)} <a href="${alertPath(base, id)}">${headline}</a></li>`,
    )}</ul>
${alerts.length > most && html`<p class="meta">… and ${alerts.length - most} more.</p>`}`
}
