import { isIP } from 'node:net'
import { isPublicAddress } from '../../../platform/outbound/public-address.ts'
import { isModest } from '../../../platform/outbound/read.ts'
import { ServiceFailed, Unintelligible } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { place, segment } from '../http/request.ts'
import { sendWithKey } from '../http/send.ts'
import { downloadNames } from '../names.ts'
import { isFields } from '../readers/fields.ts'

const mostHops = 5
/** An answer that names a link is no longer than this, in bytes. */
const longestLink = 16 * 1024

/** What is there of an earlier try. */
export interface PartialDownload {
  bytes: number
  /** A strong ETag or a time of last change, by which the service knows whether it still has the same (RFC 9110, 13.1.5). */
  validator: string | null
}

export interface DownloadSource {
  chunks: AsyncIterable<Uint8Array>
  /** The first byte is this one of the whole. */
  start: number
  /** Length of the whole in bytes; null where it is not told. */
  total: number | null
  validator: string | null
  contentType: string | null
}

/**
 * GET /research/datasets/{dataset_id}/download ("Endpoints"), from where the last try ended if the service lets it.
 * What the answer is, is not shown: a redirect and an answer that names a link are followed, as `follow` says, with
 * the key on the service's own origin only. Answers 'complete' where all of it is held already.
 */
export async function openSource(
  connection: ServiceConnection,
  id: string,
  held: PartialDownload | undefined,
  signals: { signal: AbortSignal; cancelled: AbortSignal | undefined },
): Promise<DownloadSource | 'complete'> {
  const path = `/research/datasets/${segment(id)}/download`
  const { address, asked } = place(connection.baseUrl, { method: 'GET', path })
  const headers = {
    // Bytes are counted, so they come as they are kept.
    'accept-encoding': 'identity',
    accept: '*/*',
    ...(held === undefined || held.validator === null
      ? {}
      : { range: `bytes=${held.bytes}-`, 'if-range': held.validator }),
  }
  let here = address
  let ours = true
  for (let hop = 0; hop <= mostHops; hop += 1) {
    const sending = { method: 'GET' as const, address: here, path, asked, headers, alsoFine: 416, ...signals }
    const response = ours
      ? await sendWithKey(connection, sending)
      : await sendElsewhere(connection, here, headers, signals.signal)
    const chunks = chunksOf(response)
    if (!isModest(response.headers)) {
      await chunks.cancel()
      throw new Unintelligible(`${asked} answered in an encoding that was not asked for.`)
    }
    if (response.status === 416 && held !== undefined && rangeOf(response)?.total === held.bytes) {
      await chunks.cancel()
      return 'complete'
    }
    const link = response.status === 416 ? undefined : await linkOf(response, chunks)
    if (link === undefined) {
      const source = response.status === 416 ? undefined : sourceOf(response, chunks, held)
      if (source !== undefined) return source
      await chunks.cancel()
      if (held !== undefined) return await openSource(connection, id, undefined, signals)
      const { status } = response
      throw new Unintelligible(`${asked} answered ${status}, a part that was not asked for.`, { status })
    }
    await chunks.cancel()
    here = await follow(link, { here, service: address, asked }, connection)
    // Whoever sent us away does not choose what the key asks for.
    ours &&= here.origin === address.origin
  }
  throw new Unintelligible(`${asked} led from one address to the next, ${mostHops} times, and to no data.`)
}

async function sendElsewhere(
  { fetch: fetchIt }: ServiceConnection,
  address: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Response> {
  const response = await fetchIt(address, {
    redirect: 'manual',
    signal,
    headers: { 'user-agent': 'bluepencil', ...headers },
  })
  if (response.status < 400 || response.status === 416) return response
  await response.body?.cancel()
  const { status } = response
  const message = `${address.host}, where the service keeps the data, answered ${status}. Try again later.`
  throw new ServiceFailed(message, { status, retryAfterMs: undefined })
}

/**
 * Where a link leads, if it may be followed: to the service's own origin, or by https to an address of the internet.
 * Never to this machine or a private network: a service has no business with what answers there. A name that leads
 * elsewhere when it is looked up for the second time leads to no one who has a certificate for it.
 */
async function follow(
  link: string,
  { here, service, asked }: { here: URL; service: URL; asked: string },
  { resolve }: ServiceConnection,
): Promise<URL> {
  const next = URL.canParse(link, here) ? new URL(link, here) : undefined
  if (next === undefined) throw new Unintelligible(`${asked} named an address that is none.`)
  next.username = ''
  next.password = ''
  if (next.origin === service.origin) return next
  const refused = (why: string) =>
    new Unintelligible(`${asked} named ${next.host || 'a place'} ${why}, which was not followed.`)
  if (next.protocol !== 'https:') throw refused(`by ${next.protocol.slice(0, -1)}`)
  const host = next.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length > 0 && addresses.every(isPublicAddress)) return next
  throw refused('of this machine or of a private network')
}

