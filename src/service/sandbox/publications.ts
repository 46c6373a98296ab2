import * as z from 'zod'
import { dayMs } from '../../platform/durations.ts'
import type { AnswerForm } from './answer.ts'
import type { ServiceDialect } from './dialect.ts'
import { recordForm } from './lists.ts'
import { promptCount, type RateScope } from './prompts.ts'
import { rateScopes, time, writeTime } from './shapes/figures.ts'
import { keptWhileUnchanged, lastRead, type World } from './world.ts'

/** A number that a publication cites. */
interface CitedFigure {
  label: string
  value: number
  unit: 'percentage points' | 'count'
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

const authors = ['M. Okafor', 'L. Brandt', 'S. Iyer']
/** Days after a month's end. */
const reportDay = 5

/**
 * What was published until now, newest first: a report on each of the last eleven whole months, and notes on the method from
 * the two years before this one. The history is that of a year, so no earlier month is whole in it.
 */
export const publications = keptWhileUnchanged((world): readonly SandboxPublication[] => {
  const now = lastRead(world)
  return [...monthlyReports(world, now), ...notes(now)]
    .filter(({ publishedAt }) => publishedAt <= now)
    .toSorted((a, b) => b.publishedAt - a.publishedAt || a.id.localeCompare(b.id))
})

function monthlyReports(world: World, now: number): SandboxPublication[] {
  const current = new Date(now).getUTCFullYear() * 12 + new Date(now).getUTCMonth()
  return Array.from({ length: 11 }, (_, index) => {
    const month = current - 11 + index
    const [from, to] = [startOf(month), startOf(month + 1)]
    const changes = world.changes().filter(({ at }) => at >= from && at < to).length
    return {
      id: `pub_${new Date(from).toISOString().slice(0, 7)}-monthly`,
      title: `Refusals in ${monthNames.format(from)}`,
      authors: authors.slice(0, 2),
      publishedAt: to + reportDay * dayMs,
      summary: `Changes reported in the month: ${changes}.`,
      figures: [{ label: 'Changes reported', value: changes, unit: 'count' }],
    }
  })
}

/** The first moment of a month, counted from the year 0; milliseconds since the epoch. */
function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12)
}

/** Made once: to make one takes longer than a whole list of publications. */
const monthNames = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Notes of the two calendar years before this one. */
function notes(now: number): SandboxPublication[] {
  const year = new Date(now).getUTCFullYear()
  return [year - 2, year - 1].flatMap((edition) =>
    rateScopes.map((scope, index) => note(edition, scope, 2 * index + 1)),
  )
}

function note(edition: number, scope: RateScope, month: number): SandboxPublication {
  const prompts = promptCount(scope)
  // The standard error of a binomial rate of one half, in percentage points to one place.
  const error = Math.round(1_000 * Math.sqrt(0.25 / prompts)) / 10
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
            unit: z.enum(['percentage points', 'count']),
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
