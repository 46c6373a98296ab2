import { alertPath } from '../../config/console.ts'
import { title } from '../../record/explain/title.ts'
import type { StoredEntry } from '../../store/store.ts'
import { html } from '../html.ts'
import { sendAgainForm, stateBadge, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { readPage } from '../query.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'

const mostRows = 100

export async function showFailed(
  { context, mayAct }: PageRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { base, timeZone } = context
  const { rows, before } = await readPage(control, { outcome: 'failed', limit: mostRows })
  const failed = rows.flatMap(failuresOf)
  return {
    page: {
      title: 'Failed notifications',
      isLive: true,
      body: html`<h1>Failed notifications</h1>
<p class="text">These alerts could not be sent: all attempts failed, or the provider rejected them. Fix the cause first, then send them again.</p>
${failed.length === 0 && html`<p class="none">Nothing has failed.</p>`}
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
${mayAct && html`<td>${sendAgainForm(id, { channel, wasTried: true }, context)}</td>`}</tr>`,
)}</tbody></table>`
}
${before !== undefined && html`<p><a href="${base}/alerts?outcome=failed">All alerts that failed</a></p>`}`,
    },
  }
}

/** A row for each channel on which it failed. */
function failuresOf({ entry, outcomes }: StoredEntry) {
  return Object.entries(outcomes).flatMap(([channel, outcome]) => {
    if (outcome.state !== 'failed') return []
    const { at, why, attempts } = outcome
    return [{ id: entry.id, title: title(entry), channel, at, why, attempts }]
  })
}
