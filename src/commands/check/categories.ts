import type { CheckRow } from '../../channels/channel.ts'
import type { Config } from '../../config/schema.ts'
import { nearest, plain } from '../../platform/text.ts'
import { rateNames } from '../../service/client/readers/rates.ts'
import type { StoredEntry } from '../../store/store.ts'
import { ok, warn } from './row.ts'

/** Categories that the interface names, and those of events that came. In lower case, as filters compare them. */
export function knownCategories(events: readonly StoredEntry[]): ReadonlySet<string> {
  const came = events.flatMap(({ entry }) => (entry.kind === 'alert' ? (entry.category ?? []) : []))
  return new Set([...rateNames, ...came.map((category) => category.toLowerCase())])
}

/** Whether a channel asks for a category that is not among those. */
export function hasUnknown({ channels }: Config, known: ReadonlySet<string>): boolean {
  return channels.some(({ categories = [] }) => categories.some((one) => !known.has(one.toLowerCase())))
}

/**
 * A row for each channel that asks for categories: a misspelt one is silence for ever. Which there are the interface does
 * not show, so that one which is not known may still come. Pure.
 */
export function checkCategories({ channels }: Config, known: ReadonlySet<string>): CheckRow[] {
  return channels.flatMap(({ name, categories }) => {
    if (categories === undefined) return []
    const unknown = categories.filter((one) => !known.has(one.toLowerCase()))
    if (unknown.length === 0) return [ok('categories', `${name}: ${categories.join(', ')}`)]
    return unknown.map((one) => warn('categories', doubtAbout(name, one, known), hintFor(one, known)))
  })
}

function doubtAbout(name: string, category: string, known: ReadonlySet<string>): string {
  const list = plain([...known].join(', '), 300)
  return `${name} asks for "${plain(category)}", which the service has not named; it names ${list}`
}

function hintFor(category: string, known: ReadonlySet<string>): string {
  if (category.toLowerCase() === 'all') return 'leave categories out, and every category passes'
  const meant = nearest(category, [...known])
  return meant === undefined
    ? 'until the service names it, nothing of it reaches this channel'
    : `is ${plain(meant)} meant?`
}
