import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  /** `http://127.0.0.1:PORT` */
  origin: string
  close(): void
}

/** Stands before equal processes and gives each request to the next of them; one that does not answer is passed over. */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  let turns = 0

  async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  /** `left`: how many may still be tried. */
  function pass(incoming: IncomingMessage, body: Buffer, answer: ServerResponse, left: number): void {
    turns += 1
    const { method, headers, url = '/' } = incoming
    const passedOn = request(
      new URL(url, origins[turns % origins.length]),
      { method, headers, agent: false },
      (got) => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    passedOn.on('error', () => {
      if (answer.headersSent) answer.destroy()
      else if (left > 1) pass(incoming, body, answer, left - 1)
      else answer.writeHead(502).end()
    })
    passedOn.end(body)
  }

  const server = createServer((incoming, answer) => {
    bodyOf(incoming).then(
      (body) => pass(incoming, body, answer, origins.length),
      () => answer.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
