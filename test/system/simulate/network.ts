import { Duplex } from 'node:stream'
import { between, type Chance } from '../detector/chance.ts'
import type { Readers } from './readers.ts'
import { actors, type Timeline } from './timeline.ts'

export interface Asked {
  method: string
  url: URL
  headers: Headers
  body: string
}

export interface Answered {
  status: number
  headers?: Record<string, string>
  body: string | ReadableStream
}

/** Somebody who is asked over HTTP. */
export interface Host {
  readonly name: string
  /** Does what is asked, at the time at which the request arrives. */
  answer(asked: Asked): Answered
  weather: Weather
}

/** How a way to a host is at the moment: the chance of each mishap, from 0 to 1. */
export interface Weather {
  /** Nothing is reached; it is known at once that nothing was sent. */
  refused: number
  /** The request gets lost on its way, and no answer comes, ever. */
  lostThere: number
  /** It is done, and no answer comes, ever. */
  lostBack: number
  /** It is done, and the connection breaks. */
  broken: number
  /** It is done, and the answer comes after 1 to 50 seconds. */
  slow: number
  /** It takes 1 to 50 seconds until it is done. */
  late: number
  /** 503 or 500, and nothing is done. */
  failing: number
  /** 429 with a wait. */
  limited: number
  /** 200 with something that nobody asked for. */
  nonsense: number
  /** It is done, and the answer never ends. */
  enormous: number
}

export const fairWeather: Weather = {
  refused: 0,
  lostThere: 0,
  lostBack: 0,
  broken: 0,
  slow: 0,
  late: 0,
  failing: 0,
  limited: 0,
  nonsense: 0,
  enormous: 0,
}

interface NetworkParts {
  timeline: Timeline
  random: Chance
  hosts: ReadonlyMap<string, Host>
  readers: Readers
  note(what: string): void
  /** Something of a process is about to happen outside of it; it may be killed before. */
  onStep(): void
}

/** What `fetch` is in the simulation. */
export function simulatedFetch({
  timeline,
  random,
  hosts,
  readers,
  note,
  onStep,
}: NetworkParts): typeof fetch {
  return async (input, init) => {
    const request = await askedOf(input, init)
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const host = hosts.get(request.url.hostname)
    if (host === undefined) throw failed('ENOTFOUND')
    // It was killed a moment ago, in the middle of something else.
    if (actors.getStore()?.isAlive === false) return new Promise(() => {})
    onStep()
    return new Promise<Response>((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      const mishap = mishapOf(host.weather, random)
      const line = `${actors.getStore()?.name ?? '?'} → ${host.name} ${request.method} ${request.url.pathname}`
      if (mishap !== undefined) note(`${line}: ${mishap}`)
      const webhook = webhookOf(request)
      if (webhook !== undefined && mishap !== 'refused') readers.trying(webhook, request.body)
      const quick = () => between(random, 1, 40)
      const long = () => between(random, 1_000, 50_000)
      const reply = (milliseconds: number, answered: Answered) =>
        timeline.after(milliseconds, () => resolve(responseOf(answered)))
      if (mishap === 'refused') return void timeline.after(quick(), () => reject(failed('ECONNREFUSED')))
      if (mishap === 'lostThere') return
      if (mishap === 'failing')
        return void reply(quick(), { status: random() < 0.5 ? 503 : 500, body: 'oops' })
      if (mishap === 'limited') return void reply(quick(), limited(random))
      if (mishap === 'nonsense') return void reply(quick(), { status: 200, body: '<html>Log in</html>' })
      const actor = actors.getStore()
      timeline.worldAfter(mishap === 'late' ? long() : quick(), () => {
        const shownBefore = readers.shown.length
        const answered = host.answer(request)
        const fresh = readers.shown.slice(shownBefore)
        note(`${line} ${answered.status} ${fresh.map(({ own }) => own).join()}`)
        const back = () => {
          if (mishap === 'lostBack') return
          const wait = mishap === 'slow' ? long() : quick()
          if (mishap === 'broken') {
            timeline.after(wait, () => reject(failed('ECONNRESET')))
            return
          }
          if (mishap === 'enormous') {
            reply(wait, { ...answered, body: endless() })
            return
          }
          timeline.after(wait, () => {
            // An answer to a request that was given up reaches nobody.
            if (signal?.aborted === true) return
            if (actor?.hasStopped !== true) for (const shown of fresh) shown.answeredAt = timeline.now()
            resolve(responseOf(answered))
          })
        }
        if (actor === undefined) back()
        else actors.run(actor, back)
      })
    })
  }
}

