import { badRequest } from './errors.ts'

type Query = Record<string, unknown>

/** One of the allowed values; the fallback where it is left out. Throws a 400 that names them. */
export function choice<T extends string>(query: Query, name: string, allowed: readonly T[], fallback: T): T {
  const given = query[name]
  if (given === undefined) return fallback
  const chosen = allowed.find((value) => value === given)
  if (chosen !== undefined) return chosen
  throw badRequest(`${name} must be one of ${allowed.join(', ')}.`)
}

/** The entries of a comma-separated list, each once; undefined where it is left out. Throws a 400 for an empty one. */
export function commaList(query: Query, name: string, example: string): string[] | undefined {
  const given = query[name]
  if (given === undefined) return undefined
  const entries = typeof given === 'string' ? given.split(',').map((entry) => entry.trim()) : []
  if (entries.length > 0 && entries.every((entry) => entry !== '')) return [...new Set(entries)]
  throw badRequest(`${name} must be a list with commas, such as ${name}=${example}, or be left out for all.`)
}
