import type * as z from 'zod'

/** One way to write an answer, and the schema of what is written. */
export interface AnswerForm<Content> {
  schema: z.ZodType
  write(content: Content): unknown
}
