import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { expect, onTestFinished } from 'vitest'
import type { AlertEvent } from '../../../../src/event/event.ts'
import type { SignatureForm } from '../../../../src/intake/receive/signature.ts'
import {
  type ReceivedDelivery,
  type WebhookOptions,
  webhook,
} from '../../../../src/intake/receive/webhook.ts'
import { createManualClock, type ManualClock } from '../../../support/fakes/manual-clock.ts'

export const secret = 'whsec_c2lnbmluZyBzZWNyZXQgb2YgYSB0ZXN0'

export const delivery = JSON.stringify({
  id: 'evt_8c1',
  type: 'censorship_spike',
  model: 'claude',
  data: { category: 'political', delta: '+12pp', detected_at: '2026-11-21T15:05:00Z' },
  methodology: 'https://monitor.example/methodology',
})

export interface Endpoint {
  port: number
  clock: ManualClock
  /** What was taken, repeats not among them. */
  taken: AlertEvent[]
  reports: ReceivedDelivery[]
  remembered: Map<string, SignatureForm>
}

/** The webhook on a loopback port, before a store that knows ids and nothing else. Closed after the test. */
export async function startEndpoint(options: Partial<WebhookOptions> = {}): Promise<Endpoint> {
  const clock = createManualClock(Date.parse('2026-11-21T15:05:09.000Z'))
  const taken: AlertEvent[] = []
  const reports: ReceivedDelivery[] = []
  const remembered = new Map<string, SignatureForm>()
  const app = express()
  const add = webhook({
    path: '/webhook',
    secrets: () => [secret],
    pinned: {},
    remembered: (one) => remembered.get(one),
    remember: (one, form) => remembered.set(one, form),
    async accept(event) {
      if (taken.some(({ id }) => id === event.id)) return 'duplicate'
      taken.push(event)
      return 'new'
    },
    clock,
    onReceived: (report) => reports.push(report),
    ...options,
  })
  add(app)
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return { port: address.port, clock, taken, reports, remembered }
}

/** An HMAC as the service might write it, by code that the receiver does not share. */
export function sign(body: string | Uint8Array, form: Partial<SignatureForm> = {}, by = secret): string {
  const { hash = 'sha256', encoding = 'hex', key = 'whole' } = form
  const bare = by.slice('whsec_'.length)
  const keys = { whole: by, 'without-prefix': bare, 'base64-decoded': Buffer.from(bare, 'base64') }
  return createHmac(hash, keys[key]).update(body).digest(encoding)
}

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: unknown
}

/** Sends one request on a connection of its own and reads the answer as JSON. */
export async function post(
  port: number,
  body: string | Uint8Array,
  headers: OutgoingHttpHeaders = { 'X-Service-Signature': sign(body) },
  method = 'POST',
): Promise<Reply> {
  const request = httpRequest({ host: '127.0.0.1', port, path: '/webhook', method, headers, agent: false })
  request.end(body)
  const [response] = await once(request, 'response')
  const answer = await text(response)
  return { status: response.statusCode, headers: response.headers, body: answer && JSON.parse(answer) }
}

/** The body of a refusal: its code, and a sentence. */
export function error(code: string) {
  return { error: { code, message: expect.stringMatching(/^[A-Z].*[.?]$/) } }
}

/** A bare connection, and all that comes back over it until it ends. */
export async function open(port: number): Promise<{ socket: Socket; received: Promise<string> }> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const received = text(socket)
  received.catch(() => undefined)
  return { socket, received }
}

/** The lines that begin a request. */
export function head(headers: Record<string, string | number>, method = 'POST'): string {
  const lines = Object.entries({ Host: '127.0.0.1', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} /webhook HTTP/1.1\r\n${lines.join('')}\r\n`
}
