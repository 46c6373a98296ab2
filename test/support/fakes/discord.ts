import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { answer, type FakeAnswer, type FakeRequest } from './discord-routes.ts'
import { createWorld, type FakeWorldOptions, ids, type PostedMessage, secrets } from './discord-world.ts'
import type { Witness } from './witness.ts'

/**
 * Discord's REST interface, version 10, as far as Bluepencil uses it, written from the published documentation
 * (https://docs.discord.com/developers/reference). As a process of its own, `node test/support/fakes/discord.ts --port 0`
 * prints one line of JSON with its address. `POST /_fake/script` (a plan or a list of them) and
 * `GET /_fake/posted/CHANNEL`, on the same port but without /api, stand for the functions.
 */
export interface FakeDiscordOptions extends FakeWorldOptions {
  /** 0, the default, takes a free one. */
  port?: number
  /** Requests that one route of one channel or webhook takes in a window. */
  rate?: { limit: number; windowMs: number }
  /** Of requests that nothing was planned for, as `POST /channels/1/messages`. */
  witness?: Witness
}

/** What happens to requests in place of, or after, their being processed. */
export interface Misbehaviour {
  does:
    | { answer: number; body?: unknown; headers?: Record<string, string> }
    /** An error page of Cloudflare's, which stands before Discord. */
    | { html: number; headers?: Record<string, string> }
    /** Seconds, with a fraction. `header: false` leaves Retry-After out. */
    | { limited: number; scope: 'user' | 'shared' | 'global'; header?: boolean }
    /** Takes the request and never answers. */
    | 'hang'
    /** Answers with headers, and a body that never ends. */
    | 'hang in the body'
    /** Cuts the connection before processing. */
    | 'reset'
    /** Processes the request, then cuts the connection instead of answering. */
    | 'cut'
  /** Only requests whose method and path hold this text: `POST`, `/webhooks/`, `GET /channels`. Default: all. */
  on?: string
  /** How many such requests; default 1. */
  times?: number
}

export interface FakeDiscord {
  /** For `apiUrl`: ends in /api. */
  url: string
  token: string
  channelId: string
  otherChannelId: string
  /** The address of the first webhook, which writes to `channelId`. */
  webhookUrl: string
  /** Every request, in order, misbehaved ones included. */
  requests: FakeRequest[]
  /** The messages in a channel, oldest first. */
  posted(channelId: string): PostedMessage[]
  /** The commands that the application offers, by their names. */
  commands(): unknown[]
  /** What stands as the answer to an interaction, by its token. */
  interactions: Map<string, unknown>
  /** Puts a message of the bot's into a channel, without a request. */
  write(channelId: string, body: object): PostedMessage
  /** Plans misbehaviour; each request takes the first plan that fits it. */
  script(...plans: Misbehaviour[]): void
  /** Forgets every plan. */
  mend(): void
  close(): Promise<void>
}

