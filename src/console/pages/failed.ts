import { alertPath } from '../../config/console.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { FailedRow } from '../listing/query.ts'
import { type PageContext, stateBadge, stillListed, timeOf } from '../parts-of-pages.ts'
import { sendAgainForm } from './alert.ts'

export function failedPage(
  {
    failed,
    hasMore,
    isWhole,
    mayAct,
  }: { failed: readonly FailedRow[]; hasMore: boolean; isWhole: boolean; mayAct: boolean },
  context: PageContext,
): Page {
  const { base, timeZone } = context
  return {
    title: 'Failed notifications',
    isLive: true,
    body: html`<h1>Failed notifications</h1>
<p class="text">What was tried for as long as it may be, or refused for good. Mend what is wrong first; then send it again.</p>
${!isWhole && stillListed}
${isWhole && failed.length === 0 && html`<p class="none">Nothing has failed.</p>`}
${
  failed.length > 0 &&
  html`<table class="cards"><thead><tr><th scope="col">What</th><th scope="col">Channel</th><th scope="col">Why</th>${mayAct && html`<th scope="col">Act</th>`}</tr></thead><tbody>
${failed.map(
  ({
    id,
    title,
    channel,
    at,
    why,
    attempts,
  }) => html`<tr><th scope="row"><a href="${alertPath(base, id)}">${title}</a></th><td data-label="Channel">${channel} ${stateBadge('failed')}</td>
<td data-label="Why">${why}<br><span class="meta">${timeOf(at, timeZone)}, ${attempts === 1 ? 'one try' : `${attempts} tries`}</span></td>
${mayAct && html`<td>${sendAgainForm(id, channel, context)}</td>`}</tr>`,
)}</tbody></table>`
}
${hasMore && html`<p><a href="${base}/alerts?outcome=failed">All alerts that failed</a></p>`}`,
  }
}
