import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { SharedServer } from './shared.ts'

/** Where the test files of a run ask for its server of Postgres: a socket in the run's folder. */
export function doorOf(folder: string): string {
  return join(folder, 'postgres')
}

/**
 * Starts one server for all test files of a run when the first file asks for it. Each file gets the same address, or the reason why there is
 * none. To start a server takes longer than most files that need one.
 */
export function offerPostgres(folder: string): { end(): Promise<void>; kill(): void } {
  let server: Promise<SharedServer> | undefined
  let pid: number | undefined

  async function start(): Promise<SharedServer> {
    // Only now: a run without Postgres does not load its client.
    const { startShared } = await import('./shared.ts')
    const started = await startShared()
    pid = started.pid()
    return started
  }

  async function answer(asking: Socket): Promise<void> {
    server ??= start()
    const reply = await server.then(
      ({ address }) => address,
      (error: unknown) => ({ error: String(error) }),
    )
    asking.end(JSON.stringify(reply))
  }

  const door = createServer((asking) => {
    asking.on('error', () => undefined)
    void answer(asking)
  })
  door.listen(doorOf(folder)).unref()

  return {
    async end() {
      door.close()
      const started = await server?.catch(() => undefined)
      await started?.remove()
    },
    /** For a process that exits now. */
    kill() {
      if (pid === undefined) return
      try {
        process.kill(pid, 'SIGQUIT')
      } catch {
        // It has ended.
      }
    },
  }
}
