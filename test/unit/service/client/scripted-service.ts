import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Subscription {
  id: string
  url: string
  events: string[]
  models: string[]
  secret: string
  status: string
}

interface Received {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: string
}

/** Answers in place of the service; `undefined` leaves the answer to it. */
export type Script = (
  received: Received,
  response: ServerResponse,
) => Promise<'answered' | undefined> | 'answered' | undefined

export interface ScriptedService {
  baseUrl: string
  origin: string
  subscriptions: Map<string, Subscription>
  /** Every request, in order. */
  received: Received[]
  /** "GET /webhooks", … */
  asked(): string[]
  script: Script
  /** From now on every answer is 200 with this. */
  answerWith(body: unknown): void
  /** How the list and each subscription are written. */
  writeList: (subscriptions: object[]) => unknown
  writeOne: (subscription: Subscription, at: 'create' | 'list' | 'get') => object
  /** Another subscription, made by somebody else. */
  add(subscription: Partial<Subscription>): Subscription
  secretOf(id: string): string | undefined
  close(): Promise<void>
}

/** The webhooks part of the service, as the interface describes it, with every answer open to a script. */
export async function startScriptedService(): Promise<ScriptedService> {
  let made = 0
  const secrets = new Map<string, string>()
  const server = createServer((request, response) => void handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A boundary: an http server that listens on a port has an address of this form.
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const service: ScriptedService = {
    baseUrl: `${origin}/v1`,
    origin,
    subscriptions: new Map(),
    received: [],
    asked: () => service.received.map(({ method, path }) => `${method} ${path.replace('/v1', '')}`),
    script: () => undefined,
    answerWith(body) {
      service.script = (_, response) => {
        json(response, 200, body)
        return 'answered'
      }
    },
    writeList: (subscriptions) => subscriptions,
    writeOne: ({ secret, ...rest }, at) => (at === 'create' ? { ...rest, secret } : rest),
    add(partial) {
      made += 1
      const secret = `whsec_${made}qwertyuiopasdfghjkl`
      const url = 'https://desk.example/webhook'
      const whole = { id: `wh_${made}`, url, events: [], models: [], secret, status: 'active', ...partial }
      service.subscriptions.set(whole.id, whole)
      secrets.set(whole.id, whole.secret)
      return whole
    },
    secretOf: (id) => secrets.get(id),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await text(request) }
    service.received.push(received)
    if ((await service.script(received, response)) === 'answered') return
    const id = /^\/v1\/webhooks\/(.+)$/.exec(path)?.[1] ?? ''
    const subscription = service.subscriptions.get(id)
    if (method === 'POST' && path === '/v1/webhooks') {
      return json(response, 201, service.writeOne(service.add(JSON.parse(received.body)), 'create'))
    }
    if (method === 'GET' && path === '/v1/webhooks') {
      const list = [...service.subscriptions.values()].map((each) => service.writeOne(each, 'list'))
      return json(response, 200, service.writeList(list))
    }
    if (subscription === undefined)
      return json(response, 404, { error: { code: 'NOT_FOUND', message: 'No such thing' } })
    if (method === 'GET') return json(response, 200, service.writeOne(subscription, 'get'))
    service.subscriptions.delete(id)
    response.writeHead(204).end()
  }
  return service
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
