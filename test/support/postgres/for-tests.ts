import { afterAll, beforeAll } from 'vitest'
import { type PostgresServer, startPostgres } from './server.ts'

/** One server for the tests of a file or of a `describe`: it is there before the first of them, and gone after the last. */
export function postgresForTests(): () => PostgresServer {
  let server: PostgresServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  }, 120_000)
  afterAll(() => server?.remove())
  return () => {
    if (server === undefined) throw new Error('there is no server before the first test')
    return server
  }
}
