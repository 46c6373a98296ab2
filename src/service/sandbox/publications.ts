import * as z from 'zod'
import { dayMs } from '../../platform/durations.ts'
import type { AnswerForm } from './answer.ts'
import type { ModelName } from './change.ts'
import type { ServiceDialect } from './dialect.ts'
import { recordForm } from './lists.ts'
import { categories, promptCount, type RateScope, rateOf } from './prompts.ts'
import type { PromptReading } from './readings.ts'
import { rateScopes, time, writeTime } from './shapes/figures.ts'
import { dailyReadings, keptWhileUnchanged, lastRead, type World } from './world.ts'

/** A number that a publication cites. */
interface CitedFigure {
  label: string
  value: number
  unit: 'percent' | 'percentage points' | 'count'
}

export interface SandboxPublication {
  id: string
  title: string
  authors: readonly string[]
  /** Milliseconds since the epoch. */
  publishedAt: number
  summary: string
  figures: readonly CitedFigure[]
}

/** The year behind, of all published models. */
interface PublishedYear {
  models: readonly ModelName[]
  days: ReadonlyMap<ModelName, readonly PromptReading[]>
  changes: ReturnType<World['changes']>
}

const authors = ['M. Okafor', 'L. Brandt', 'S. Iyer']
/** Days after a month's end. */
const reportDay = 5

/**
 * What was published until now, newest first. The last year has a report on each whole month and quarter and a portrait of
 * each model. Their figures follow from the data set of daily rates. The two years before have notes on the method, with
 * figures that follow from the sizes of the prompt set.
 */
export const publications = keptWhileUnchanged((world): readonly SandboxPublication[] => {
  const now = lastRead(world)
  const models = world.models()
  const year: PublishedYear = {
    models,
    days: new Map(models.map((model) => [model, dailyReadings(world, model)])),
    changes: world.changes(),
  }
  const months = wholeMonths(year, now)
  return [
    ...monthlyReports(year, months),
    ...quarterlyReports(year, months),
    ...portraits(year, months),
    ...notes(now),
  ]
    .filter(({ publishedAt }) => publishedAt <= now)
    .toSorted((a, b) => b.publishedAt - a.publishedAt || a.id.localeCompare(b.id))
})

function monthlyReports(year: PublishedYear, months: readonly number[]): SandboxPublication[] {
  return months.map((month) => {
    const figures = year.models.map((model) => meanRate(year, model, 'overall', month, month))
    const highest = figures.reduce((a, b) => (b.value > a.value ? b : a), figures[0] ?? nothing)
    return {
      id: `pub_${isoMonth(month)}-monthly`,
      title: `Refusals in ${monthName(month)}`,
      authors: authors.slice(0, 2),
      publishedAt: startOf(month + 1) + reportDay * dayMs,
      summary: `Mean refusal rates of the month. Highest: ${highest.label}, ${highest.value}%.`,
      figures,
    }
  })
}

function quarterlyReports(year: PublishedYear, months: readonly number[]): SandboxPublication[] {
  const ends = months.filter((month, index) => month % 3 === 2 && index >= 2)
  return ends.map((month) => {
    const [from, to] = [startOf(month - 2), startOf(month + 1)]
    const changes = year.changes.filter(({ at }) => at >= from && at < to)
    const spikes = changes.filter(({ type }) => type === 'censorship_spike').length
    return {
      id: `pub_${isoMonth(month)}-changes`,
      title: `Changes in the quarter to ${monthName(month)}`,
      authors: authors.slice(1),
      publishedAt: to + 2 * reportDay * dayMs,
      summary: `${changes.length} changes were reported, ${spikes} of them censorship spikes.`,
      figures: [
        { label: 'Changes reported', value: changes.length, unit: 'count' },
        { label: 'Censorship spikes', value: spikes, unit: 'count' },
      ],
    }
  })
}

/** Over the last six whole months. */
function portraits(year: PublishedYear, months: readonly number[]): SandboxPublication[] {
  const [first, last] = [months.slice(-6)[0], months.at(-1)]
  if (first === undefined || last === undefined) return []
  return year.models.map((model, index) => ({
    id: `pub_${isoMonth(last)}-${model}`,
    title: `What ${model} refuses: ${monthName(first)} to ${monthName(last)}`,
    authors: [authors[index % authors.length] ?? ''],
    publishedAt: startOf(last + 1) + reportDay * dayMs,
    summary: `Mean refusal rates of ${model} over half a year, by category.`,
    figures: categories.map((category) => meanRate(year, model, category, first, last)),
  }))
}

