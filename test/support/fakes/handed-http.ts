import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Writable } from 'node:stream'
import type { Environment } from '../../../src/app/environment.ts'

export interface Handed {
  status: number
  body: string
}

/** HTTP without a socket: what the application listens for is handed to it, in this process, in the order of the calls. */
export function handedHttp() {
  const applications = new Map<number, Parameters<Environment['listen']>[0]>()
  let ports = 1

  const listen: Environment['listen'] = async (application, at) => {
    const port = at.port === 0 ? ports++ : at.port
    if (applications.has(port)) throw new Error(`port ${port} is taken`)
    applications.set(port, application)
    return { port, close: async () => void applications.delete(port) }
  }

  function ask(
    port: number,
    asked: { method: string; url: string; headers?: Record<string, string>; body?: string },
  ): Promise<Handed> {
    const application = applications.get(port)
    if (application === undefined) return Promise.reject(new Error(`nobody listens on port ${port}`))
    const body = Buffer.from(asked.body ?? '')
    const request = new IncomingMessage(new Socket())
    Object.assign(request, { method: asked.method, url: asked.url, httpVersion: '1.1' })
    request.headers = { host: 'localhost', 'content-length': String(body.length), ...asked.headers }
    const response = new ServerResponse(request)
    const written: Buffer[] = []
    const wire = new Writable({
      write(chunk: Buffer, _encoding, done) {
        written.push(chunk)
        done()
      },
    })
    // It is written to like a socket; nothing else of one is used.
    response.assignSocket(Object.assign(new Socket(), { write: wire.write.bind(wire) }))
    return new Promise((resolve) => {
      response.once('finish', () => {
        const text = Buffer.concat(written).toString()
        resolve({ status: response.statusCode, body: text.slice(text.indexOf('\r\n\r\n') + 4) })
      })
      application(request, response)
      request.push(body)
      request.push(null)
      request.complete = true
    })
  }

  return { listen, ask, listening: () => applications.size }
}
