import { isIP } from 'node:net'
import { isPublicAddress } from '../../../platform/outbound/address.ts'
import { isModest } from '../../../platform/outbound/exchange.ts'
import { ServiceFailed, Unintelligible } from '../errors.ts'
import { type ServiceConnection, sendWithKey } from '../http/request.ts'
import { downloadNames } from '../names.ts'
import { isFields } from '../readers/fields.ts'

const mostHops = 5
/** An answer that names a link is no longer than this, in bytes. */
const longestLink = 16 * 1024

/** What an earlier try has left. */
export interface PartialDownload {
  bytes: number
  /** A strong ETag or a time of last change. By it the service knows whether its data changed (RFC 9110, 13.1.5). */
  validator: string | null
}

interface DownloadSource {
  chunks: AsyncIterable<Uint8Array>
  /** Position of the first byte in the whole. */
  start: number
  /** Length of the whole in bytes; null if unknown. */
  total: number | null
  validator: string | null
  contentType: string | null
}

/**
 * GET /research/datasets/{dataset_id}/download ("Endpoints"), from the end of the last try if the service lets us.
 * The interface does not show the form of the answer. A redirect is followed, and so is a link in the answer, as `follow`
 * says. Only the service's own origin gets the key. Returns 'complete' if all of it is there already.
 */
export async function openSource(
  connection: ServiceConnection,
  call: { path: string; address: URL; callName: string },
  held: PartialDownload | undefined,
  signals: { signal: AbortSignal; cancelled: AbortSignal | undefined },
): Promise<DownloadSource | 'complete'> {
  const { path, address: service, callName } = call
  const headers = {
    // Bytes are counted, so they come as they are kept.
    'accept-encoding': 'identity',
    accept: '*/*',
    ...(held !== undefined &&
      held.validator !== null && { range: `bytes=${held.bytes}-`, 'if-range': held.validator }),
  }
  let address = service
  let isService = true
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const sending = { method: 'GET' as const, address, path, callName, headers, alsoFine: 416, ...signals }
    const response = isService
      ? await sendWithKey(connection, sending)
      : await sendElsewhere(connection, address, headers, signals.signal)
    const { status } = response
    const chunks = chunksOf(response)
    if (!isModest(response.headers)) {
      await chunks.cancel()
      throw new Unintelligible(`${callName} answered in an encoding that Bluepencil did not ask for.`)
    }
    if (status === 416 && held !== undefined && rangeOf(response)?.total === held.bytes) {
      await chunks.cancel()
      return 'complete'
    }
    const link = status === 416 ? undefined : await linkOf(response, chunks)
    if (link === undefined) {
      const source = status === 416 ? undefined : sourceOf(response, chunks, held)
      if (source !== undefined) return source
      await chunks.cancel()
      if (held !== undefined) return await openSource(connection, call, undefined, signals)
      throw new Unintelligible(
        `${callName} answered ${status} with a part that Bluepencil did not ask for.`,
        { status },
      )
    }
    await chunks.cancel()
    address = await follow(link, { here: address, service, callName }, connection)
    // Once elsewhere, no link may choose what the key asks for.
    isService &&= address.origin === service.origin
  }
  throw new Unintelligible(`${callName} redirected ${mostHops} times and never reached the data.`)
}

async function sendElsewhere(
  connection: ServiceConnection,
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await connection.fetch(address, {
    redirect: 'manual',
    signal,
    headers: { 'user-agent': 'bluepencil', ...headers },
  })
  const { status } = response
  if (status < 400 || status === 416) return response
  await response.body?.cancel()
  const message = `${address.host}, which keeps the data of the service, answered ${status}. Try again later.`
  throw new ServiceFailed(message, { status, retryAfterMs: undefined })
}

/**
 * Where a link leads, if it may be followed: to the service's own origin, or by https to an address of the internet.
 * Never to this machine or a private network, whose answers are no business of the service. If a name leads elsewhere
 * on the second look-up, the host there has no certificate for it.
 */
