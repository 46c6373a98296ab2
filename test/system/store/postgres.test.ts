import pg from 'pg'
import { beforeAll } from 'vitest'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { describeStore } from '../../contract/store.ts'
import { postgresForTests } from '../../support/postgres/for-tests.ts'

const server = postgresForTests()
let url: string

beforeAll(async () => {
  url = await server().create()
})

async function run(statement: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}

describeStore('Postgres store', async ({ now }) => {
  await run('drop schema if exists bluepencil cascade')
  return {
    open: () => openPostgresStore(url, { now }),
    async openAfterCrash() {
      // As after its term: it gave no sign of life.
      await run("update bluepencil.sessions set seen = now() - interval '1 hour'")
      return openPostgresStore(url, { now })
    },
  }
})
