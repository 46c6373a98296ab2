import * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'

type ListDialect = Pick<ServiceDialect, 'list-shape' | 'pages'>

/** Where a list stands among its pages. Numbers count from 1. */
export interface PagePosition {
  number: number
  pages: number
  perPage: number
  /** Entries of all pages. */
  total: number
  /** Stands for the next page; null on the last. */
  nextCursor: string | null
}

const Cursor = z.strictObject({ next_cursor: z.string().nullable(), has_more: z.boolean() })
const PageNumber = z.strictObject({
  page: z.int(),
  per_page: z.int(),
  total: z.int(),
  total_pages: z.int(),
})

/** The form of a list. What is said of its pages stands under `meta`, beside the list, or under `pagination`. */
export function listSchema(entry: z.ZodType, { 'list-shape': shape, pages }: ListDialect): z.ZodType {
  const list = z.array(entry)
  const about = pages === 'cursor' ? Cursor : pages === 'number' ? PageNumber : undefined
  switch (shape) {
    case 'bare':
      return list
    case 'data':
      return z.strictObject({ data: list, ...(about !== undefined && { meta: about }) })
    case 'items':
      return z.strictObject({ items: list, ...about?.shape })
    case 'results':
      return z.strictObject({ results: list, ...(about !== undefined && { pagination: about }) })
  }
}

/** A list in the form of `listSchema`. */
export function writeList(
  entries: readonly unknown[],
  page: PagePosition,
  { 'list-shape': shape, pages }: ListDialect,
): unknown {
  const about = pages === 'cursor' ? cursorOf(page) : pages === 'number' ? numbersOf(page) : undefined
  switch (shape) {
    case 'bare':
      return entries
    case 'data':
      return { data: entries, ...(about !== undefined && { meta: about }) }
    case 'items':
      return { items: entries, ...about }
    case 'results':
      return { results: entries, ...(about !== undefined && { pagination: about }) }
  }
}

function cursorOf({ nextCursor }: PagePosition): z.infer<typeof Cursor> {
  return { next_cursor: nextCursor, has_more: nextCursor !== null }
}

function numbersOf({ number, perPage, total, pages }: PagePosition): z.infer<typeof PageNumber> {
  return { page: number, per_page: perPage, total, total_pages: pages }
}
