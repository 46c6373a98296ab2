import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { deliveryBegun, sandboxStarted } from '../../src/service/sandbox/announcements.ts'
import type { Delivery, Exchange } from './judge.ts'

/** Tells of each answer and delivery of every sandbox in this process from now on. */
export function overhear(tell: (said: Exchange | Delivery) => void): void {
  const dialects = new WeakMap<Server, unknown>()

  sandboxStarted.subscribe((message) => {
    if (!isObject(message) || !(message.server instanceof Server)) throw new TypeError('Not a sandbox.')
    dialects.set(message.server, message.dialect)
  })

  deliveryBegun.subscribe((message) => {
    if (!isObject(message) || !Buffer.isBuffer(message.body)) throw new TypeError('Not a delivery.')
    tell({ dialect: message.dialect, headers: { ...Object(message.headers) }, body: message.body })
  })

  subscribe('http.server.request.start', (message) => {
    if (!isObject(message) || !(message.server instanceof Server)) return
    const dialect = dialects.get(message.server)
    const { request, response } = message
    if (dialect === undefined) return
    if (!(request instanceof IncomingMessage) || !(response instanceof ServerResponse)) return
    const { method = '', url: path = '' } = request
    const body = written(response)
    response.on('finish', () => {
      const { statusCode: status } = response
      tell({ dialect, method, path, status, headers: response.getHeaders(), body: body() })
    })
  })
}

/** All that is written to the response from now on. */
function written(response: ServerResponse): () => Buffer {
  const chunks: Buffer[] = []
  response.write = keeping(response.write, chunks)
  response.end = keeping(response.end, chunks)
  return () => Buffer.concat(chunks)
}

function keeping<Write extends (...args: never[]) => unknown>(write: Write, chunks: Buffer[]): Write {
  return new Proxy(write, {
    apply(target, self, args: unknown[]) {
      const [chunk] = args
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk))
      return Reflect.apply(target, self, args)
    },
  })
}

function isObject(value: unknown): value is Partial<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
