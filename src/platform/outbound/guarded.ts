import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { Readable } from 'node:stream'

/** Which addresses a connection may go to. */
export interface AddressRule {
  /** Of an IP address without brackets. */
  allows(address: string): boolean
  /** How names are resolved; for tests. */
  resolve?: (
    hostname: string,
    options: LookupAllOptions,
    done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
  ) => void
}

/** A connection that was not made, since where it leads is not allowed. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed'
  readonly code = 'ADDRESS_NOT_ALLOWED'
  readonly address: string

  constructor(address: string) {
    super(`${address} is not an address that may be connected to`)
    this.address = address
  }
}

/**
 * Like `fetch`, over a connection of its own to an allowed address. Each call resolves the name, checks all its addresses, and
 * connects only to these. So a name whose addresses change (DNS rebinding) leads nowhere else. Node's `fetch` accepts a
 * resolver only with exactly the version of undici that Node contains. Unpacks no body, and follows no redirect.
 */
export async function guardedRequest(url: URL, init: RequestInit, rule: AddressRule): Promise<Response> {
  const { body: text = null } = init
  if (text !== null && typeof text !== 'string') throw new TypeError('only text is sent this way')
  const headers = new Headers(init.headers)
  headers.set('accept-encoding', 'identity')
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        // A connection that is kept could have been made under another rule.
        agent: false,
        lookup: guardedLookup(rule),
        ...(init.signal && { signal: init.signal }),
      },
      (answer) => {
        const { statusCode = 0, statusMessage = '' } = answer
        const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value) => [name, value] satisfies [string, string]),
        )
        const body = [204, 205, 304].includes(statusCode) ? null : Readable.toWeb(answer)
        if (body === null) answer.resume()
        try {
          resolve(new Response(body, { status: statusCode, statusText: statusMessage, headers: pairs }))
        } catch (error) {
          answer.destroy()
          reject(error)
        }
      },
    )
    request.on('error', reject)
    const literal = literalOf(url)
    if (literal !== undefined && !rule.allows(literal)) request.destroy(new AddressNotAllowed(literal))
    else request.end(text)
  })
}

/** The IP address that an address on the web names itself; it is not resolved, and so not judged by the resolver. */
export function literalOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}

/** Resolves a name, and fails if one of its addresses is not allowed. */
export function guardedLookup({ allows, resolve = lookup }: AddressRule): LookupFunction {
  return (hostname, options, done) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '')
      const wrong = found.find(({ address }) => !allows(address))
      const [first] = found
      if (wrong !== undefined || first === undefined)
        return done(new AddressNotAllowed(wrong?.address ?? ''), '')
      return options.all === true ? done(null, found) : done(null, first.address, first.family)
    })
  }
}
