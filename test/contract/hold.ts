import { subscribe } from 'node:diagnostics_channel'
import { IncomingMessage, Server, ServerResponse } from 'node:http'
import { afterAll, afterEach } from 'vitest'
import { deliveryBegun, sandboxStarted } from '../../src/sandbox/announcements.ts'
import type { Delivery, Exchange } from './judge.ts'

// Vitest loads this beside each test file. Whatever a sandbox in its process answers or delivers is held against the
// contract of its dialect, and a breach fails the test in which it fell. The judge is loaded for what was said: most
// files start no sandbox.

const dialects = new WeakMap<Server, unknown>()
const answers: Exchange[] = []
const deliveries: Delivery[] = []

sandboxStarted.subscribe((message) => {
  if (!isObject(message) || !(message.server instanceof Server)) throw new TypeError('Not a sandbox.')
  dialects.set(message.server, message.dialect)
})

deliveryBegun.subscribe((message) => {
  if (!isObject(message) || !Buffer.isBuffer(message.body)) throw new TypeError('Not a delivery.')
  deliveries.push({ dialect: message.dialect, headers: { ...Object(message.headers) }, body: message.body })
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
    answers.push({ dialect, method, path, status, headers: response.getHeaders(), body: body() })
  })
})

afterEach(judge)
afterAll(judge)

async function judge(): Promise<void> {
  if (answers.length === 0 && deliveries.length === 0) return
  const { breachesInAnswer, breachesInDelivery } = await import('./judge.ts')
  const breaches = [
    ...answers.splice(0).flatMap(breachesInAnswer),
    ...deliveries.splice(0).flatMap(breachesInDelivery),
  ]
  if (breaches.length === 0) return
  throw new Error(`The sandbox broke its contract (docs/contracts/):\n${[...new Set(breaches)].join('\n')}`)
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
