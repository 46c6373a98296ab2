import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

interface Receiver {
  url: string
  received: Received[]
  /** Resolves when so many requests have arrived in all. */
  until(count: number): Promise<void>
}

/** Accepts deliveries and answers each with the scripted status; 204 by default. Ends with the test. */
export async function startReceiver(
  answer: (response: ServerResponse, count: number) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  const progress = waiters(() => received.length)
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
      answer(response, received.length)
      progress.changed()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/webhook`, received, until: progress.until }
}

/** Lets a test wait until a count is reached, without asking over and over. */
export function waiters(count: () => number) {
  const waiting = new Set<{ least: number; resolve: () => void }>()
  return {
    changed() {
      for (const waiter of waiting) {
        if (count() < waiter.least) continue
        waiting.delete(waiter)
        waiter.resolve()
      }
    },
    until(least: number): Promise<void> {
      if (count() >= least) return Promise.resolve()
      return new Promise((resolve) => waiting.add({ least, resolve }))
    },
  }
}