export async function startFakeDiscord(options: FakeDiscordOptions = {}): Promise<FakeDiscord> {
  const world = createWorld(options)
  const rate = options.rate ?? { limit: 1000, windowMs: 1000 }
  const windows = new Map<string, { used: number; resets: number }>()
  const plans: Required<Misbehaviour>[] = []
  const requests: FakeRequest[] = []

  function planFor(request: FakeRequest): Misbehaviour['does'] | undefined {
    const plan = plans.find(({ on, times }) => times > 0 && `${request.method} ${request.path}`.includes(on))
    if (plan !== undefined) plan.times -= 1
    return plan?.does
  }

  function script(...more: Misbehaviour[]): void {
    plans.push(...more.map((plan) => ({ on: '', times: 1, ...plan })))
  }

  /** The headers that every answer has, and the 429 where the window is used up. */
  function count(request: FakeRequest): { headers: Record<string, string>; over?: FakeAnswer } {
    const route = `${request.method} ${request.path.replace(/(?<=messages\/)\d+/, ':id')}`
    const now = world.now()
    const open = windows.get(route)
    const window = open !== undefined && open.resets > now ? open : { used: 0, resets: now + rate.windowMs }
    window.used += 1
    windows.set(route, window)
    const seconds = (window.resets - now) / 1000
    const headers: Record<string, string> = {
      'X-RateLimit-Limit': String(rate.limit),
      'X-RateLimit-Remaining': String(Math.max(0, rate.limit - window.used)),
      'X-RateLimit-Reset': (window.resets / 1000).toFixed(3),
      'X-RateLimit-Reset-After': seconds.toFixed(3),
      'X-RateLimit-Bucket': createHash('sha256')
        .update(route.replace(/\d{17,}(\/[\w-]+)?/, ''))
        .digest('hex')
        .slice(0, 32),
    }
    if (window.used <= rate.limit) return { headers }
    const limited = { 'Retry-After': String(Math.ceil(seconds)), 'X-RateLimit-Scope': 'user' }
    const body = { message: 'You are being rate limited.', retry_after: seconds, global: false }
    return { headers: { ...headers, ...limited }, over: { status: 429, body } }
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(incoming.url ?? '/', 'http://fake')
    const bytes = await buffer(incoming)
    const raw = bytes.toString()
    if (url.pathname.startsWith('/_fake/')) return control(url.pathname, raw, response)
    const path = /^\/api\/v10(\/.*)$/.exec(url.pathname)?.[1]
    if (path === undefined) return reply(response, 404, { message: '404: Not Found', code: 0 })
    if (!/^DiscordBot \(\S+, \S+\)/.test(incoming.headers['user-agent'] ?? '')) {
      return reply(response, 403, { message: 'Cloudflare is blocking your request', code: 40333 })
    }
    const method = incoming.method ?? 'GET'
    const { authorization } = incoming.headers
    const parts = { method, path, query: url.searchParams, authorization }
    const form = await formOf(bytes, incoming.headers['content-type'])
    const request: FakeRequest = { ...parts, ...(form ?? { body: parsed(raw) }) }
    requests.push(request)

    const does = planFor(request)
    if (does === 'hang') return undefined
    if (does === 'reset') return incoming.socket.resetAndDestroy()
    if (does === 'hang in the body')
      return response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    if (does === 'cut') {
      answer(request, world)
      return incoming.socket.destroy()
    }
    if (does !== undefined) return misbehave(does, response)

    await options.witness?.('received', `${method} ${path}`)
    const { headers, over } = count(request)
    const { status, body } = over ?? answer(request, world)
    await options.witness?.('done', `${method} ${path}`)
    return reply(response, status, body, headers)
  }

  function control(path: string, raw: string, response: ServerResponse): ServerResponse {
    const channelId = /^\/_fake\/posted\/(\d+)$/.exec(path)?.[1]
    if (channelId !== undefined) return reply(response, 200, posted(channelId))
    if (path !== '/_fake/script') return reply(response, 404, { message: 'no such control' })
    const plan: Misbehaviour | Misbehaviour[] = JSON.parse(raw)
    script(...[plan].flat())
    return reply(response, 200, { plans: plans.length })
  }

  function posted(channelId: string): PostedMessage[] {
    return world.messages.filter((message) => message.channel_id === channelId)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      // A request that was cut while it was read has nobody to answer to.
      if (!incoming.socket.destroyed) reply(response, 500, { message: String(error), code: 0 })
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the fake has no port')
  const url = `http://127.0.0.1:${address.port}/api`
  const webhook = world.webhooks[0]

  return {
    url,
    token: world.token,
    channelId: world.channels[0]?.id ?? ids.channel,
    otherChannelId: world.channels[1]?.id ?? ids.otherChannel,
    webhookUrl: `${url}/webhooks/${webhook?.id ?? ids.webhook}/${webhook?.token ?? secrets.webhookToken}`,
    requests,
    posted,
    commands: () => world.commands,
    interactions: world.interactions,
    write: (channelId, body) => world.post(channelId, world.member.user, { ...body }),
    script,
    mend: () => void plans.splice(0),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

/** https://docs.discord.com/developers/reference#uploading-files */
async function formOf(
  bytes: Buffer<ArrayBuffer>,
  type = '',
): Promise<Pick<FakeRequest, 'body' | 'files'> | undefined> {
  if (!type.startsWith('multipart/form-data')) return undefined
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const files: NonNullable<FakeRequest['files']> = []
  for (const [key, value] of form) {
    if (typeof value === 'string') continue
    const { name, type: kind } = value
    files.push({ key, name, type: kind, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  const json = form.get('payload_json')
  return { body: typeof json === 'string' ? parsed(json) : undefined, files }
}

function misbehave(does: Exclude<Misbehaviour['does'], string>, response: ServerResponse): ServerResponse {
  if ('html' in does) {
    const page = `<!DOCTYPE html><html><title>Access denied | error ${does.html}</title></html>`
    return response
      .writeHead(does.html, { 'content-type': 'text/html; charset=UTF-8', ...does.headers })
      .end(page)
  }
  if ('answer' in does) return reply(response, does.answer, does.body, does.headers)
  const { limited, scope, header = true } = does
  const global = scope === 'global'
  const message = scope === 'shared' ? 'The resource is being rate limited.' : 'You are being rate limited.'
  return reply(
    response,
    429,
    { message, retry_after: limited, global },
    {
      'X-RateLimit-Scope': scope,
      ...(header && { 'Retry-After': String(Math.ceil(limited)) }),
      ...(global && { 'X-RateLimit-Global': 'true' }),
    },
  )
}

function reply(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Record<string, string> = {},
): ServerResponse {
  if (body === undefined) return response.writeHead(status, headers).end()
  return response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))
}

/** The body as JSON, or nothing where it is none: what is not an object is refused later. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } })
  const { url, token, channelId, otherChannelId, webhookUrl } = await startFakeDiscord({
    port: Number(values.port),
  })
  process.stdout.write(`${JSON.stringify({ url, token, channelId, otherChannelId, webhookUrl })}\n`)
}
