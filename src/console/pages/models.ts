import * as z from 'zod'
import { alertPath } from '../../config/console.ts'
import { isFinding, knownCategories, knownModels } from '../../event/event.ts'
import type { PaletteName } from '../../message/chart/palette.ts'
import { meanOf, type RateSeries } from '../../message/chart/series.ts'
import { svgOf } from '../../message/chart/svg.ts'
import { altText } from '../../message/chart/words.ts'
import { categoryIn, modelName } from '../../message/render/words.ts'
import { english } from '../../message/words/words.ts'
import { dayMs } from '../../platform/durations.ts'
import { counted, listed, percentText } from '../../platform/text.ts'
import { comparisonSvg, comparisonText } from '../comparison-svg.ts'
import { changesOf, type FeedChange } from '../feed/changes.ts'
import { type Html, html } from '../html.ts'
import { timeOf } from '../page-parts.ts'
import type { ConsoleParts, PublishedSeries } from '../parts.ts'
import { readAlerts } from '../query.ts'
import { type ConsoleReply, notFound, type PageContext, type PageRequest, type ShowPage } from '../reply.ts'
import { daysTable, errorText } from './chart.ts'

type Category = (typeof knownCategories)[number]
type ListedModel = (typeof knownModels)[number]

/** What the address may ask for; everything else in it is ignored. */
const ModelsQuery = z.object({ category: z.enum(knownCategories).catch('overall') })

const shownDays = 90
/** Alerts that are searched for the changes of a model; the list of alerts has the rest. */
const mostAlerts = 20

/** A change that was reported or found. */
interface MarkedChange {
  id: string
  /** Milliseconds since the epoch. */
  at: number
  kicker: string
  headline: string
  /** Its sign on the chart; null if it is not on the chart. */
  number: number | null
  /** It is of the days that are charted, and not withdrawn. */
  isCounted: boolean
}

interface ModelShown {
  model: string
  name: string
  /** Or why there are none. */
  figures: PublishedSeries | { why: string }
  /** Newest first. */
  changes: readonly MarkedChange[]
}

/** The models side by side: what the service publishes of them, and the changes that were reported or found. */
export async function showModels(
  { context, query, mayAct }: PageRequest,
  parts: ConsoleParts,
): Promise<ConsoleReply> {
  const { category } = ModelsQuery.parse(query)
  const hasService = parts.config().monitor !== undefined
  const models = await Promise.all(knownModels.map((model) => shownOf(model, category, parts)))
  return {
    page: {
      title: 'Models',
      body: html`<h1>Models</h1>
<p class="text">What the service publishes of each model, and the changes that were reported or found. The figures are those that are stored: this page asks the service for nothing.</p>
${hasService && sourceOf(models, parts.pollsEveryMs() !== undefined)}
${categoryForm(category, context)}
${!hasService && html`<p class="caveat">No monitoring service is configured (<code>monitor</code> in the configuration, with a key), so there are no published figures: only what was reported or found stands here.</p>`}
${hasService && comparisonOf(models, category, context)}
${models.map((one) => modelOf(one, { category, hasService, mayAct }, context))}`,
    },
  }
}

/** How figures that are missing come to be stored. */
function sourceOf(models: readonly ModelShown[], isPolled: boolean): Html | false {
  if (!isPolled)
    return html`<p class="caveat">Polling is off (<code>polling.mode</code>), so new figures are stored only when an alert or a person needs them.</p>`
  const isMissing = models.some(({ figures }) => 'why' in figures)
  return (
    isMissing &&
    html`<p class="meta">Polling stores the missing figures if the service publishes them. After the first start, this takes some minutes.</p>`
  )
}

export function modelImage(look: PaletteName): ShowPage {
  return async ({ query, parameters }, parts) => {
    const model = knownModels.find((one) => one === parameters.model)
    if (model === undefined) return notFound('No such model is monitored.')
    const { figures, changes } = await shownOf(model, ModelsQuery.parse(query).category, parts)
    if ('why' in figures) return notFound(`There is no chart: ${figures.why}.`)
    const marks = [
      ...changes.flatMap(({ number, at }) => (number === null ? [] : [{ at, sign: `${number}` }])),
      ...unreported(figures, changes).map(({ at }) => ({ at, sign: '•' })),
    ]
    return { image: svgOf(figures.series, look, english, marks) }
  }
}

export function comparisonImage(look: PaletteName): ShowPage {
  return async ({ query }, parts) => {
    const { category } = ModelsQuery.parse(query)
    const read = await Promise.all(knownModels.map((model) => figuresOf(model, category, parts)))
    const series = read.flatMap((one) => ('series' in one ? [one.series] : []))
    return { image: comparisonSvg(series, look) }
  }
}

