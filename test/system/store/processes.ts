import pg from 'pg'
import { afterEach, beforeEach } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { Store } from '../../../src/store/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

/** Aborts never. */
export const never = new AbortController().signal

/** Stores as several processes open them, on a database that each test of the file has for itself. */
export function openProcesses() {
  const server = postgresForTests()
  let url: string
  let opened: Store[]

  beforeEach(async () => {
    url = await server().create()
    opened = []
  })
  afterEach(() => Promise.all(opened.map((one) => one.close())))

  return {
    /** The processes of this test come to a database without tables. */
    async empty(): Promise<void> {
      url = await server().createEmpty()
    },
    /** `termMs`: after so many milliseconds of silence its process has ended; usually as in `serve`. */
    async open(termMs?: number): Promise<Store> {
      const store = await openPostgresStore(url, { termMs })
      opened.push(store)
      return store
    },
    async ask<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
      const client = new pg.Client(url)
      await client.connect()
      try {
        return (await client.query<Row>(statement)).rows
      } finally {
        await client.end()
      }
    },
  }
}
