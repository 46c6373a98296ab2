import express from 'express'
import type * as z from 'zod'
import { badRequest } from './errors.ts'

/** Reads a JSON body with any content type: the specification has no other kind. */
export const readJson = express.json({ type: () => true, limit: '100kb' })

/** The body in the schema's form. Throws a 400 that names each wrong field. */
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

type Query = Record<string, unknown>

/** One of the allowed values; the fallback if it is left out. Throws a 400 that names them. */
export function choice<T extends string>(query: Query, name: string, allowed: readonly T[], fallback: T): T {
  const value = query[name]
  if (value === undefined) return fallback
  const chosen = allowed.find((option) => option === value)
  if (chosen !== undefined) return chosen
  throw badRequest(`${name} must be one of ${allowed.join(', ')}.`)
}

/** The entries of a comma-separated list, each once; undefined if it is left out. Throws a 400 for an empty one. */
export function commaList(query: Query, name: string, example: string): string[] | undefined {
  const value = query[name]
  if (value === undefined) return undefined
  const entries = typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : []
  if (entries.length > 0 && entries.every((entry) => entry !== '')) return [...new Set(entries)]
  throw badRequest(`${name} must be a list with commas, such as ${name}=${example}, or be left out for all.`)
}
