import type { Request } from 'express'
import * as z from 'zod'
import type { Outcome } from '../event/outcome.ts'
import type { ListFilter } from '../store/list-filter.ts'

/** What may have become of an alert, as lists are asked for it. */
export const states = [
  'sent',
  'waiting',
  'held',
  'merged',
  'failed',
  'not_sent',
] as const satisfies readonly Outcome['state'][]

const text = (description: string) => z.string().max(200).meta({ description }).optional()
const day = (description: string) => z.iso.date().meta({ description }).optional()

/** By what alerts are chosen, in the address of a feed, an export or the API: as in the list, and nothing is passed over. */
export const AlertFilters = z.strictObject({
  words: text('Words that it must all have, each perhaps the beginning of one'),
  model: text('Identifier of a model, such as claude'),
  category: text('Category of prompts, such as political'),
  type: text('policy_change, censorship_spike, version_change, or as the service wrote it'),
  channel: text('It has an outcome on this channel'),
  outcome: z
    .enum(states)
    .meta({ description: 'It has this outcome, on any channel or on the one that is named' })
    .optional(),
  from: day('First day of receipt, UTC'),
  to: day('Last day of receipt, UTC'),
})
export type AlertFilters = z.infer<typeof AlertFilters>

/** The address asks for something that there is not. */
export class WrongQuery extends Error {
  override readonly name = 'WrongQuery'
}

/** What an address asks for; a form leaves empty what it does not ask for. Throws `WrongQuery` with a sentence for each. */
export function askedIn<Asked>(schema: z.ZodType<Asked>, { query }: Pick<Request, 'query'>): Asked {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  throw new WrongQuery(error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}

export function filterFrom(filters: AlertFilters): ListFilter {
  return { kind: 'alert', ...filters }
}

/** As the list in the console is asked, and as feeds and exports are. */
export function queryOf(filters: object): string {
  const asked = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return asked.length === 0 ? '' : `?${new URLSearchParams(asked).toString()}`
}
