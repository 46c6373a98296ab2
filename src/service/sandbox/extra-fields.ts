import * as z from 'zod'

/** What no documentation names. Neither a number nor a list, so that a map of numbers or lists stays one. */
const unknownFields = { x_internal: { revision: 7, tags: ['beta'], note: null }, x_note: 'Not documented.' }

/**
 * A copy with unknown fields in each object that its schema knows field by field. What maps names to values, such
 * as models to rates, is a `z.record` and gets none: there a new field would be a new name.
 */
export function withExtraFields(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return withExtraFields(schema.unwrap(), value)
  }
  if (schema instanceof z.ZodUnion) {
    const chosen = schema.options.find((option) => z.safeParse(option, value).success)
    return withExtraFields(chosen, value)
  }
  if (Array.isArray(value)) {
    if (!(schema instanceof z.ZodArray)) return value
    return value.map((entry: unknown) => withExtraFields(schema.element, entry))
  }
  if (typeof value !== 'object' || value === null) return value
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(value).map(([name, inner]) => [
      name,
      withExtraFields(schema.shape[name], inner),
    ])
    return { ...Object.fromEntries(fields), ...unknownFields }
  }
  if (schema instanceof z.ZodRecord) {
    const entries = Object.entries(value).map(([name, inner]) => [
      name,
      withExtraFields(schema.valueType, inner),
    ])
    return Object.fromEntries(entries)
  }
  return value
}
