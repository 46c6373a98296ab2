import * as z from 'zod'
import { BadRequest, MonitorError, Unintelligible, Unreachable } from './errors.ts'
import { errorFor } from './failure.ts'
import { bareError, errorCode } from './redact.ts'

/** No answer that we ask for comes near; what is longer is not read on. Bytes, after decompression. */
const longestAnswer = 5 * 1024 * 1024

export interface Connection {
  /** Ends in the version segment `/v1` ("What the service does", 5). */
  baseUrl: URL
  /** The credential that follows `Bearer` ("Authentication", 1); asked for before each request. */
  credential: () => Promise<string>
  fetch: typeof fetch
  /** For one request from its start to the last byte of its answer, in milliseconds. */
  timeoutMs: number
}

export interface Call {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below the base address, its segments made by `segment`. */
  path: string
  /** Parameters of the query; one that is undefined is left out. */
  query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
}

/** A successful answer, and the way to say that it is not what was asked for. */
export interface Answer {
  status: number
  /** The body as JSON; undefined where there was none. Throws `Unintelligible` where it is something else. */
  json(): unknown
  /** Parses what was read; a mismatch is `Unintelligible` and names the fields. */
  parse<Shape extends z.ZodType>(value: unknown, shape: Shape): z.infer<Shape>
  unintelligible(problem: string, cause?: unknown): Unintelligible
}

/** One request, tried once. Rejects with a `MonitorError` and with nothing else. */
export async function request(connection: Connection, call: Call): Promise<Answer> {
  const { address, asked } = place(connection.baseUrl, call)
  const key = await connection.credential()
  const timeOut = AbortSignal.timeout(connection.timeoutMs)
  try {
    const response = await connection.fetch(address, {
      method: call.method,
      // Followed, a redirect could take the key to another host.
      redirect: 'manual',
      signal: call.signal === undefined ? timeOut : AbortSignal.any([timeOut, call.signal]),
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json',
        'user-agent': 'bluepencil',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    })
    if (response.status >= 300 && response.status < 400) throw await redirected(response, address, asked)
    const text = await readText(response)
    if (!response.ok) throw errorFor({ response, text: text ?? '', asked, key, path: call.path })
    return answer(response, text, asked)
  } catch (error) {
    if (error instanceof MonitorError) throw error
    throw unreachable(error, { asked, key, timeOut, timeoutMs: connection.timeoutMs })
  }
}

/** One segment of a path. An empty one, or dots, would name the collection or what is above it. */
export function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadRequest(`"${value}" cannot be an identifier of the service's.`)
  return encodeURIComponent(value)
}

function place(baseUrl: URL, call: Call): { address: URL; asked: string } {
  const address = new URL(baseUrl)
  address.pathname = baseUrl.pathname.replace(/\/+$/, '') + call.path
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return { address, asked: `${call.method} ${address.origin}${address.pathname}` }
}

/** Undefined where the answer is longer than what is read. */
async function readText(response: Response): Promise<string | undefined> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > longestAnswer) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function answer(response: Response, text: string | undefined, asked: string): Answer {
  const { status } = response
  function unintelligible(problem: string, cause?: unknown): Unintelligible {
    const advice = 'Check that monitor.baseUrl is the address of the interface, ending in /v1.'
    return new Unintelligible(`${asked} answered ${status} with ${problem}. ${advice}`, { status, cause })
  }
  if (text === undefined) throw unintelligible('more than 5 MB, which was not read to its end')
  return {
    status,
    json: () => (text.trim() === '' ? undefined : readJson(text, response, unintelligible)),
    unintelligible,
    parse(value, shape) {
      const parsed = shape.safeParse(value)
      if (parsed.success) return parsed.data
      const problems = z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ').slice(0, 300)
      throw unintelligible(`JSON of another shape (${problems})`, parsed.error)
    },
  }
}

/** The parser's own error is not kept: it quotes the body, where a secret may stand. */
function readJson(text: string, response: Response, unintelligible: Answer['unintelligible']): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const type =
      /^[\w.+-]+\/[\w.+-]+/.exec(response.headers.get('content-type') ?? '')?.[0] ?? 'no content type'
    const what = /^\s*</.test(text) ? 'a page of HTML or XML' : `${text.length} characters that are not JSON`
    throw unintelligible(`${what} (${type})`)
  }
}

async function redirected(response: Response, from: URL, asked: string): Promise<Unintelligible> {
  await response.body?.cancel()
  const location = response.headers.get('location')
  const to = location !== null && URL.canParse(location, from) ? new URL(location, from).host : 'no address'
  return new Unintelligible(
    `${asked} answered ${response.status}, a redirect to ${to}. It was not followed, so that the key goes to no ` +
      'other place. If the service has moved, put its new address in monitor.baseUrl.',
    { status: response.status },
  )
}

interface Circumstances {
  asked: string
  key: string
  timeOut: AbortSignal
  timeoutMs: number
}

function unreachable(error: unknown, { asked, key, timeOut, timeoutMs }: Circumstances): Unreachable {
  const cause = bareError(error, key)
  if (timeOut.aborted) {
    const message = `${asked} had no full answer within ${timeoutMs / 1_000} s. The service is slow or away; try again later.`
    return new Unreachable(message, { cause, timedOut: true })
  }
  const inner = error instanceof Error ? error.cause : undefined
  const reason =
    errorCode(inner) ?? errorCode(error) ?? (cause.cause instanceof Error ? cause.cause : cause).message
  const message = `${asked} could not be completed (${reason}). Check monitor.baseUrl and the way to the network.`
  return new Unreachable(message, { cause, timedOut: false })
}
