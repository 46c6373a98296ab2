import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export type Manner = 200 | 400 | 401 | 403 | 404 | 429 | 500 | 503 | 'page' | 'cut' | 'redirect'

/** An HTTP server that fails and echoes the whole request in every field that may hold an error. */
export interface Echo {
  origin: string
  /** Paths that were asked for. */
  asked: string[]
  close(): Promise<void>
}

/** `manner` of a path; a 200 is Slack's way to say no. */
export async function startEcho(manner: (path: string) => Manner): Promise<Echo> {
  const paths: string[] = []
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request
    const body = await text(request)
    paths.push(url)
    const echoed = `${method} ${url} ${JSON.stringify(headers)} ${decoded(body)}`
    const line = echoed.replace(/[^ -~]/g, ' ')
    const how = manner(url)
    if (how === 'cut') return void request.socket.destroy()
    const status = how === 'page' ? 200 : how === 'redirect' ? 302 : how
    const page = `<html><title>${echoed}</title></html>`
    const json = {
      ok: false,
      error: url.includes('/v1/') ? { code: line, message: line, retry_after: 1 } : line,
      error_description: line,
      needed: line,
      message: line,
      code: 0,
      retry_after: 0.5,
      errors: { content: { _errors: [{ code: line, message: line }] } },
      response_metadata: { messages: [line] },
    }
    response.writeHead(status, {
      'content-type': how === 'page' ? 'text/html' : 'application/json',
      'x-echo': line,
      'www-authenticate': line,
      ...(how === 'redirect' ? { location: `/moved?${encodeURIComponent(line)}` } : {}),
    })
    response.end(how === 'page' ? page : JSON.stringify(json))
  }
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    asked: paths,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function decoded(body: string): string {
  try {
    return decodeURIComponent(body)
  } catch {
    return body
  }
}
