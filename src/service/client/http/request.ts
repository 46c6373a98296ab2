import { BadRequest, NotFound, Unintelligible } from '../errors.ts'
import { answerOf, readText, type ServiceAnswer } from './answer.ts'
import type { ServiceConnection } from './connection.ts'
import { withRetries } from './retry.ts'
import { failureOf, sendWithKey } from './send.ts'

export interface ClientCall {
  method: 'GET' | 'POST' | 'DELETE'
  /** Path below the base address, its segments made by `segment`. */
  path: string
  /** Parameters of the query; one that is undefined is left out. */
  query?: Readonly<Record<string, string | undefined>>
  /** Sent as JSON. */
  body?: unknown
  signal?: AbortSignal | undefined
}

/**
 * One request and its answer. GET and DELETE are tried again where the service failed or was not reached; POST
 * never, since what came of it is not known. Rejects with a `MonitorError` and with nothing else.
 */
export async function request(connection: ServiceConnection, call: ClientCall): Promise<ServiceAnswer> {
  const { method, signal } = call
  return await withRetries(connection, { repeatable: method !== 'POST', signal }, async (tries) => {
    try {
      return await attempt(connection, call)
    } catch (error) {
      // A deletion whose answer was lost has been carried out.
      if (method === 'DELETE' && tries > 1 && error instanceof NotFound) return goneAlready(connection, call)
      throw error
    }
  })
}

/** One segment of a path. An empty one, or dots, would name the collection or what is above it. */
export function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadRequest(`"${value}" cannot be an identifier of the service's.`)
  return encodeURIComponent(value)
}

/** Where a call goes, and how an error names it: without its query. */
export function place(baseUrl: URL, call: Pick<ClientCall, 'method' | 'path' | 'query'>) {
  const address = new URL(baseUrl)
  address.pathname = baseUrl.pathname.replace(/\/+$/, '') + call.path
  for (const [name, value] of Object.entries(call.query ?? {})) {
    if (value !== undefined) address.searchParams.set(name, value)
  }
  return { address, asked: `${call.method} ${address.origin}${address.pathname}` }
}

async function attempt(connection: ServiceConnection, call: ClientCall): Promise<ServiceAnswer> {
  const { timeoutMs, credential } = connection
  const { address, asked } = place(connection.baseUrl, call)
  const timeOut = AbortSignal.timeout(timeoutMs)
  try {
    const response = await sendWithKey(connection, {
      method: call.method,
      address,
      path: call.path,
      asked,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: call.signal === undefined ? timeOut : AbortSignal.any([timeOut, call.signal]),
      cancelled: call.signal,
    })
    if (response.status >= 300) throw await redirected(response, address, asked)
    return answerOf(response, await readText(response), asked)
  } catch (error) {
    throw failureOf(error, asked, credential.secrets(), timeOut.aborted ? timeoutMs : undefined)
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

function goneAlready(connection: ServiceConnection, call: ClientCall): ServiceAnswer {
  return answerOf(new Response(null, { status: 204 }), '', place(connection.baseUrl, call).asked)
}