async function shownOf(model: ListedModel, category: Category, parts: ConsoleParts): Promise<ModelShown> {
  const [figures, changes] = await Promise.all([
    figuresOf(model, category, parts),
    reportedChanges(model, category, parts),
  ])
  const series = 'series' in figures ? figures.series : undefined
  return { model, name: modelName(model), figures, changes: marked(changes, series) }
}

function figuresOf(
  model: ListedModel,
  category: Category,
  { modelFigures }: ConsoleParts,
): Promise<ModelShown['figures']> {
  return modelFigures(model, category).catch((error: unknown) => ({
    why: error instanceof Error ? error.message : 'it could not be read',
  }))
}

/** Newest first. Reports of one change are one; what was corrected is as it was corrected last. */
async function reportedChanges(
  model: ListedModel,
  category: Category,
  parts: ConsoleParts,
): Promise<FeedChange[]> {
  const from = new Date(parts.clock.now() - (shownDays - 1) * dayMs).toISOString().slice(0, 10)
  const of = category === 'overall' ? {} : { category }
  const { rows } = await readAlerts(parts.control, { model, from, ...of, limit: mostAlerts })
  return changesOf(rows, parts)
}

/** The newest is number 1. What is not on the chart has no number: a change of prompts that are not drawn, too. */
function marked(changes: readonly FeedChange[], series: RateSeries | undefined): MarkedChange[] {
  const all = changes.map(({ shown, message }) => {
    const { id, detectedAt, receivedAt, revises } = shown
    const at = Date.parse(detectedAt ?? receivedAt)
    const isWithdrawn = revises !== undefined && isFinding(shown)
    const isDrawn = !isWithdrawn && categoryIn(shown.category).category === series?.category
    return { id, at: Number.isNaN(at) ? Date.parse(receivedAt) : at, message, isWithdrawn, isDrawn }
  })
  const newestFirst = all.toSorted((one, other) => other.at - one.at)
  const isWithin = (at: number) => series !== undefined && at >= series.from && at < series.to
  const onChart = newestFirst.filter(({ at, isDrawn }) => isDrawn && isWithin(at))
  return newestFirst.map((change) => {
    const { kicker, headline } = change.message
    const index = onChart.indexOf(change)
    const number = index === -1 ? null : index + 1
    const isCounted = !change.isWithdrawn && isWithin(change.at)
    return { id: change.id, at: change.at, kicker, headline, number, isCounted }
  })
}

function categoryForm(chosen: Category, { base }: PageContext): Html {
  const named = (one: Category) => (one === 'overall' ? 'all prompts' : `${one} prompts`)
  return html`<form class="filters" method="get" action="${base}/models"><div class="search"><label for="category">Prompts</label>
<select id="category" name="category">${knownCategories.map((one) => html`<option value="${one}"${one === chosen && html` selected`}>${named(one)}</option>`)}</select><button>Show</button></div></form>`
}

function comparisonOf(
  models: readonly ModelShown[],
  category: Category,
  { base }: PageContext,
): Html | false {
  const charted = models.flatMap((one) =>
    'series' in one.figures && one.figures.series.days.length > 0
      ? [{ ...one, series: one.figures.series }]
      : [],
  )
  if (charted.length === 0) return false
  const missing = models
    .filter(({ model }) => charted.every((shown) => shown.model !== model))
    .map(({ name }) => name)
  const path = (look: PaletteName) => `${base}/models/comparison-${look}.svg?category=${category}`
  return html`<section aria-labelledby="comparison"><h2 id="comparison">Compared</h2>
<figure><picture><source srcset="${path('dark')}" media="(prefers-color-scheme: dark)"><img src="${path('light')}" alt="${comparisonText(charted.map(({ series }) => series))}" width="640"></picture></figure>
<table class="cards"><thead><tr><th scope="col">Model</th><th scope="col">Last day</th><th scope="col">95% confidence interval</th><th scope="col">Mean</th><th scope="col">Lowest to highest</th><th scope="col">Changes reported or found</th></tr></thead><tbody>
${charted.map(({ model, name, series, changes }) => {
  const rates = series.days.map(({ percent }) => percent)
  const last = series.days.at(-1)
  return html`<tr><th scope="row"><a href="#${model}">${name}</a></th><td data-label="Last day">${last && percentText(last.percent)}</td><td data-label="95% confidence interval">${errorText(last?.error ?? null)}</td><td data-label="Mean">${percentText(meanOf(series.days))}</td><td data-label="Lowest to highest">${percentText(Math.min(...rates))} to ${percentText(Math.max(...rates))}</td><td data-label="Changes reported or found">${changes.filter(({ isCounted }) => isCounted).length}</td></tr>`
})}
</tbody></table>
${missing.length > 0 && html`<p class="caveat">Missing here: ${listed(missing, 'and')}. What is known of each stands below.</p>`}
<p class="meta">Over the last ninety days. Intervals that overlap do not show that two models are equal, nor that they differ.</p></section>`
}

