import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEmulator } from 'emulate'
import { problemsOf } from './slack-limits.ts'
import type { SlackPeople } from './slack-people.ts'
import type { Witness } from './witness.ts'

/** What the proxy does instead of passing on the next request of a method (or of `webhook`). */
export type Fault =
  | { answer: 'error'; code: string; needed?: string; headers?: Record<string, string> }
  | { answer: 'status'; status: number; headers?: Record<string, string>; body?: string }
  | { answer: 'html' }
  | { answer: 'hang' }
  /** Slack does it, and the connection is cut before it can say so. */
  | { answer: 'cut-after-forward' }
  | { answer: 'hang-after-forward' }

interface Recorded {
  /** `chat.postMessage`, …, or `webhook`. */
  method: string
  body: Record<string, unknown>
  raw: string
}

export interface FakeSlack {
  apiUrl: string
  webhookUrl: string
  token: string
  requests: Recorded[]
  /** For the next request of the method; several queue up. */
  fail(method: string, fault: Fault): void
  /** As `fail`, after so many requests that go well. */
  after(method: string, good: number, fault: Fault): void
  /** Forgets every fault. */
  mend(): void
  /** Slack may answer shorter pages than asked for. */
  pageSize: number | undefined
  /** What a reader sees, oldest first. */
  read(channel: string): Promise<Record<string, unknown>[]>
  /** What a reader sees in a message's thread, oldest first, the message itself not among it. */
  thread(channel: string, ts: string): Promise<Record<string, unknown>[]>
  idOf(channel: string): Promise<string>
  archive(channel: string): Promise<void>
  /** Another app posts this, with any metadata. */
  forge(channel: string, message: object): Promise<void>
  /** Resolves when a request of the method has come in. */
  received(method: string): Promise<void>
  close(): Promise<void>
}

interface FakeSlackOptions {
  /** By how much Slack's clock is ahead of ours, in milliseconds; its `ts` show that. */
  clockMs?: number
  scopes?: string[]
  tellScopes?: boolean
  /** Of requests that no fault is planned for, by method. */
  witness?: Witness
  /** The side on which people are. */
  people?: Pick<SlackPeople, 'answer'>
}

export const allScopes = [
  'chat:write',
  'files:write',
  'channels:read',
  'channels:history',
  'groups:read',
  'groups:history',
  'commands',
]

/** The emulator answers 5,000 requests of a token in an hour, and no more; so each of ours is several there, in turn. */
const most = 16

/**
 * A Slack workspace "Newsroom" with the bot @bluepencil in #ai-desk and the private #investigations. A strict
 * door before it treats unknown tokens, malformed messages, membership and metadata as Slack documents them,
 * which the emulator does not.
 */
