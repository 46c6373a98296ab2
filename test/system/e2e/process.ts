import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The program as a process of its own, as an operator runs it. */
export interface Running {
  pid: number
  stdout(): string
  stderr(): string
  /** Log lines, parsed. */
  log(): Record<string, unknown>[]
  kill(signal?: NodeJS.Signals): void
  /** The exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>
}

interface StartOptions {
  cwd?: string
  env?: Record<string, string>
  /** A command that runs the program in its own place: `prlimit`, `setpriv`. */
  through?: readonly string[]
}

const alive = new Set<ChildProcess>()

/** For NODE_OPTIONS of a test that sends many alerts and looks at what becomes of each. */
export const eachAlone = `--import=${new URL('../../support/fakes/each-alone.ts', import.meta.url).href}`

export function start(args: readonly string[], options: StartOptions = {}): Running {
  const program = [process.execPath, new URL('../../../src/main.js', import.meta.url).pathname]
  const [command = '', ...rest] = [...(options.through ?? []), ...program, ...args]
  const child = spawn(command, rest, {
    cwd: options.cwd,
    env: { ...process.env, NO_COLOR: '1', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  alive.add(child)
  let out = ''
  let err = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = once(child, 'close').then(([code, signal]) => {
    alive.delete(child)
    return code ?? signal
  })
  return {
    pid: child.pid ?? 0,
    stdout: () => out,
    stderr: () => err,
    log: () =>
      err
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line)),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    ended,
  }
}

/** Runs a command to its end. */
export async function run(args: readonly string[], options: StartOptions = {}) {
  const child = start(args, options)
  const code = await child.ended
  return { code, stdout: child.stdout(), stderr: child.stderr() }
}

/** Ends all processes that a failed test left behind. */
export function endAll(): void {
  for (const child of alive) child.kill('SIGKILL')
}
