import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { figure } from '../../contract/figures.ts'
import { describeStore } from '../../contract/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'
import { databaseAt } from '../../support/postgres/server.ts'

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

test('figures are listed in the order of bytes in a database with the collation of a language, too', async () => {
  const name = `${new URL(url).pathname.slice(1)}_icu`
  await client.query(
    `create database ${name} template template0 encoding 'UTF8' locale_provider icu icu_locale 'en-US'`,
  )
  const store = await openPostgresStore(databaseAt(url, name))
  onTestFinished(async () => {
    await store.close()
    await client.query(`drop database ${name} with (force)`)
  })
  const models = ['Ab', 'a-b', 'aB', 'ab', 'z', 'é']
  const figures = models.toReversed().map((model) => figure({ model }))
  await store.figures.add({ figures, spans: [] })
  expect((await store.figures.series()).map(({ model }) => model)).toEqual(models)
})
