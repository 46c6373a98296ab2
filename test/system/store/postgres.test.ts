import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { describeStore } from '../../contract/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

const server = postgresForTests()
let url: string
let client: pg.Client
let empty: string

beforeAll(async () => {
  url = await server().create()
  await (await openPostgresStore(url)).close()
  client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    "select format('bluepencil.%I', tablename) as name from pg_tables where schemaname = 'bluepencil' and tablename <> 'migrations'",
  )
  // To make the tables again takes ten times as long.
  empty = `truncate ${rows.map(({ name }) => name).join()} restart identity; insert into bluepencil.clock default values`
})
afterAll(() => client?.end())

describeStore('Postgres store', async ({ now }) => {
  await client.query(empty)
  return {
    open: () => openPostgresStore(url, { now }),
    async openAfterCrash() {
      // As after its term: it gave no sign of life.
      await client.query("update bluepencil.sessions set seen = now() - interval '1 hour'")
      return openPostgresStore(url, { now })
    },
  }
})
