import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll } from 'vitest'
import * as z from 'zod'
import { doorOf } from './door.ts'
import { createIn, databaseAt, type PostgresServer, startPostgres } from './server.ts'

interface Databases {
  /** A database with all tables; on the server of `DATABASE_URL` without, and the first store that opens it makes them. Answers its address. */
  create(): Promise<string>
  createEmpty(): Promise<string>
}

/** Databases for the tests of a file or of a `describe`, on the one server of the run. Its settings are fast, not safe. */
export function postgresForTests(): () => Databases {
  return forTests(() => (isGiven() ? givenDatabases() : sharedDatabases()))
}

/** A server of their own, for tests that stop it. */
export function ownPostgresForTests(): () => PostgresServer {
  return forTests(() => startPostgres())
}

/** Whether the server is one of `DATABASE_URL`, whose settings a test does not change. */
export const isGiven = () => (process.env.DATABASE_URL ?? '') !== ''

const Answer = z.union([z.object({ url: z.string(), template: z.string() }), z.object({ error: z.string() })])

async function sharedDatabases(): Promise<Databases & { remove(): Promise<void> }> {
  const answer = Answer.parse(JSON.parse(await text(connect(doorOf(tmpdir())))))
  if ('error' in answer) throw new Error(`there is no Postgres: ${answer.error}`)
  const { url, template } = answer
  const address = (name: string) => databaseAt(url, name)
  return {
    create: () => createIn(address, url, template),
    createEmpty: () => createIn(address, url),
    // The run ends the server.
    async remove() {},
  }
}

async function givenDatabases(): Promise<Databases & { remove(): Promise<void> }> {
  const server = await startPostgres()
  return { create: server.create, createEmpty: server.create, remove: server.remove }
}

function forTests<Server extends { remove(): Promise<void> }>(open: () => Promise<Server>): () => Server {
  let server: Server | undefined
  beforeAll(async () => {
    server = await open()
  }, 120_000)
  afterAll(() => server?.remove())
  return () => {
    if (server === undefined) throw new Error('there is no server before the first test')
    return server
  }
}
