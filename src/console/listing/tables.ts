import type { DatabaseSync } from 'node:sqlite'
import { type FailedRow, failedRows, type ListFilter, type ListPage, listPage } from './query.ts'
import { createWriting, type Writing } from './writing.ts'

/** All that is done with the file of lists, in one call each. */
export interface Tables extends Writing {
  page(filter: ListFilter, at: { limit: number; before?: number | undefined }): ListPage
  failed(limit: number): FailedRow[]
}

/** The same, asked of another thread. */
export type Asked = {
  [Name in keyof Tables]: (...given: Parameters<Tables[Name]>) => Promise<ReturnType<Tables[Name]>>
}

/** What is asked; the answer has the same number. */
export type Question = {
  [Name in keyof Tables]: { number: number; name: Name; given: Parameters<Tables[Name]> }
}[keyof Tables]

/** `isAnew`: the file was damaged; another has been begun, and it is empty. */
export type Answer = { number: number; answer: unknown } | { number: number; error: Error; isAnew: boolean }

export function tablesOf(database: DatabaseSync): Tables {
  return {
    ...createWriting(database),
    page: (filter, at) => listPage(database, filter, at),
    failed: (limit) => failedRows(database, limit),
  }
}
