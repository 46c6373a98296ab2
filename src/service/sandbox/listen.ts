import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'

/** The sandbox cannot listen where it was told to; the message is one sentence that says what to do. */
export class SandboxCannotListen extends Error {
  override readonly name = 'SandboxCannotListen'
}

/** Resolves when connections are taken. Throws `SandboxCannotListen`. */
export async function listen(app: RequestListener, port: number, host: string): Promise<Server> {
  const server = createServer(app)
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw new SandboxCannotListen(sentence(error, port, host), { cause: error })
  }
  return server
}

/** `http://host:port` as this machine can reach it. */
export function originOf(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** The port that was given, or that the system chose for 0. */
export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no port.')
  return address.port
}

function sentence(error: unknown, port: number, host: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; choose another, or 0 for any that is free.`
    case 'EACCES':
      return `Port ${port} on ${host} may not be opened by this user; choose one above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine; 127.0.0.1 always is.`
    case 'ERR_SOCKET_BAD_PORT':
      return `${port} is not a port; choose one from 1 to 65535, or 0 for any that is free.`
    default:
      return `The sandbox cannot listen on ${host}, port ${port}: ${error instanceof Error ? error.message : String(error)}.`
  }
}
