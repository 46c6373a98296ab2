import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'
import type { Content, JsonSchema, Reference } from './document.ts'

/** What stands in an answer in this form, or with `input` in a request, before defaults are filled in. */
export function jsonSchema(
  schema: z.ZodType,
  { 'extra-fields': extraFields }: Pick<ServiceDialect, 'extra-fields'>,
  io: 'input' | 'output' = 'output',
): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema: written }) {
      // The format says it, and in fewer words than zod's pattern.
      if (written.format === 'date-time') delete written.pattern
      // Not a format of JSON Schema's; the pattern beside it says it.
      if (written.format === 'starts_with') delete written.format
      // Every whole number that JavaScript can hold is no bound of the service's.
      if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum
      // The unknown fields of this sandbox have names by which they can be known.
      if (extraFields === 'yes' && written.additionalProperties === false) {
        written.patternProperties = { '^x_': {} }
      }
      // A map that has each of some names is an object with these fields.
      const { required, additionalProperties: value } = written
      if (required !== undefined && written.propertyNames !== undefined && value !== undefined) {
        written.properties = Object.fromEntries(required.map((name) => [name, value]))
        written.additionalProperties = false
        delete written.propertyNames
      }
    },
  })
  return made
}

export function json(schema: JsonSchema | Reference): Content {
  return { 'application/json': { schema: { ...schema } } }
}

export function schemaReference(name: string): Reference {
  return { $ref: `#/components/schemas/${name}` }
}

/** Stands in a zod schema for a component of the document. */
export function named(name: string): z.ZodType {
  return z.unknown().meta({ ...schemaReference(name) })
}
