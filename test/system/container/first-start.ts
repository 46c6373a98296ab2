import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** An installation that starts with nothing. */
export interface FirstStart {
  /** What it shows at first, with the address to open. */
  announcement(): Promise<string>
  log(): string
  stop(): Promise<void>
}

/** As docs/run.md says, with as much memory. The network is the host's, so that the container reaches doubles on loopback. */
export function startContainer(image: string): FirstStart {
  const name = `first-alert-${process.pid}`
  const strict = [
    '--read-only',
    '--tmpfs',
    '/tmp',
    '--cap-drop',
    'ALL',
    '--security-opt',
    'no-new-privileges',
  ]
  const options = ['--init', ...strict, '--memory', '200m', '--network', 'host', '--volume', `${name}:/data`]
  const podman = (...args: string[]) => execFileSync('podman', args, { stdio: 'ignore' })
  return startIn(process.cwd(), ['podman', 'run', '--rm', '--name', name, ...options, image], {
    end: () => podman('stop', '--time', '10', name),
    cleanUp: () => podman('volume', 'rm', '--force', name),
  })
}

/** `folder` has what `npm install` of the package made, and nothing else. */
export function startPackage(folder: string): FirstStart {
  // A group of its own: npx does not pass on signals.
  return startIn(folder, ['npx', 'bluepencil', 'serve'], { end: (pid) => process.kill(-pid, 'SIGTERM') })
}

interface Ending {
  end(pid: number): void
  cleanUp?(): void
}

function startIn(cwd: string, [command = '', ...args]: string[], { end, cleanUp }: Ending): FirstStart {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let [shown, log] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  return {
    async announcement() {
      await until('the address', () => /setup#\S+/.test(shown) || child.exitCode !== null)
      if (child.exitCode !== null) throw new Error(log)
      return shown
    },
    log: () => log,
    async stop() {
      if (child.exitCode === null && child.pid !== undefined) end(child.pid)
      await ended
      cleanUp?.()
    },
  }
}

/** Waits at most half a minute. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  const end = performance.now() + 30_000
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`waited half a minute for ${what}`)
    await delay(100)
  }
}
