import * as z from 'zod'
import { AlertRecord } from '../export/record.ts'
import { AlertFilters } from '../query.ts'

/** What the API is asked for, and what it answers: its description is made of this, and so are its answers. */
export const EventsQuery = AlertFilters.extend({
  limit: z.coerce.number().int().min(1).max(500).default(100).meta({ description: 'So many at most' }),
  cursor: z
    .string()
    .regex(/^[\w-]{1,24}$/, 'is not a cursor of an answer')
    .optional()
    .meta({ description: 'Of the answer before: goes on where that ended' }),
})
export type EventsQuery = z.infer<typeof EventsQuery>

export const EventsAnswer = z
  .object({
    data: z.array(AlertRecord).meta({ description: 'Newest first' }),
    next: z.string().nullable().meta({ description: 'Cursor of what comes after these; null at the end' }),
  })
  .meta({ description: 'A page of alerts' })
export type EventsAnswer = z.infer<typeof EventsAnswer>

export const ProblemAnswer = z
  .object({
    status: z.int(),
    title: z.string(),
    detail: z.string().meta({ description: 'What to do, or what is wrong' }),
  })
  .meta({ description: 'Why there is no answer (RFC 9457)' })

/** A place in the list. Nobody is to make one. */
export function cursorOf(seq: number): string {
  return Buffer.from(`s${seq}`).toString('base64url')
}

/** Undefined where it is none of ours. */
export function placeFrom(cursor: string): number | undefined {
  const [, seq] = /^s(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  return seq === undefined ? undefined : Number(seq)
}
