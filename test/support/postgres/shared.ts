import pg from 'pg'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import { type PostgresServer, startPostgres } from './server.ts'

/** The server that the test files of a run share. */
export interface SharedServer extends Pick<PostgresServer, 'pid' | 'remove'> {
  /** Of a database that is there, and the name of the one that others are copied from. */
  address: { url: string; template: string }
}

/** Its data need not outlive a crash: what a commit writes waits for no disk. */
const settings = { synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

export async function startShared(): Promise<SharedServer> {
  const server = await startPostgres(settings)
  const template = await makeTemplate(server)
  return { pid: server.pid, remove: server.remove, address: { url: server.url('postgres'), template } }
}

/** A database with all tables. Nobody can connect to it: Postgres does not copy a database that is in use. */
async function makeTemplate(server: PostgresServer): Promise<string> {
  const url = await server.create()
  const store = await openPostgresStore(url)
  await store.close()
  const name = new URL(url).pathname.slice(1)
  const client = new pg.Client(server.url('postgres'))
  await client.connect()
  await client.query(`alter database ${name} with allow_connections false`)
  await client.end()
  return name
}
