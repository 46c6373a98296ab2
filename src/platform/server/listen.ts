import type { AddressInfo } from 'node:net'
import type { Express } from 'express'
import type { Clock } from '../clock.ts'
import { classesOf } from './application.ts'
import { createPatientServer } from './limits.ts'

export interface Listening {
  readonly port: number
  /** Takes no new connections, and ends when the requests under way are answered, or cut off after a moment. */
  close(): Promise<void>
}

/** At the end, what is still being sent to us gets so many milliseconds. */
const closeMs = 2_000

/** Rejects with a sentence where it cannot listen. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
}

/** Serves an application on a TCP port; 0 is any that is free. `setting`: the key of the configuration that names it. */
export async function listen(
  application: Express,
  {
    host,
    port,
    clock,
    setting = 'server.port',
  }: { host: string; port: number; clock: Clock; setting?: string },
): Promise<Listening> {
  const server = createPatientServer(application, classesOf(application))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `cannot listen on ${host} port ${port}: ${cause.message}; set ${setting}`
      reject(new CannotListen(message, { cause }))
    })
    server.listen(port, host, resolve)
  })
  return {
    port: portOf(server.address()),
    async close() {
      const closed = new AbortController()
      const cutOff = clock.sleep(closeMs, closed.signal).then(() => server.closeAllConnections())
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
      closed.abort()
      await cutOff
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}
