import type { Response } from 'express'
import type * as z from 'zod'

/**
 * Answers with JSON in the form of the schema. Every success of the service goes out here: what its schema does not
 * allow (a field too many too, since the schemas are strict) is a fault of the sandbox, and becomes a 500 in
 * whatever test meets it. Set a status other than 200 before.
 */
export function answer(response: Response, schema: z.ZodType, body: unknown): void {
  response.json(schema.parse(body))
}
