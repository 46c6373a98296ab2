import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as z from 'zod'
import { openConnection } from './connection.ts'
import { type Job, Load } from './job.ts'

/** A server under test, in a process of its own. */
export interface Child {
  port: number
  /** From the start of the process to its own word that it is ready, milliseconds. */
  readyMs: number
  /** Resident memory now, in MiB. */
  mebibytes(): number
  /** Processor time that it has used, in milliseconds: of all its threads, and of the one that accepts. */
  usedMs(): { all: number; main: number }
  stop(): Promise<void>
}

/** The program, as an operator starts it. */
export const main = new URL('../src/main.js', import.meta.url).pathname

const running = new Set<ChildProcess>()
const patienceMs = 30_000
let logs = 0

/** A program of ours that logs `ready` with its port. Its log goes to a file in the folder, as a service's does. */
export async function startOurs(
  folder: string,
  script: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Child> {
  const logFile = join(folder, `log-${logs++}`)
  const startedAt = Date.now()
  const child = startChild(process.execPath, [script, ...args], logFile, env)
  const Ready = z.object({ message: z.literal('ready'), port: z.int(), time: z.iso.datetime() })
  const ready = await until(`${script} is ready`, () => {
    ensureAlive(child, logFile)
    const lines = readFileSync(logFile, 'utf8').split('\n').slice(0, -1)
    return lines.map((line) => Ready.safeParse(parsed(line)).data).find((line) => line !== undefined)
  })
  return handle(child, logFile, ready.port, Date.parse(ready.time) - startedAt)
}

/** Another's program, which is ready when its port takes a connection. */
export async function startTheirs(
  folder: string,
  command: string,
  args: readonly string[],
  port: number,
): Promise<Child> {
  const logFile = join(folder, `log-${logs++}`)
  const startedAt = Date.now()
  const child = startChild(command, args, logFile)
  await until(`${command} listens`, async () => {
    ensureAlive(child, logFile)
    const connection = await openConnection(port).catch(() => undefined)
    connection?.close()
    return connection
  })
  return handle(child, logFile, port, Date.now() - startedAt)
}

/** Runs the generator to its end. */
export async function generate(job: Job): Promise<Load> {
  const script = new URL('./load.ts', import.meta.url).pathname
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(job)])
  return Load.parse(JSON.parse(stdout))
}

/** Ends all processes that an error left behind. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

function startChild(
  command: string,
  args: readonly string[],
  logFile: string,
  env: Record<string, string> = {},
): ChildProcess {
  const log = openSync(logFile, 'w')
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', log], env: { ...process.env, ...env } })
  closeSync(log)
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

function handle(child: ChildProcess, logFile: string, port: number, readyMs: number): Child {
  return {
    port,
    readyMs,
    mebibytes() {
      const [, kibibytes] =
        /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
      return Number(kibibytes) / 1024
    },
    usedMs: () => ({
      all: ticksOf(`/proc/${child.pid}/stat`) * tickMs,
      main: ticksOf(`/proc/${child.pid}/task/${child.pid}/stat`) * tickMs,
    }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(logFile)
    },
  }
}

const tickMs = 10

/** Of user and system, behind the name of the program, which may hold anything: proc_pid_stat(5). */
function ticksOf(file: string): number {
  const [, , , , , , , , , , , user, system] = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return Number(user) + Number(system)
}

function ensureAlive(child: ChildProcess, logFile: string): void {
  if (child.exitCode === null && child.signalCode === null) return
  throw new Error(`${child.spawnfile} ended: ${readFileSync(logFile, 'utf8').slice(-2000)}`)
}

async function until<T>(what: string, look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    const result = await look()
    if (result !== undefined) return result
    if (Date.now() > end) throw new Error(`it took too long until ${what}`)
    await delay(5)
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
