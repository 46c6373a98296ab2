import * as z from 'zod'
import { AlertRecord } from './record.ts'

export interface ExportColumn {
  name: string
  /** In words: "number", "text, or nothing". */
  form: string
  is: string
}

const Property = z.object({
  type: z.string().optional(),
  enum: z.array(z.string()).optional(),
  anyOf: z.array(z.looseObject({ type: z.string(), description: z.string().optional() })).optional(),
  description: z.string().optional(),
})

const forms: Record<string, string> = {
  string: 'text',
  number: 'number',
  array: 'list of texts',
  object: 'by channel',
}

/** What stands in each column of a file, by the very schema that the file is written with. */
export function dictionary(): ExportColumn[] {
  return Object.entries(AlertRecord.shape).map(([name, schema]) => {
    const { type, enum: one, anyOf, description } = Property.parse(z.toJSONSchema(schema))
    const [value] = anyOf ?? []
    const known = type ?? value?.type ?? ''
    const form = one === undefined ? (forms[known] ?? known) : one.join(', ')
    return {
      name,
      form: anyOf === undefined ? form : `${form}, or nothing`,
      is: description ?? value?.description ?? '',
    }
  })
}