/** The place of a webhook, which cannot be searched for earlier messages. */
function webhookOf({ method, url }: Asked): string | undefined {
  if (method !== 'POST') return undefined
  if (url.pathname.startsWith('/services/')) return 'slack-webhook'
  return url.pathname.includes('/webhooks/') && url.hostname === 'discord.com' ? 'discord-webhook' : undefined
}

function limited(random: Chance): Answered {
  const seconds = Math.ceil(between(random, 1, 30))
  const body = JSON.stringify({
    ok: false,
    error: 'ratelimited',
    message: 'limited',
    retry_after: seconds,
    global: false,
  })
  return {
    status: 429,
    headers: { 'Retry-After': String(seconds), 'content-type': 'application/json' },
    body,
  }
}

/** More than anything reads of an answer: to copy what is thrown away took a sixteenth of a life. */
const much = new Uint8Array(2 ** 25).fill(32)

function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(much) })
}

function mishapOf(weather: Weather, random: Chance): keyof Weather | undefined {
  let left = random()
  for (const [name, chance] of Object.entries(weather)) {
    left -= chance
    if (left < 0) return name as keyof Weather
  }
  return undefined
}

async function askedOf(input: string | URL | Request, init: RequestInit | undefined): Promise<Asked> {
  if (input instanceof Request) {
    const body = input.body === null ? '' : await input.text()
    return { method: input.method, url: new URL(input.url), headers: input.headers, body }
  }
  const { method = 'GET', headers, body } = init ?? {}
  return {
    method,
    url: new URL(input),
    headers: new Headers(headers),
    body:
      typeof body === 'string'
        ? body
        : body instanceof URLSearchParams
          ? body.toString()
          : await new Response(body).text(),
  }
}

function responseOf({ status, headers = {}, body }: Answered): Response {
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : body, { status, headers })
}

function failed(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) })
}

/** One end of a connection in memory. What is written arrives at the other end a moment later. */
export class Wire extends Duplex {
  other: Wire | undefined
  readonly #timeline: Timeline
  readonly remoteAddress = '127.0.0.1'
  readonly localAddress = '127.0.0.1'
  readonly remotePort = 1
  readonly localPort = 2
  #idle: { milliseconds: number; planned: { cancel(): void } | undefined } = {
    milliseconds: 0,
    planned: undefined,
  }
  readonly #owner = actors.getStore()

  constructor(timeline: Timeline) {
    super({ allowHalfOpen: false })
    this.#timeline = timeline
  }
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (this.#owner?.isAlive === false) return
    this.#touch()
    this.#arrive((other) => void other.push(chunk))
    done()
  }
  override _final(done: () => void): void {
    this.#arrive((other) => void other.push(null))
    done()
  }
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#idle.planned?.cancel()
    this.#arrive((other) => {
      other.push(null)
      if (!other.destroyed) other.destroy()
    })
    done(error)
  }
  #arrive(how: (other: Wire) => void): void {
    const { other } = this
    if (other === undefined) return
    const work = () => {
      if (other.#owner?.isAlive === false || other.destroyed) return
      other.#touch()
      how(other)
    }
    this.#timeline.worldAfter(1, () => (other.#owner === undefined ? work() : actors.run(other.#owner, work)))
  }
  /** Whether the process at this end is alive. */
  isHeard(): boolean {
    return this.#owner?.isAlive !== false && this.#owner?.hasStopped !== true
  }
  setTimeout(milliseconds: number, listener?: () => void): this {
    if (listener !== undefined) this.once('timeout', listener)
    this.#idle.milliseconds = milliseconds
    this.#touch()
    return this
  }
  #touch(): void {
    this.#idle.planned?.cancel()
    const { milliseconds } = this.#idle
    this.#idle.planned =
      milliseconds > 0 ? this.#timeline.after(milliseconds, () => void this.emit('timeout')) : undefined
  }
  setNoDelay = () => this
  setKeepAlive = () => this
  ref = () => this
  unref = () => this
}

export function wires(timeline: Timeline): { near: Wire; far: Wire } {
  const near = new Wire(timeline)
  const far = actors.exit(() => new Wire(timeline))
  near.other = far
  far.other = near
  return { near, far }
}
