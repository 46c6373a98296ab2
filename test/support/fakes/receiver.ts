import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { buffer } from 'node:stream/consumers'

/** What a receiver got: the very bytes, and the headers that it verifies them by. */
export interface Received {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
}

export type ReceiverAnswer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  /** Takes it in, and says nothing; or breaks the connection; or begins a success that does not end. */
  | 'hang'
  | 'cut'
  | 'endless'

export interface Receiver {
  origin: string
  received: Received[]
  /** What came, parsed. */
  bodies(): Record<string, unknown>[]
  /** The next answers; 204 when there are none left. */
  answer(...next: ReceiverAnswer[]): void
  /** How many connections were made, also such as said nothing. */
  connections(): number
  close(): Promise<void>
}

/** Somebody's own program that takes webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const script: ReceiverAnswer[] = []
  let connections = 0
  const server = createServer((request, response) => {
    buffer(request).then(
      (raw) => {
        received.push({ path: request.url ?? '', headers: request.headers, raw })
        const next = script.shift() ?? { status: 204 }
        if (next === 'hang') return
        if (next === 'cut') return void request.socket.destroy()
        if (next === 'endless') return void response.writeHead(200).write('and so on')
        response.writeHead(next.status, next.headers).end(next.body)
      },
      () => response.destroy(),
    )
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    received,
    bodies: () => received.map(({ raw }) => JSON.parse(raw.toString('utf8'))),
    answer: (...next) => void script.push(...next),
    connections: () => connections,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
