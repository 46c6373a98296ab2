import express from 'express'
import type * as z from 'zod'
import { badRequest } from './errors.ts'

/** Reads a JSON body whatever its content type says: the specification has no other kind. */
export const readJson = express.json({ type: () => true, limit: '100kb' })

/** The body in the schema's form. Throws a 400 that names each field that is not. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw badRequest('The body must be a JSON object.')
  }
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) =>
    issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`,
  )
  throw badRequest(`The body is not as expected: ${problems.join('; ')}.`)
}
