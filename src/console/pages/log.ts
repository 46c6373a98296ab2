import { alertPath } from '../../config/console.ts'
import { title } from '../../record/explain/title.ts'
import { html } from '../html.ts'
import { timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { readPage } from '../query.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'
import { AlertsQuery, rowsOnPage } from './alerts.ts'

/** What people did, wherever they did it, newest first. */
export async function showLog(
  { context: { base, timeZone }, query }: PageRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const { before } = AlertsQuery.parse(query)
  const page = await readPage(control, { kind: 'act', limit: rowsOnPage, before })
  return {
    page: {
      title: 'Audit log',
      isLive: before === undefined,
      body: html`<h1>Audit log</h1>
<p class="text">What people did, in a chat, by command, by mail or here. It is stored as alerts are, and nobody can change it.</p>
${page.rows.length === 0 && html`<p class="none">Nobody has done anything yet.</p>`}
${
  page.rows.length > 0 &&
  html`<table class="cards"><thead><tr><th scope="col">When</th><th scope="col">What</th></tr></thead><tbody>
${page.rows.map(
  ({ entry }) =>
    html`<tr><td data-label="When">${timeOf(entry.receivedAt, timeZone)}</td><td data-label="What"><a href="${alertPath(base, entry.id)}">${title(entry)}</a></td></tr>`,
)}</tbody></table>`
}
${page.before !== undefined && html`<nav class="pages" aria-label="More of the log"><a href="${base}/log?before=${page.before}" rel="next">Older</a></nav>`}`,
    },
  }
}