async function follow(
  link: string,
  { here, service, callName }: { here: URL; service: URL; callName: string },
  { resolve }: ServiceConnection,
): Promise<URL> {
  const next = URL.parse(link, here)
  if (next === null) throw new Unintelligible(`${callName} links to an invalid address.`)
  next.username = ''
  next.password = ''
  if (next.origin === service.origin) return next
  const refused = (why: string) =>
    new Unintelligible(`${callName} links to ${next.host || 'an address'} ${why}. Bluepencil did not follow.`)
  if (next.protocol !== 'https:') throw refused(`by ${next.protocol.slice(0, -1)}`)
  const host = next.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return next
  throw refused('of this machine or of a private network')
}

/** A redirect's address, or the one that a short answer in JSON names; undefined if the answer is the data. */
async function linkOf({ status, headers }: Response, chunks: DownloadChunks): Promise<string | undefined> {
  if (status >= 300) {
    const location = headers.get('location')
    if (location !== null) return location
    throw new Unintelligible(
      `The service answered a download with ${status}, a redirect without an address.`,
      { status },
    )
  }
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
  if (status !== 200 || !isJson || headers.has('content-disposition')) return undefined
  const text = await chunks.peek(longestLink)
  return text === undefined ? undefined : namedLink(text)
}

/** Data may be JSON too: only an object without a list, with a link among its values, is an answer that names one. */
function namedLink(text: string): string | undefined {
  const value = parse(text)
  const inner = isFields(value) && isFields(value.data) ? value.data : value
  if (!isFields(inner) || Object.values(inner).some(Array.isArray)) return undefined
  const link = downloadNames.link.map((name) => inner[name]).find((written) => typeof written === 'string')
  return link !== undefined && /^(https?:\/\/|\/)/i.test(link) ? link : undefined
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Undefined for a part that was not asked for. */
function sourceOf(
  response: Response,
  chunks: DownloadChunks,
  held: PartialDownload | undefined,
): DownloadSource | undefined {
  const { status, headers } = response
  const isPlain = (headers.get('content-encoding') ?? 'identity') === 'identity'
  const contentType = headers.get('content-type')
  const tag = headers.get('etag')
  const validator = tag?.startsWith('"') ? tag : headers.get('last-modified')
  if (status !== 206) {
    const length = headers.get('content-length')
    const total = isPlain && length !== null && /^\d+$/.test(length) ? Number(length) : null
    return { chunks, start: 0, total, validator: isPlain ? validator : null, contentType }
  }
  const range = rangeOf(response)
  if (!isPlain || held === undefined || range?.start !== held.bytes) return undefined
  if (validator !== null && validator !== held.validator) return undefined
  return { chunks, start: held.bytes, total: range.total, validator: held.validator, contentType }
}

/** `Content-Range: bytes 100-199/200`; a 416 has an asterisk in place of the first two. */
function rangeOf({ headers }: Response): { start: number | undefined; total: number | null } | undefined {
  const match = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (match === null) return undefined
  const [, start, total] = match
  return {
    start: start === undefined ? undefined : Number(start),
    total: total === undefined || total === '*' ? null : Number(total),
  }
}

interface DownloadChunks extends AsyncIterable<Uint8Array> {
  /** The whole as text, if it ends within so many bytes. They still come. */
  peek(longest: number): Promise<string | undefined>
  cancel(): Promise<void>
}

function chunksOf({ body }: Response): DownloadChunks {
  const peeked: Uint8Array[] = []
  const rest = body?.[Symbol.asyncIterator]()
  return {
    async peek(longest) {
      let bytes = 0
      for (let next = await rest?.next(); next !== undefined && !next.done; next = await rest?.next()) {
        peeked.push(next.value)
        bytes += next.value.byteLength
        if (bytes > longest) return undefined
      }
      return Buffer.concat(peeked).toString('utf8')
    },
    async cancel() {
      await rest?.return?.()
    },
    async *[Symbol.asyncIterator]() {
      yield* peeked
      for (let next = await rest?.next(); next !== undefined && !next.done; next = await rest?.next()) {
        yield next.value
      }
    },
  }
}
