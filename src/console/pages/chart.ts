import { altText } from '../../chart/alt.ts'
import type { Series } from '../../chart/series.ts'
import { english } from '../../words/words.ts'
import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import { alertPath, type PageContext } from '../parts-of-pages.ts'
import { daysTable } from './days-table.ts'

/** What the chart of an alert shows, for who cannot see it, and for who wants the figures. */
export function chartPage(
  { id, headline, series }: { id: string; headline: string; series: Series | string },
  { base }: PageContext,
): Page {
  return {
    title: `Chart: ${headline}`,
    body: html`<p><a href="${alertPath(base, id)}">${headline}</a></p>
<h1>The chart in words and figures</h1>
${typeof series === 'string' && html`<p class="none">There is no chart: ${series}.</p>`}
${
  typeof series !== 'string' &&
  html`<p class="text">${altText(series, english)}</p>
${daysTable(series)}`
}`,
  }
}
