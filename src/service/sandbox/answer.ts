import type { Response } from 'express'
import type * as z from 'zod'
import { withExtraFields } from './extra-fields.ts'

/** The setting of the app under which answers get unknown fields (dialect `extra-fields`). */
export const extraFields = 'extra-fields'

/**
 * Answers with JSON in the form of the schema. Every answer of the service goes out here: what its schema does not
 * allow (a field too many too, since the schemas are strict) is a fault of the sandbox, and becomes a 500 in
 * whatever test meets it. Set a status other than 200 before.
 */
export function answer(response: Response, schema: z.ZodType, body: unknown): void {
  const checked = schema.parse(body)
  response.json(response.app.enabled(extraFields) ? withExtraFields(schema, checked) : checked)
}