function modelOf(
  { model, name, figures, changes }: ModelShown,
  { category, hasService, mayAct }: { category: Category; hasService: boolean; mayAct: boolean },
  context: PageContext,
): Html {
  const query = new URLSearchParams({ model, ...(category !== 'overall' && { category }) }).toString()
  return html`<section aria-labelledby="${model}"><h2 id="${model}">${name}</h2>
${hasService && 'why' in figures && html`<p class="none">There is no chart: ${figures.why}.</p>`}
${'series' in figures && chartOf(figures, { model, name, changes }, category, context)}
${stepsOf(figures, changes, context)}
${changes.length === 0 ? html`<p class="none">No change was reported or found in the last ninety days.</p>` : changesTable(changes, name, context)}
<p class="meta"><a href="${context.base}/alerts?${query}">Every alert about ${name}</a>${mayAct && html` · <a href="${context.base}/silences?${query}#add">Silence ${name} …</a>`}</p></section>`
}

/** A report may come some days before or after the figures show it. */
const sameStepMs = 4 * dayMs

function unreported(
  { steps = [] }: PublishedSeries,
  changes: readonly MarkedChange[],
): NonNullable<PublishedSeries['steps']> {
  return steps.filter((step) => changes.every(({ at }) => Math.abs(at - step.at) > sameStepMs))
}

/** What the figures show and nobody reported. */
function stepsOf(
  figures: ModelShown['figures'],
  changes: readonly MarkedChange[],
  { timeZone }: PageContext,
): Html | false {
  const steps = 'series' in figures ? unreported(figures, changes) : []
  if (steps.length === 0) return false
  return html`<p>Seen in the figures, but not reported (• on the chart):</p><ul>${steps.map(
    ({ at, points }) =>
      html`<li>${points > 0 ? 'up' : 'down'} ${Math.abs(points).toFixed(1)} percentage points, ${timeOf(new Date(at).toISOString(), timeZone)}</li>`,
  )}</ul>`
}

function chartOf(
  figures: PublishedSeries,
  { model, name, changes }: Pick<ModelShown, 'model' | 'name' | 'changes'>,
  category: Category,
  { base, timeZone }: PageContext,
): Html {
  const { series } = figures
  const path = (look: PaletteName) => `${base}/models/${model}/chart-${look}.svg?category=${category}`
  const count = changes.filter(({ number }) => number !== null).length
  const marks = count === 0 ? '' : ` ${counted(count, 'change')} marked, as listed below.`
  return html`<figure><picture><source srcset="${path('dark')}" media="(prefers-color-scheme: dark)"><img src="${path('light')}" alt="${altText(series, english)}${marks}" width="640" height="400" loading="lazy"></picture>
<figcaption>${storedText(figures, timeZone)}${count > 0 && ' Numbers are those of the changes below.'}</figcaption></figure>
<details><summary>Every day in figures<span class="unseen">: ${name}</span></summary>${daysTable(series)}</details>`
}

/** Until when the figures are, and what of the ninety days they lack. */
function storedText({ series: { days, from, to }, readAt }: PublishedSeries, timeZone: string): Html {
  const missing = Math.round((to - from) / dayMs) - days.length
  const lacks = missing > 0 && ` Nothing is stored of ${missing} of the ${shownDays} days.`
  return html`Last read from the service ${timeOf(readAt, timeZone)}.${lacks}`
}

function changesTable(changes: readonly MarkedChange[], name: string, { base, timeZone }: PageContext): Html {
  return html`<table class="cards"><caption class="unseen">Changes of ${name} that were reported or found</caption><thead><tr><th scope="col">On the chart</th><th scope="col">When</th><th scope="col">What</th></tr></thead><tbody>
${changes.map(
  ({ id, at, kicker, headline, number }) =>
    html`<tr><td data-label="On the chart">${number ?? 'not marked'}</td><td data-label="When">${timeOf(new Date(at).toISOString(), timeZone)}</td><th scope="row"><a href="${alertPath(base, id)}">${headline}</a> <span class="meta">${kicker}</span></th></tr>`,
)}
</tbody></table>`
}
