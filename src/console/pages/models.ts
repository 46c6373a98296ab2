import { alertPath } from '../../config/console.ts'
import { knownCategories } from '../../event/event.ts'
import { meanOf } from '../../message/chart/series.ts'
import { altText } from '../../message/chart/words.ts'
import { english } from '../../message/words/words.ts'
import { counted, percentText } from '../../platform/text.ts'
import { comparisonText } from '../comparison-svg.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { PublishedSeries } from '../parts.ts'
import { asOf, type PageContext, timeOf } from '../parts-of-pages.ts'
import { daysTable, errorText } from './days-table.ts'

/** A change that was reported. */
export interface MarkedChange {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  kicker: string
  headline: string
  /** Its sign on the chart; null where it is not on it. */
  number: number | null
}

export interface ModelShown {
  model: string
  name: string
  /** Or why there are none. */
  figures: PublishedSeries | { why: string }
  /** Newest first. */
  changes: readonly MarkedChange[]
}

interface ModelsPageData {
  category: (typeof knownCategories)[number]
  models: readonly ModelShown[]
  /** A monitoring service is configured. */
  hasService: boolean
}

export function modelsPage(
  { category, models, hasService }: ModelsPageData,
  context: PageContext,
): ConsolePage {
  return {
    title: 'Models',
    body: html`<h1>Models</h1>
<p class="text">What the service publishes of each model, and the changes that were reported. Figures are read every six hours at most, however many people look.</p>
${categoryForm(category, context)}
${!hasService && html`<p class="caveat">No monitoring service is configured (<code>monitor</code> in the configuration, with a key), so there are no published figures: only what was reported stands here.</p>`}
${hasService && comparisonOf(models, category, context)}
${models.map((one) => modelOf(one, { category, hasService }, context))}`,
  }
}

function categoryForm(chosen: ModelsPageData['category'], { base }: PageContext): Html {
  const named = (one: ModelsPageData['category']) => (one === 'overall' ? 'all prompts' : `${one} prompts`)
  return html`<form class="filters" method="get" action="${base}/models"><div class="search"><label for="category">Prompts</label>
<select id="category" name="category">${knownCategories.map((one) => html`<option value="${one}"${one === chosen && html` selected`}>${named(one)}</option>`)}</select><button>Show</button></div></form>`
}

function comparisonOf(
  models: readonly ModelShown[],
  category: ModelsPageData['category'],
  { base }: PageContext,
): Html | false {
  const known = models.flatMap((one) =>
    'series' in one.figures && one.figures.series.days.length > 0
      ? [{ ...one, series: one.figures.series }]
      : [],
  )
  if (known.length === 0) return false
  const path = (look: 'light' | 'dark') => `${base}/models/comparison-${look}.svg?category=${category}`
  return html`<section aria-labelledby="comparison"><h2 id="comparison">Compared</h2>
<figure><picture><source srcset="${path('dark')}" media="(prefers-color-scheme: dark)"><img src="${path('light')}" alt="${comparisonText(known.map(({ series }) => series))}" width="640"></picture></figure>
<table class="cards"><thead><tr><th scope="col">Model</th><th scope="col">Last day</th><th scope="col">95% sampling error</th><th scope="col">Mean</th><th scope="col">Lowest to highest</th><th scope="col">Changes reported</th></tr></thead><tbody>
${known.map(({ model, name, series, changes }) => {
  const rates = series.days.map(({ percent }) => percent)
  const last = series.days.at(-1)
  return html`<tr><th scope="row"><a href="#${model}">${name}</a></th><td data-label="Last day">${last && percentText(last.percent)}</td><td data-label="95% sampling error">${errorText(last?.error ?? null)}</td><td data-label="Mean">${percentText(meanOf(series.days))}</td><td data-label="Lowest to highest">${percentText(Math.min(...rates))} to ${percentText(Math.max(...rates))}</td><td data-label="Changes reported">${changes.length}</td></tr>`
})}
</tbody></table>
<p class="meta">Over the last ninety days. Two models whose sampling errors overlap may not differ at all.</p></section>`
}

function modelOf(
  { model, name, figures, changes }: ModelShown,
  { category, hasService }: Pick<ModelsPageData, 'category' | 'hasService'>,
  context: PageContext,
): Html {
  const query = new URLSearchParams({ model, ...(category !== 'overall' && { category }) }).toString()
  return html`<section aria-labelledby="${model}"><h2 id="${model}">${name}</h2>
${hasService && 'why' in figures && html`<p class="none">There is no chart: ${figures.why}.</p>`}
${'series' in figures && chartOf(figures, { model, name, changes }, category, context)}
${changes.length === 0 ? html`<p class="none">No change was reported in the last ninety days.</p>` : changesOf(changes, name, context)}
<p class="meta"><a href="${context.base}/alerts?${query}">Every alert about ${name}</a></p></section>`
}

function chartOf(
  figures: PublishedSeries,
  { model, name, changes }: Pick<ModelShown, 'model' | 'name' | 'changes'>,
  category: ModelsPageData['category'],
  { base, timeZone }: PageContext,
): Html {
  const { series, readAt } = figures
  const path = (look: 'light' | 'dark') => `${base}/models/${model}/chart-${look}.svg?category=${category}`
  const isNew = figures.outdated === undefined
  const read = isNew ? html`Read from the service ${timeOf(readAt, timeZone)}.` : asOf(figures, timeZone)
  const count = changes.filter(({ number }) => number !== null).length
  const marks = count === 0 ? '' : ` ${counted(count, 'change')} marked, as listed below.`
  return html`<figure><picture><source srcset="${path('dark')}" media="(prefers-color-scheme: dark)"><img src="${path('light')}" alt="${altText(series, english)}${marks}" width="640" height="400" loading="lazy"></picture>
<figcaption>${read}${count > 0 && ' Numbers are those of the changes below.'}</figcaption></figure>
<details><summary>Every day in figures<span class="unseen">: ${name}</span></summary>${daysTable(series)}</details>`
}

function changesOf(changes: readonly MarkedChange[], name: string, { base, timeZone }: PageContext): Html {
  return html`<table class="cards"><caption class="unseen">Changes of ${name} that were reported</caption><thead><tr><th scope="col">On the chart</th><th scope="col">When</th><th scope="col">What</th></tr></thead><tbody>
${changes.map(
  ({ id, at, kicker, headline, number }) =>
    html`<tr><td data-label="On the chart">${number ?? 'not marked'}</td><td data-label="When">${timeOf(new Date(at).toISOString(), timeZone)}</td><th scope="row"><a href="${alertPath(base, id)}">${headline}</a> <span class="meta">${kicker}</span></th></tr>`,
)}
</tbody></table>`
}
