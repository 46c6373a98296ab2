import * as z from 'zod'
import { Unintelligible } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { type ListCall, pages } from '../http/pages.ts'
import { place } from '../http/request.ts'
import { listNames } from '../names.ts'
import { type Fields, isFields, pick } from './fields.ts'

/** A list that is read page after page, while it is gone through. Once only: going through it again asks again. */
export interface Records<T> extends AsyncIterable<T> {
  /** Records that were there so far and could not be read. */
  readonly unread: number
}

/** Throws `Unintelligible` at the end, where there were records and none could be read. */
export function records<T>(
  connection: ServiceConnection,
  listing: ListCall,
  read: (record: unknown) => T | undefined,
): Records<T> {
  let unread = 0
  async function* go(): AsyncGenerator<T, void, undefined> {
    let all = 0
    unread = 0
    for await (const record of pages(connection, listing, z.unknown())) {
      const one = read(record)
      all += 1
      if (one === undefined) unread += 1
      else yield one
    }
    if (unread === 0 || unread < all) return
    const { asked } = place(connection.baseUrl, { method: 'GET', path: listing.path })
    throw new Unintelligible(`${asked} answered with ${all} ${listing.of}, and none of them has an id.`)
  }
  return {
    get unread() {
      return unread
    },
    [Symbol.asyncIterator]: go,
  }
}

/** An object's own fields, and those of the objects in it that hold a record's fields in nested forms. */
export function recordPlaces(record: unknown): Fields[] {
  if (!isFields(record)) return []
  const inner = listNames.recordPlaces.map((name) => pick(record, [name]))
  return [record, ...inner.filter(isFields)]
}