export async function startSlack({
  scopes = allScopes,
  tellScopes = true,
  clockMs = 0,
  witness,
  people,
}: FakeSlackOptions = {}): Promise<FakeSlack> {
  const token = 'xoxb-secret-of-the-test'
  const reader = 'xoxb-reader'
  const forger = 'xoxb-forger'
  const hook = '/services/T00000000/B00000000/secretOfTheWebhook'
  const emulator = await createEmulator({
    service: 'slack',
    port: 0,
    seed: {
      slack: {
        team: { name: 'Newsroom', domain: 'newsroom' },
        users: [{ name: 'bluepencil' }, { name: 'other-app' }],
        channels: [{ name: 'ai-desk' }, { name: 'investigations', is_private: true }],
        tokens: Array.from({ length: most }, (_, turn) => [
          { token: `${token}-${turn}`, user: 'bluepencil', scopes },
          { token: `${forger}-${turn}`, user: 'other-app', scopes: allScopes },
          { token: `${reader}-${turn}`, user: 'bluepencil', scopes: [...allScopes, 'channels:manage'] },
        ]).flat(),
        strict_scopes: true,
      },
    },
  })
  let serial = 0
  const requests: Recorded[] = []
  const faults = new Map<string, (Fault | undefined)[]>()
  const arrivals = new EventTarget()

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(599).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const fake: FakeSlack = {
    apiUrl: `${origin}/api/`,
    webhookUrl: `${origin}${hook}`,
    token,
    requests,
    pageSize: undefined,
    fail(method, fault) {
      faults.set(method, [...(faults.get(method) ?? []), fault])
    },
    after(method, good, fault) {
      faults.set(method, [...Array<undefined>(good).fill(undefined), fault])
    },
    mend: () => faults.clear(),
    async read(channel) {
      const id = await fake.idOf(channel)
      const listed: Record<string, unknown>[] = []
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const answer = await ask('conversations.history', { channel: id, limit: '1000', cursor })
        listed.push(...records(answer.messages))
        cursor = cursorOf(answer)
      }
      return listed.reverse()
    },
    async thread(channel, ts) {
      const { messages } = await ask('conversations.replies', { channel: await fake.idOf(channel), ts })
      return records(messages).filter((row) => row.ts !== ts)
    },
    async idOf(channel) {
      const conversation = await find(channel)
      if (!conversation) throw new Error(`no channel ${channel}`)
      return String(conversation.id)
    },
    async forge(channel, message) {
      const params = Object.entries(message).map(([key, value]) => [
        key,
        typeof value === 'string' ? value : JSON.stringify(value),
      ])
      const answer = await ask('chat.postMessage', { ...Object.fromEntries(params), channel }, forger)
      if (answer.ok !== true) throw new Error(`the forger could not post: ${String(answer.error)}`)
    },
    async archive(channel) {
      await ask('conversations.archive', { channel: await fake.idOf(channel) })
    },
    async received(method) {
      if (requests.some((request) => request.method === method)) return
      await once(arrivals, method)
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await emulator.close()
    },
  }
  return fake

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const raw = bytes.toString('utf8')
    const path = request.url ?? ''
    const method = methodOf(path)
    const body = method === 'webhook' ? parse(raw) : Object.fromEntries(new URLSearchParams(raw))
    requests.push({ method, body, raw })
    arrivals.dispatchEvent(new Event(method))

    const fault = faults.get(method)?.shift()
    switch (fault?.answer) {
      case 'error': {
        const { code, needed, headers } = fault
        return json(response, { ok: false, error: code, ...(needed && { needed }) }, headers)
      }
      case 'status':
        return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '')
      case 'html':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Log in</html>')
      case 'hang':
        return
      case 'cut-after-forward':
        await forward(method, path, body, { request, bytes })
        return void response.destroy()
      case 'hang-after-forward':
        await forward(method, path, body, { request, bytes })
        return
      case undefined:
    }
    await witness?.('received', method)
    const answer = await forward(method, path, body, { request, bytes })
    await witness?.('done', method)
    if (typeof answer === 'object')
      return json(response, answer, tellScopes ? { 'x-oauth-scopes': scopes.join(',') } : {})
    const [status, text] = answer.split(' ')
    response.writeHead(Number(status), { 'content-type': 'text/html' }).end(text)
  }

  async function forward(
    method: string,
    path: string,
    body: Record<string, unknown>,
    { request, bytes }: { request: IncomingMessage; bytes: Buffer<ArrayBuffer> },
  ): Promise<Record<string, unknown> | `${number} ${string}`> {
    if (method === 'webhook') return await postByWebhook(path, body, request)
    if (method === 'upload') return await upload(path, bytes)
    const { authorization } = request.headers
    const answered = people?.answer(method, authorization, body)
    if (answered !== undefined) return answered
    if (authorization === undefined) return { ok: false, error: 'not_authed' }
    if (authorization !== `Bearer ${token}`) return { ok: false, error: 'invalid_auth' }
    const params = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, String(value)]))
    if (method === 'chat.postMessage') return await post(params)
    if (method === 'chat.update') return await update(params)
    // The emulator does not know it; as Slack documents it.
    if (method === 'chat.getPermalink') {
      const { channel, message_ts: ts = '' } = params
      return {
        ok: true,
        channel,
        permalink: `https://desk.slack.com/archives/${channel}/p${ts.replace('.', '')}`,
      }
    }
    if (method === 'files.getUploadURLExternal') {
      const answer = await ask(method, params, token)
      const { upload_url: to } = answer
      return typeof to === 'string' ? { ...answer, upload_url: to.replace(emulator.url, origin) } : answer
    }
    if (fake.pageSize !== undefined && 'limit' in params) params.limit = String(fake.pageSize)
    const { oldest = '0', ...unbounded } = params
    const answer = await ask(method, unbounded, token)
    if (method !== 'conversations.history' || answer.ok !== true) return answer
    const messages = records(answer.messages)
      .map(shifted)
      .filter((row) => Number(row.ts) > Number(oldest))
      .map(({ metadata, ...row }) => (params.include_all_metadata === 'true' ? { ...row, metadata } : row))
    return { ...answer, messages }
  }

  async function post(params: Record<string, string>): Promise<Record<string, unknown>> {
    const channel = (params.channel ?? '').replace(/^#/, '')
    const conversation = await find(channel)
    if (conversation && conversation.is_member !== true) return { ok: false, error: 'not_in_channel' }
    const problems = problemsOf({ ...params, blocks: parse(params.blocks ?? '') })
    if (problems.length > 0) {
      return { ok: false, error: 'invalid_blocks', response_metadata: { messages: problems } }
    }
    return shifted(await ask('chat.postMessage', { ...params, channel }, token))
  }

  function shifted(row: Record<string, unknown>): Record<string, unknown> {
    if (clockMs === 0 || typeof row.ts !== 'string') return row
    const [seconds, fraction] = row.ts.split('.')
    return { ...row, ts: `${Number(seconds) + Math.round(clockMs / 1000)}.${fraction}` }
  }

  /** Slack finds the channel by its id alone. */
  async function update(params: Record<string, string>): Promise<Record<string, unknown>> {
    const problems = problemsOf({ ...params, blocks: parse(params.blocks ?? '') })
    if (problems.length > 0) {
      return { ok: false, error: 'invalid_blocks', response_metadata: { messages: problems } }
    }
    if (params.parse !== 'none') return { ok: false, error: 'parse_defaults_to_client' }
    return await ask('chat.update', params, token)
  }

  async function postByWebhook(
    path: string,
    body: Record<string, unknown>,
    request: IncomingMessage,
  ): Promise<`${number} ${string}`> {
    if (path !== hook) return '404 no_service'
    if (request.headers['content-type'] !== 'application/json') return '400 invalid_payload'
    if (problemsOf(body).length > 0) return '400 invalid_blocks'
    const answer = await fetch(`${emulator.url}/services/T000000001/B000000001/X000000001`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, channel: 'ai-desk' }),
    })
    return `${answer.status} ${await answer.text()}`
  }

  /** Needs no token: the address is the secret. */
  async function upload(path: string, bytes: Buffer<ArrayBuffer>): Promise<`${number} ${string}`> {
    const answer = await fetch(`${emulator.url}${path}`, { method: 'POST', body: bytes })
    return `${answer.status} ${await answer.text()}`
  }

  async function find(channel: string): Promise<Record<string, unknown> | undefined> {
    const types = 'public_channel,private_channel'
    const { channels } = await ask('conversations.list', { types, limit: '999' })
    return records(channels).find((row) => row.name === channel || row.id === channel)
  }

  async function ask(
    method: string,
    params: Record<string, string>,
    by = reader,
  ): Promise<Record<string, unknown>> {
    serial += 1
    const answer = await fetch(`${emulator.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${by}-${serial % most}` },
      body: new URLSearchParams(params),
    })
    return parse(await answer.text())
  }
}

/** Slack's method, or `webhook`, or `upload`. */
function methodOf(path: string): string {
  if (path.startsWith('/services/')) return 'webhook'
  return path.startsWith('/upload/') ? 'upload' : path.replace(/^\/api\//, '')
}

function json(response: ServerResponse, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', ...headers })
  response.end(JSON.stringify(body))
}

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Where the next page begins; undefined after the last. */
function cursorOf({ response_metadata: page }: Record<string, unknown>): string | undefined {
  if (typeof page !== 'object' || page === null || !('next_cursor' in page)) return undefined
  return String(page.next_cursor) || undefined
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : []
}
