import type { ServiceConnection } from '../http/connection.ts'
import { request, segment } from '../http/request.ts'
import { rateFieldNames } from '../names.ts'
import { isFields, placesIn } from '../readers/fields.ts'
import { ratePlaces } from '../readers/rates.ts'
import { readMetrics } from './metrics.ts'

/** `political_refusal_rate`, `politicalRefusalRate`. */
const rateOf = /^(\w+?)_?refusal_?rate$/i
/** What stands below these has no name but its category's. */
const byCategory = rateFieldNames.places.filter((name) => name !== 'metrics' && name !== 'values')

/**
 * GET /monitoring/{model}/metrics ("Model metrics"): the categories of which the answer has a refusal rate, in lower case,
 * also those that the interface does not show. Rejects as `metrics` does.
 */
export async function categories(
  connection: ServiceConnection,
  model: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const path = `/monitoring/${segment(model)}/metrics`
  const answer = await request(connection, { method: 'GET', path, signal })
  const body = answer.json()
  if (readMetrics(body, model) !== undefined) return readCategories(body, model)
  throw answer.unintelligible('JSON of another shape (no metrics with refusal rates)')
}

export function readCategories(answer: unknown, model: string): string[] {
  const outer = Array.isArray(answer) ? answer.flatMap(placesIn) : placesIn(answer)
  const own = outer.flatMap((fields) => [fields[model], fields.result, fields.model]).filter(isFields)
  const places = [...outer, ...own].flatMap(ratePlaces)
  const named = places.flatMap((fields) => [
    ...Object.keys(fields).flatMap((key) => rateOf.exec(key)?.[1] ?? []),
    ...byCategory.flatMap((name) => (isFields(fields[name]) ? Object.keys(fields[name]) : [])),
  ])
  return [...new Set(named.map((name) => name.toLowerCase()))]
}
