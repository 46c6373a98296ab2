import * as z from 'zod'
import { isFinding, knownCategories, knownModels } from '../event/event.ts'
import type { RateSeries } from '../message/chart/series.ts'
import { svgOf } from '../message/chart/svg.ts'
import { modelName } from '../message/render/words.ts'
import { english } from '../message/words/words.ts'
import { within } from '../platform/clock.ts'
import { dayMs } from '../platform/durations.ts'
import { comparisonSvg } from './comparison-svg.ts'
import { changesOf, type FeedChange } from './feed/changes.ts'
import { readAlerts } from './list-page.ts'
import { type MarkedChange, type ModelShown, modelsPage } from './pages/models.ts'
import type { PageRequest } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import { type ConsoleReply, notFound } from './reply.ts'

type ListedCategory = (typeof knownCategories)[number]
type ListedModel = (typeof knownModels)[number]

/** What the address may ask for; whatever else stands there is as if it did not. */
const Asked = z.object({ category: z.enum(knownCategories).catch('overall') })

const shownDays = 90
/** Alerts that are looked at for the changes of a model: what else there is stands in the list of alerts. */
const mostAlerts = 20
/** So long a page waits for figures, in milliseconds; they are read on for whoever comes next. */
const figuresMs = 3_000

/** The models side by side: what the service publishes of them, and the changes that were reported. */
export function createModels(parts: ConsoleParts) {
  const { control, clock } = parts

  async function seriesOf(model: ListedModel, category: ListedCategory): Promise<ModelShown['figures']> {
    const reading = parts
      .modelFigures(model, category)
      .catch((error: unknown) => ({ why: error instanceof Error ? error.message : 'it could not be read' }))
    let figures: ModelShown['figures'] = { why: 'it is being read; load the page again in some seconds' }
    const taken = reading.then((read) => {
      figures = read
    })
    await within(clock, figuresMs, taken)
    return figures
  }

  /** Newest first. Reports of one change are one; what was corrected is as it was corrected last. */
  async function changesTo(model: ListedModel, category: ListedCategory): Promise<FeedChange[]> {
    const from = new Date(clock.now() - (shownDays - 1) * dayMs).toISOString().slice(0, 10)
    const of = category === 'overall' ? {} : { category }
    const { rows } = await readAlerts(control, { model, from, ...of, limit: mostAlerts })
    return changesOf(rows, parts)
  }

  async function shownOf(model: ListedModel, category: ListedCategory): Promise<ModelShown> {
    const [figures, changes] = await Promise.all([seriesOf(model, category), changesTo(model, category)])
    const series = 'series' in figures ? figures.series : undefined
    return { model, name: modelName(model), figures, changes: marked(changes, series) }
  }

  function all(category: ListedCategory): Promise<ModelShown[]> {
    return Promise.all(knownModels.map((model) => shownOf(model, category)))
  }

  async function page({ context, query }: PageRequest): Promise<ConsoleReply> {
    const { category } = Asked.parse(query)
    const hasService = parts.config().monitor !== undefined
    return { page: modelsPage({ category, models: await all(category), hasService }, context) }
  }

  async function chart({ query }: PageRequest, name: string, look: 'light' | 'dark'): Promise<ConsoleReply> {
    const model = knownModels.find((one) => one === name)
    if (model === undefined) return notFound('No such model is monitored.')
    const { figures, changes } = await shownOf(model, Asked.parse(query).category)
    if ('why' in figures) return notFound(`There is no chart: ${figures.why}.`)
    const marks = changes.flatMap(({ number, at }) => (number === null ? [] : [{ at, sign: `${number}` }]))
    return { image: svgOf(figures.series, look, english, marks) }
  }

  async function comparison({ query }: PageRequest, look: 'light' | 'dark'): Promise<ConsoleReply> {
    const { category } = Asked.parse(query)
    const read = await Promise.all(knownModels.map((model) => seriesOf(model, category)))
    const known = read.flatMap((one) => ('series' in one ? [one.series] : []))
    return { image: comparisonSvg(known, look) }
  }

  return { page, chart, comparison }
}

/** Numbered from the oldest on, as the chart shows them from left to right; what is not on the chart has no number. */
function marked(changes: readonly FeedChange[], series: RateSeries | undefined): MarkedChange[] {
  const all = changes.map(({ shown, message }) => {
    const { id, detectedAt, receivedAt, revises } = shown
    const at = Date.parse(detectedAt ?? receivedAt)
    const isWithdrawn = revises !== undefined && isFinding(shown)
    return { id, at: Number.isNaN(at) ? Date.parse(receivedAt) : at, message, isWithdrawn }
  })
  const isOnChart = ({ at, isWithdrawn }: (typeof all)[number]) =>
    series !== undefined && !isWithdrawn && at >= series.from && at < series.to
  const onChart = all.filter(isOnChart).toSorted((one, other) => one.at - other.at)
  return all
    .toSorted((one, other) => other.at - one.at)
    .map((change) => {
      const { kicker, headline } = change.message
      const index = onChart.indexOf(change)
      return { id: change.id, at: change.at, kicker, headline, number: index === -1 ? null : index + 1 }
    })
}