/** A redirect's address, or the one that a short answer in JSON names; undefined where the answer is the data. */
async function linkOf(response: Response, chunks: DownloadChunks): Promise<string | undefined> {
  const { status, headers } = response
  if (status >= 300) {
    const location = headers.get('location')
    if (location !== null) return location
    throw new Unintelligible(`A download was answered ${status}, a redirect to no address.`, { status })
  }
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
  if (status !== 200 || !isJson || headers.has('content-disposition')) return undefined
  const text = await chunks.peek(longestLink)
  return text === undefined ? undefined : namedLink(text)
}

/** Data may be JSON too: only an object without a list, one of its values a link, is taken for an answer that names one. */
function namedLink(text: string): string | undefined {
  const value = parse(text)
  const inner = isFields(value) && isFields(value.data) ? value.data : value
  if (!isFields(inner) || Object.values(inner).some((one) => Array.isArray(one))) return undefined
  const link = downloadNames.link.map((name) => inner[name]).find((one) => typeof one === 'string')
  return link !== undefined && /^(https?:\/\/|\/)/i.test(link) ? link : undefined
}

/** Undefined where a part came that was not asked for. */
function sourceOf(
  response: Response,
  chunks: DownloadChunks,
  held: PartialDownload | undefined,
): DownloadSource | undefined {
  const { status, headers } = response
  const encoding = headers.get('content-encoding') ?? 'identity'
  const plain = encoding === 'identity'
  const contentType = headers.get('content-type')
  if (status !== 206) {
    const length = headers.get('content-length')
    const total = plain && length !== null && /^\d+$/.test(length) ? Number(length) : null
    return { chunks, start: 0, total, validator: plain ? validatorOf(headers) : null, contentType }
  }
  const range = rangeOf(response)
  const validator = validatorOf(headers) ?? held?.validator ?? null
  if (!plain || held === undefined || range?.start !== held.bytes || validator !== held.validator)
    return undefined
  return { chunks, start: held.bytes, total: range.total, validator, contentType }
}

function validatorOf(headers: Headers): string | null {
  const tag = headers.get('etag')
  return tag?.startsWith('"') ? tag : headers.get('last-modified')
}

/** `Content-Range: bytes 100-199/200`; a 416 has an asterisk in place of the first two. */
function rangeOf({ headers }: Response): { start: number | undefined; total: number | null } | undefined {
  const found = /^bytes (?:(\d+)-\d+|\*)\/(\d+|\*)$/.exec(headers.get('content-range') ?? '')
  if (found === null) return undefined
  const [, start, total] = found
  return {
    start: start === undefined ? undefined : Number(start),
    total: total === undefined || total === '*' ? null : Number(total),
  }
}

interface DownloadChunks extends AsyncIterable<Uint8Array> {
  /** The whole as text where it ends within so many bytes. What was looked at still comes. */
  peek(longest: number): Promise<string | undefined>
  cancel(): Promise<void>
}

function chunksOf({ body }: Response): DownloadChunks {
  const seen: Uint8Array[] = []
  const rest = body === null ? undefined : body[Symbol.asyncIterator]()
  return {
    async peek(longest) {
      let bytes = 0
      for (let next = await rest?.next(); next !== undefined && !next.done; next = await rest?.next()) {
        seen.push(next.value)
        bytes += next.value.byteLength
        if (bytes > longest) return undefined
      }
      return Buffer.concat(seen).toString('utf8')
    },
    async cancel() {
      await rest?.return?.()
    },
    async *[Symbol.asyncIterator]() {
      yield* seen
      for (let next = await rest?.next(); next !== undefined && !next.done; next = await rest?.next()) {
        yield next.value
      }
    },
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
