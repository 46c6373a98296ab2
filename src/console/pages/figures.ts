import * as z from 'zod'
import { modelName } from '../../message/render/words.ts'
import { percentText } from '../../platform/text.ts'
import { type FigureRecord, revisedFigures } from '../../record/export/figures.ts'
import { type ExportTableName, exportTableNames } from '../../record/export/table-names.ts'
import { html } from '../html.ts'
import { timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import { queryOf } from '../query.ts'
import type { ConsoleReply, PageRequest } from '../reply.ts'

const mostRows = 100

const day = z.iso.date().optional().catch(undefined)
const Period = z.object({ from: day, to: day })

const whatIsIn: Record<ExportTableName, string> = {
  changes: 'Changes: one row for each change, even if several reports came',
  notifications: 'Notifications: what became of each alert on each channel',
  figures: 'Figures: each published figure, and each later value of it',
}

/** What is recorded, as files; and which published figures were revised. */
export async function showFigures(
  { context: { base, timeZone }, query }: PageRequest,
  { control }: ConsoleParts,
): Promise<ConsoleReply> {
  const period = Period.parse(query)
  const revised = (await revisedFigures(control.figures)).toReversed()
  return {
    page: {
      title: 'Data',
      body: html`<h1>Data</h1>
<p class="text">What is recorded here, for analysis elsewhere. Rates are in percent, differences in percentage points, times in UTC. <a href="${base}/codebook.md">Codebook</a>, <a href="${base}/datapackage.json">datapackage.json</a></p>
<form class="filters" method="get" action="${base}/figures"><label>From <input type="date" name="from" value="${period.from ?? ''}"></label> <label>To <input type="date" name="to" value="${period.to ?? ''}"></label> <button>Choose days</button></form>
<ul>${exportTableNames.map(
        (table) =>
          html`<li>${whatIsIn[table]}: <a href="${base}/${table}.csv${queryOf(period)}">CSV</a>, <a href="${base}/${table}.jsonl${queryOf(period)}">JSON Lines</a></li>`,
      )}</ul>
<h2>Figures that were published anew with another rate</h2>
${revised.length === 0 ? html`<p class="none">The service has not revised any rates.</p>` : tableOf(revised.slice(0, mostRows), timeZone)}
${revised.length > mostRows && html`<p class="meta">The newest ${mostRows} of ${revised.length}. The file of figures has all of them.</p>`}`,
    },
  }
}

function tableOf(rows: readonly FigureRecord[], timeZone: string) {
  return html`<table class="cards"><thead><tr><th scope="col">Figure</th><th scope="col">Measured</th><th scope="col">First value</th><th scope="col">New value</th></tr></thead><tbody>
${rows.map(
  ({ model, category, measuredAt, percentBefore, seenBefore, percent, seenAt }) =>
    html`<tr><th scope="row">${modelName(model)}, ${category}</th><td data-label="Measured">${measuredAt && timeOf(measuredAt, timeZone)}</td>
<td data-label="First value">${rateText(percentBefore)}<br><span class="meta">seen ${seenBefore && timeOf(seenBefore, timeZone)}</span></td>
<td data-label="New value">${rateText(percent)}<br><span class="meta">seen ${timeOf(seenAt, timeZone)}</span></td></tr>`,
)}</tbody></table>`
}

function rateText(percent: number | null): string {
  return percent === null ? 'unit not known' : percentText(percent)
}
