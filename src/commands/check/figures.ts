import type { CheckRow } from '../../channels/channel.ts'
import { desiredAlerts } from '../../config/derived.ts'
import type { Config } from '../../config/schema.ts'
import { judged } from '../../intake/poll/notices.ts'
import { planFor, planInWords } from '../../intake/poll/plan.ts'
import { lastLook, pollingStateFrom, served } from '../../intake/poll/state.ts'
import { nearest, plain } from '../../platform/text.ts'
import { tierOf } from '../../service/client/bucket.ts'
import { rateNames } from '../../service/client/readers/rates.ts'
import type { StoredEntry } from '../../store/store.ts'
import { ok, warn } from './row.ts'
import type { StoreContents } from './store.ts'

/** What is asked of the service, how soon a figure is read and whether it can be judged, by what is known of the service so far. */
export function checkPolling(config: Config, kept: StoreContents | undefined): CheckRow[] {
  const { monitor, polling } = config
  if (monitor === undefined) return [ok('plan', 'none: monitor is not set, so there is no service to ask')]
  if (polling.mode === 'off') return [ok('plan', 'none: polling.mode is off')]
  const { models } = desiredAlerts(config)
  const [plan = '', delay = ''] = planInWords(
    planFor({
      tier: tierOf(monitor.tier),
      models: models.length,
      fastestMs: polling.interval,
      ...served(pollingStateFrom(kept?.polling, 0).figures),
    }),
    models,
  )
  return [
    ok('plan', plan),
    ok('delay', delay),
    ok(
      'size',
      'how many readings a change takes to be found depends on its size: docs/internals/detection.md',
    ),
    ...lookedAt(kept?.polling),
    ...figuresRows(judged(kept?.polling, models)),
  ]
}

/** What is the same of several models is said of them together. */
function figuresRows(models: ReturnType<typeof judged>): CheckRow[] {
  const alike = Map.groupBy(models, ({ isJudged, detail }) => `${isJudged} ${detail}`)
  return [...alike.values()].flatMap((several) => {
    const names = several.map(({ model }) => model).join(', ')
    return several
      .slice(0, 1)
      .map(({ isJudged, detail }) => (isJudged ? ok : warn)('figures', `${names}: ${detail}`))
  })
}

function lookedAt(stored: unknown): CheckRow[] {
  const look = lastLook(stored)
  if (look === undefined) return []
  if (look.isRead) return [ok('figures', `last read ${look.at}`)]
  const before = look.readAt === null ? 'they have never been read' : `they were last read ${look.readAt}`
  return [
    warn(
      'figures',
      `they could not be read at ${look.at}; ${before}`,
      'the log of serve has the answer of the service',
    ),
  ]
}

/** Categories that the interface names, and those of events that came. In lower case, as filters compare them. */
export function knownCategories(events: readonly StoredEntry[]): ReadonlySet<string> {
  const came = events.flatMap(({ entry }) => (entry.kind === 'alert' ? (entry.category ?? []) : []))
  return new Set([...rateNames, ...came.map((category) => category.toLowerCase())])
}

/** Whether a channel asks for a category that is not among those. */
export function hasUnknown({ channels }: Config, categoryNames: ReadonlySet<string>): boolean {
  return channels.some(({ categories = [] }) =>
    categories.some((one) => !categoryNames.has(one.toLowerCase())),
  )
}

/**
 * A row for each channel that asks for categories: a misspelt one is silence for ever. Which there are the interface does
 * not show, so one that is not known may still come. Pure.
 */
export function checkCategories({ channels }: Config, categoryNames: ReadonlySet<string>): CheckRow[] {
  return channels.flatMap(({ name, categories }) => {
    if (categories === undefined) return []
    const unknown = categories.filter((one) => !categoryNames.has(one.toLowerCase()))
    if (unknown.length === 0) return [ok('categories', `${name}: ${categories.join(', ')}`)]
    return unknown.map((one) =>
      warn('categories', doubtAbout(name, one, categoryNames), hintFor(one, categoryNames)),
    )
  })
}

function doubtAbout(name: string, category: string, categoryNames: ReadonlySet<string>): string {
  const list = plain([...categoryNames].join(', '), 300)
  return `${name} asks for "${plain(category)}", which the service has not named; it names ${list}`
}

function hintFor(category: string, categoryNames: ReadonlySet<string>): string {
  if (category.toLowerCase() === 'all') return 'leave categories out to get every category'
  const meant = nearest(category, [...categoryNames])
  return meant === undefined
    ? 'this channel gets nothing about it until the service uses that name'
    : `is ${plain(meant)} meant?`
}
