import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Express } from 'express'
import type { Clock } from '../clock.ts'
import { classesOf, createServer } from './http.ts'

export interface Listening {
  readonly port: number
  /** Takes no new connections, and ends when the requests under way are answered, or cut off after a moment. */
  close(): Promise<void>
}

/** At the end, what is still being sent to us gets so many milliseconds. */
const closeMs = 2_000

/** Rejects with a sentence if it cannot listen. */
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

/** What one request may cost. */
const patience = {
  /** Headers come in one packet or two; a connection that says nothing is held to this too. Milliseconds. */
  headersTimeout: 10_000,
  /** For the whole request, on every route. A delivery's body has 10 s and the rest of it is thrown away for 5 s. */
  requestTimeout: 20_000,
  /** How often connections are held to the two times above, in milliseconds; Node does it every 30 s. */
  connectionsCheckingInterval: 1_000,
  /** Longer than a proxy keeps its idle connections (nginx: 60 s). We must not close one while a delivery comes in. */
  keepAliveTimeout: 65_000,
  /** A delivery has some 500 bytes of headers; a proxy in front may add as much again. */
  maxHeaderSize: 16 * 1024,
} satisfies ServerOptions

/**
 * With a body of 256 KiB begun on each, a quarter of a gigabyte; and far below the number of open files that
 * any system allows, since a store that can open none takes nothing.
 */
const mostConnections = 1_000

/**
 * Requests that one connection may send ahead of their answers. The answers wait in memory until they are read, and
 * those of /metrics are 10 kB for 40 bytes. Senders of deliveries send none ahead.
 */
const mostAhead = 64

/**
 * A server with limits. If there are too many connections, it closes the one without a new request for the longest time.
 * Refusing the newest instead would let an attacker keep deliveries out by holding the others open. A real delivery takes
 * milliseconds, so it is never the oldest.
 */
export function createPatientServer(
  answer: RequestListener,
  classes: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>,
): Server {
  /** Requests without an answer, by connection; the connection on which something began last comes last. */
  const open = new Map<Socket, number>()

  function touch(socket: Socket, ahead: number): void {
    open.delete(socket)
    open.set(socket, ahead)
  }

  const server = createServer({ ...patience, ...classes }, (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const ahead = (open.get(socket) ?? 0) + 1
    if (ahead > mostAhead) return void socket.destroy()
    touch(socket, ahead)
    response.once('close', () => {
      if (open.has(socket)) open.set(socket, (open.get(socket) ?? 1) - 1)
    })
    answer(request, response)
  })
  server.on('connection', (socket: Socket) => {
    touch(socket, 0)
    socket.once('close', () => open.delete(socket))
    const [oldest] = open.keys()
    if (open.size > mostConnections) oldest?.destroy()
  })
  return server
}
