import type { Response } from 'express'
import * as z from 'zod'

/** One way to write an answer, and the schema of what is written. */
export interface AnswerForm<Content> {
  schema: z.ZodType
  write(content: Content): unknown
}

/** The setting of the app that adds unknown fields to answers (dialect `extra-fields`). */
export const extraFields = 'extra-fields'

/**
 * Answers with JSON in the form of the schema. Every answer of the service goes out here. If one does not match its
 * strict schema (a field too many, too), that is a fault of the sandbox, and a test that meets it gets a 500. Set a
 * status other than 200 before.
 */
export function answer(response: Response, schema: z.ZodType, body: unknown): void {
  const checked = schema.parse(body)
  response.json(response.app.enabled(extraFields) ? withExtraFields(schema, checked) : checked)
}

/** Neither a number nor a list, so that a map of numbers or lists stays one. */
const unknownFields = { x_internal: { revision: 7, tags: ['beta'], note: null }, x_note: 'Not documented.' }

/**
 * A copy with unknown fields in each object that its schema knows field by field. A `z.record` maps names to values,
 * such as models to rates, and gets none: there a new field would be a new name.
 */
export function withExtraFields(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return withExtraFields(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodUnion) {
    const option = schema.options.find((one) => z.safeParse(one, value).success)
    return withExtraFields(option, value)
  }
  if (Array.isArray(value)) {
    if (!(schema instanceof z.ZodArray)) return value
    return value.map((entry: unknown) => withExtraFields(schema.element, entry))
  }
  if (typeof value !== 'object' || value === null) return value
  const isRecord = schema instanceof z.ZodRecord
  if (!isRecord && !(schema instanceof z.ZodObject)) return value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    withExtraFields(isRecord ? schema.valueType : schema.shape[name], inner),
  ])
  return { ...Object.fromEntries(fields), ...(!isRecord && unknownFields) }
}
