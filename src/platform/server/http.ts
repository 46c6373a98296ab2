import type * as http from 'node:http'
import type { IncomingMessage as Incoming, ServerOptions } from 'node:http'
import type { Express, Response } from 'express'

// Nothing here loads Express: commands need no server.

/**
 * Node's own `node:http`, without the cost of an `import`. That reads every export once, among them WebSocket. For WebSocket
 * Node loads undici and HTTP/2: about five megabytes at rest that a server here never uses.
 */
export const { createServer, request }: typeof http = process.getBuiltinModule('node:http')
const { IncomingMessage, ServerResponse }: typeof http = process.getBuiltinModule('node:http')

/**
 * What a server must make its requests and responses of, so that they have from the start the prototypes which the
 * application sets. If it has to change them, every use of a request or response is slower.
 */
export function classesOf(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends Incoming> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request)
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response)
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}

/** Work for an answer that ends when nobody waits for the answer any more; undefined then. Rejects as the work does. */
export async function whileItIsOpen<T>(
  response: Response,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const left = new AbortController()
  const leave = () => left.abort()
  response.once('close', leave)
  try {
    return await work(left.signal)
  } catch (error) {
    if (left.signal.aborted) return undefined
    throw error
  } finally {
    response.off('close', leave)
  }
}
