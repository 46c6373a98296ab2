import type { Request } from 'express'
import * as z from 'zod'
import { deskStates } from '../event/desk.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Control } from '../people/control/control.ts'
import type { ListQuery, StoredEntry } from '../store/store.ts'

/** What may become of an alert, as lists are asked for it. */
export const states = ['sent', 'waiting', 'held', 'merged', 'failed', 'not_sent'] as const

const text = (description: string) => z.string().max(200).meta({ description }).optional()
const day = (description: string) => z.iso.date().meta({ description }).optional()

/** By what alerts are chosen, in the address of a feed, an export or the API: as in the list, and nothing is passed over. */
export const AlertFilters = z.strictObject({
  words: text('Words or beginnings of words; the alert must have all of them'),
  model: text('Identifier of a model, such as claude'),
  category: text('Category of prompts, such as political'),
  type: text('policy_change, censorship_spike, version_change, or as the service wrote it'),
  channel: text('Only alerts with a result on this channel'),
  outcome: z
    .enum(states)
    .meta({ description: 'Only alerts with this result, on any channel or on the given one' })
    .optional(),
  desk: z.enum(deskStates).meta({ description: 'What the desk does about it' }).optional(),
  from: day('First day of receipt, UTC'),
  to: day('Last day of receipt, UTC'),
})
export type AlertFilters = z.infer<typeof AlertFilters>

/** The address asks for something that there is not. */
export class WrongQuery extends Error {
  override readonly name = 'WrongQuery'
}

/** What an address asks for; a form leaves empty what it does not ask for. Throws `WrongQuery` with a sentence for each. */
export function queryIn<Query>(schema: z.ZodType<Query>, { query }: Pick<Request, 'query'>): Query {
  const filledIn = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const { success, data, error } = schema.safeParse(filledIn)
  if (success) return data
  throw new WrongQuery(error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; '))
}

/** For the address of the list, a feed or an export. */
export function queryOf(filters: object): string {
  const query = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return query.length === 0 ? '' : `?${new URLSearchParams(query).toString()}`
}

export type StoredAlert = StoredEntry & { entry: AlertEvent }

/** A page of a list, newest first. */
export interface ListPage<Row = StoredEntry> {
  rows: Row[]
  /** The `seq` before which the next page begins; undefined at the end. */
  before: number | undefined
}

export async function readPage(
  { events }: Pick<Control, 'events'>,
  { limit, ...query }: ListQuery,
): Promise<ListPage> {
  const entries = await events({ ...query, limit: limit + 1 })
  const rows = entries.slice(0, limit)
  return { rows, before: entries.length > limit ? rows.at(-1)?.seq : undefined }
}

export async function readAlerts(
  control: Pick<Control, 'events'>,
  query: Omit<ListQuery, 'kind'>,
): Promise<ListPage<StoredAlert>> {
  const { rows, before } = await readPage(control, { ...query, kind: 'alert' })
  return { rows: rows.filter(isAlert), before }
}

function isAlert(stored: StoredEntry): stored is StoredAlert {
  return stored.entry.kind === 'alert'
}