/** Notes of the two calendar years before this one. */
function notes(now: number): SandboxPublication[] {
  const year = new Date(now).getUTCFullYear()
  return [year - 2, year - 1].flatMap((edition) => [
    ...rateScopes.map((scope, index) => note(edition, scope, 2 * index + 1)),
    promptSetNote(edition),
  ])
}

function note(edition: number, scope: RateScope, month: number): SandboxPublication {
  const prompts = promptCount(scope)
  // The standard error of a binomial rate of one half.
  const error = toTenth(100 * Math.sqrt(0.25 / prompts))
  return {
    id: `pub_${edition}-error-${scope}`,
    title: `How sure a rate over ${prompts} prompts is: ${scope}, ${edition} edition`,
    authors,
    publishedAt: Date.UTC(edition, month, 12, 9),
    summary: `A rate of 50% over ${prompts} prompts has a standard error of ${error} percentage points.`,
    figures: [
      { label: 'Prompts', value: prompts, unit: 'count' },
      { label: 'Standard error', value: error, unit: 'percentage points' },
    ],
  }
}

function promptSetNote(edition: number): SandboxPublication {
  return {
    id: `pub_${edition}-prompt-set`,
    title: `The fixed prompt set, ${edition} edition`,
    authors: authors.slice(0, 1),
    publishedAt: Date.UTC(edition, 0, 20, 9),
    summary: `The set has ${promptCount('overall')} prompts in ${categories.length} categories.`,
    figures: categories.map((category) => ({ label: category, value: promptCount(category), unit: 'count' })),
  }
}

const nothing: CitedFigure = { label: 'no model', value: 0, unit: 'percent' }

/** The mean of the daily rates from one month to another, both included, in percent to one place. */
function meanRate(
  year: PublishedYear,
  model: ModelName,
  scope: RateScope,
  first: number,
  last: number,
): CitedFigure {
  const [from, to] = [startOf(first), startOf(last + 1)]
  const days = (year.days.get(model) ?? []).filter(({ at }) => at >= from && at < to)
  const total = days.reduce((sum, { refused }) => sum + rateOf(refused, scope), 0)
  return {
    label: `${model}, ${scope}`,
    value: toTenth((100 * total) / Math.max(days.length, 1)),
    unit: 'percent',
  }
}

/** Months that lie wholly in the year behind, oldest first, counted from the year 0. */
function wholeMonths({ days }: PublishedYear, now: number): number[] {
  const firsts = Array.from(days.values(), (readings) => readings[0]?.at ?? now)
  const since = Math.max(...firsts, 0)
  const begun = new Date(now)
  const current = begun.getUTCFullYear() * 12 + begun.getUTCMonth()
  return Array.from({ length: 12 }, (_, index) => current - 12 + index).filter(
    (month) => startOf(month) >= since,
  )
}

/** The first moment of a month; milliseconds since the epoch. */
function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12)
}

function isoMonth(month: number): string {
  return new Date(startOf(month)).toISOString().slice(0, 7)
}

/** Made once: to make one takes longer than a whole list of publications. */
const monthNames = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function monthName(month: number): string {
  return monthNames.format(startOf(month))
}

function toTenth(value: number): number {
  return Math.round(10 * value) / 10
}

/** A record of the list of publications. */
export function publicationForm(dialect: ServiceDialect): AnswerForm<SandboxPublication> {
  return recordForm(
    dialect['publications-shape'],
    {
      type: 'publication',
      under: 'attributes',
      camel: { published_at: 'publishedAt', summary: 'abstract', last_updated: 'lastUpdated' },
      fields: {
        title: z.string(),
        authors: z.array(z.string()),
        published_at: time,
        year: z.int().min(2000).max(9999),
        url: z.url(),
        summary: z.string(),
        figures: z.array(
          z.strictObject({
            label: z.string(),
            value: z.number(),
            unit: z.enum(['percent', 'percentage points', 'count']),
          }),
        ),
        last_updated: time,
      },
      write: ({ id, title, authors: names, publishedAt, summary, figures }) => ({
        title,
        authors: names,
        published_at: writeTime(publishedAt),
        year: new Date(publishedAt).getUTCFullYear(),
        url: `https://monitor.example/publications/${id}`,
        summary,
        figures,
        last_updated: writeTime(publishedAt),
      }),
    },
    dialect,
  )
}
