import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import * as z from 'zod'

export interface Providers {
  /** Where Slack's and Discord's interfaces are: `http://127.0.0.1:PORT`. */
  web: string
  /** Where the mail server is: `smtp://127.0.0.1:PORT`. */
  smtp: string
  /** The next requests to each go wrong in turn: an error, a limit, an answer that is cut off. */
  stumble(): void
  /** Whether one of them has a request that it has not answered. */
  isBusy(): boolean
  close(): Promise<void>
}

type Provider = 'slack' | 'discord' | 'email'

/** Slack, Discord and a mail server that take everything, say so, and remember nothing, however long it goes on. */
export async function startProviders(
  onTaken: (provider: Provider, eventId: string) => void,
): Promise<Providers> {
  const stumbles = { slack: 0, discord: 0, email: 0 }
  let messages = 0
  let unanswered = 0

  function taken(provider: Provider, body: string): void {
    for (const [id] of body.matchAll(/evt_[a-z]+_\d+/g)) onTaken(provider, id)
  }

  const web = createServer((request, response) => void serve(request, response))
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    unanswered += 1
    response.once('close', () => {
      unanswered -= 1
    })
    const body = await text(request)
    const path = request.url ?? ''
    const provider = path.startsWith('/slack/') ? 'slack' : 'discord'
    const posts = path.endsWith('/chat.postMessage') || request.method === 'POST'
    if (posts && stumbles[provider] > 0) return stumble(stumbles[provider]--, request, response)
    if (posts && !path.includes('/conversations.')) taken(provider, body)
    response.setHeader('Content-Type', 'application/json')
    response.end(JSON.stringify(provider === 'slack' ? slack(path) : discord(path, request.method)))
  }

  function slack(path: string): object {
    messages += 1
    const channel = { id: 'C0000000001', name: 'ai-desk', is_member: true }
    if (path.includes('conversations.list')) return { ok: true, channels: [channel] }
    if (path.includes('conversations.history')) return { ok: true, messages: [] }
    return { ok: true, channel: channel.id, ts: `1795262702.${String(messages).padStart(6, '0')}` }
  }

  function discord(path: string, method: string | undefined): object {
    messages += 1
    if (method === 'GET' && path.includes('/messages')) return []
    return { id: String(1_180_000_000_000_000_000n + BigInt(messages)) }
  }

  const mail = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    disableReverseLookup: true,
    async onData(stream, _session, callback) {
      unanswered += 1
      const raw = await text(stream)
      unanswered -= 1
      if (stumbles.email > 0) {
        stumbles.email -= 1
        return callback(Object.assign(new Error('later'), { responseCode: 451 }))
      }
      // Quoted-printable breaks lines where it must.
      taken('email', raw.replaceAll('=\r\n', ''))
      callback(null, 'taken')
    },
  })
  mail.on('error', () => {})
  await Promise.all([
    once(web.listen(0, '127.0.0.1'), 'listening'),
    new Promise<void>((resolve) => mail.listen(0, '127.0.0.1', resolve)),
  ])

  return {
    web: `http://127.0.0.1:${portOf(web.address())}`,
    smtp: `smtp://127.0.0.1:${portOf(mail.server.address())}`,
    isBusy: () => unanswered > 0,
    stumble() {
      Object.assign(stumbles, { slack: 3, discord: 3, email: 3 })
    },
    async close() {
      web.closeAllConnections()
      web.close()
      await new Promise<void>((resolve) => mail.close(resolve))
    },
  }
}

function stumble(left: number, request: IncomingMessage, response: ServerResponse): void {
  if (left === 3) response.writeHead(500).end()
  else if (left === 2) response.writeHead(429, { 'Retry-After': '1' }).end('{"retry_after":1}')
  else request.socket.destroy()
}

function portOf(address: unknown): number {
  return z.object({ port: z.int() }).parse(address).port
}
