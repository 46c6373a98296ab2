import { alertPath } from '../../config/console.ts'
import { altText } from '../../message/chart/words.ts'
import { english } from '../../message/words/words.ts'
import { html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { PublishedSeries } from '../parts.ts'
import { asOf, type PageContext } from '../parts-of-pages.ts'
import { daysTable } from './days-table.ts'

/** What the chart of an alert shows, for who cannot see it, and for who wants the figures. */
export function chartPage(
  { id, headline, figures }: { id: string; headline: string; figures: PublishedSeries | string },
  { base, timeZone }: PageContext,
): ConsolePage {
  return {
    title: `Chart: ${headline}`,
    body: html`<p><a href="${alertPath(base, id)}">${headline}</a></p>
<h1>The chart in words and figures</h1>
${typeof figures === 'string' && html`<p class="none">There is no chart: ${figures}.</p>`}
${
  typeof figures !== 'string' &&
  html`${figures.outdated !== undefined && html`<p class="caveat">${asOf(figures, timeZone)}</p>`}
<p class="text">${altText(figures.series, english)}</p>
${daysTable(figures.series)}`
}`,
  }
}
