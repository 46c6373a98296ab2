import { stringify } from 'csv-stringify/sync'
import { alertPath } from '../../config/console.ts'
import type { PaletteName } from '../../message/chart/palette.ts'
import { pngOf } from '../../message/chart/png.ts'
import type { ChartDay, RateSeries } from '../../message/chart/series.ts'
import { chartSize, svgOf } from '../../message/chart/svg.ts'
import { altText } from '../../message/chart/words.ts'
import { english } from '../../message/words/words.ts'
import { wrap } from '../../platform/terminal.ts'
import { percentText } from '../../platform/text.ts'
import { fileNameOf } from '../../record/evidence/file.ts'
import { title } from '../../record/explain/title.ts'
import type { StoredEntry } from '../../store/store.ts'
import { type Html, html } from '../html.ts'
import { asOf } from '../page-parts.ts'
import type { ConsoleParts, PublishedSeries } from '../parts.ts'
import { type ConsoleReply, noSuchAlert, notFound, type PageRequest, type ShowPage } from '../reply.ts'

/** So many fit on a line of a chart's width. */
const charactersInLine = 64

/** What the chart of an alert shows, for people who cannot see it, and for people who want the figures. */
export async function showChart(
  { context: { base, timeZone }, parameters: { id = '' } }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const stored = await parts.control.event(id)
  if (stored === undefined) return noSuchAlert
  const figures = await figuresOf(stored, parts)
  const headline = title(stored.entry)
  return {
    page: {
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
    },
  }
}

/** Or why there are none. */
async function figuresOf(
  stored: StoredEntry | undefined,
  parts: ConsoleParts,
): Promise<PublishedSeries | string> {
  if (stored?.entry.kind !== 'alert') return 'this is no alert'
  return parts
    .series(stored.entry)
    .catch((error: unknown) => (error instanceof Error ? error.message : 'it could not be drawn'))
}

export function chartImage(look: PaletteName): ShowPage {
  return async ({ context, parameters: { id = '' } }, parts) => {
    const figures = await figuresOf(await parts.control.event(id), parts)
    if (typeof figures === 'string') return { image: noteImage(`There is no chart: ${figures}.`, look) }
    const chart = svgOf(figures.series, look, english)
    const isNew = figures.outdated === undefined
    return { image: isNew ? chart : noteImage(asOf(figures, context.timeZone), look, chart) }
  }
}

/** The picture for a story, or its points for a table. */
export async function chartFile(
  ending: 'png' | 'csv',
  id: string,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const stored = await parts.control.event(id)
  if (stored === undefined) return noSuchAlert
  const figures = await figuresOf(stored, parts)
  if (typeof figures === 'string') return notFound(`There is no chart: ${figures}.`)
  const { series } = figures
  const content = ending === 'png' ? await pngOf(svgOf(series, 'light', english)) : pointsOf(series)
  return { file: { name: `bluepencil-${fileNameOf(id, ending)}`, type: ending, content } }
}

/** A row for each day that is drawn, oldest first. Rates are percent. */
function pointsOf({ model, category, days }: RateSeries): string {
  const columns = ['day', 'model', 'category', 'refused', 'refused95From', 'refused95To', 'prompts']
  const rows = days.map(({ at, percent, error, sampleSize }) => [
    new Date(at).toISOString().slice(0, 10),
    model,
    category,
    ...[percent, error?.from, error?.to].map((rate) => rate?.toFixed(2)),
    sampleSize,
  ])
  return stringify([columns, ...rows], { record_delimiter: 'windows', escape_formulas: true })
}

/** A sentence in the place of a chart, or below it. */
function noteImage(note: string, look: PaletteName, chart = ''): string {
  const [background, ink] = look === 'light' ? ['#ffffff', '#59636e'] : ['#1e1f22', '#b5bac1']
  const { width } = chartSize
  const top = chart === '' ? 0 : chartSize.height
  const lines = wrap(note, charactersInLine)
  const height = top + 30 + 15 * lines.length
  const text = lines.map((line, index) => html`<text x="12" y="${top + 25 + 15 * index}">${line}</text>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11" fill="${ink}"><rect width="${width}" height="${height}" fill="${background}"/>${chart}${text.join('')}</svg>`
}

/** What a chart shows, newest first. */
export function daysTable({ days }: RateSeries): Html {
  return html`<table><thead><tr><th scope="col">Day (UTC)</th><th scope="col">Refused</th><th scope="col">95% confidence interval</th><th scope="col">Prompts</th></tr></thead><tbody>
${days
  .toReversed()
  .map(
    ({ at, percent, error, sampleSize }) =>
      html`<tr><th scope="row">${new Date(at).toISOString().slice(0, 10)}</th><td>${percentText(percent)}</td><td>${errorText(error)}</td><td>${sampleSize ?? 'not known'}</td></tr>`,
  )}</tbody></table>`
}

export function errorText(error: ChartDay['error']): string {
  return error === null ? 'not known' : `${percentText(error.from)} to ${percentText(error.to)}`
}
