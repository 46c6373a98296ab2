import * as oauth from 'oauth4webapi'
import { hourMs } from '../../../platform/durations.ts'
import { exchange } from '../../../platform/outbound/exchange.ts'
import { NotSignedIn, notSignedIn } from './failure.ts'

/** One answer; no document of a provider comes near these. */
const bounds = { timeoutMs: 5_000, mostBytes: 256 * 1024, mostValues: 20_000 }
/** So long what a provider says of itself is used. */
const freshMs = hourMs
/** And so long nobody asks again where it could not be read, in milliseconds. */
const pauseMs = 5_000

/** How the library asks: by our own client, which bounds each answer; plain http only of this machine, which the configuration sees to. */
export function askingOf(issuer: string, signal?: AbortSignal) {
  return {
    ...(signal !== undefined && { signal }),
    headers: { 'user-agent': 'bluepencil' },
    [oauth.customFetch]: ask,
    [oauth.allowInsecureRequests]: issuer.startsWith('http:'),
  }
}

interface ProviderRequest {
  method: string
  headers: Record<string, string>
  body?: URLSearchParams | null | undefined
  signal?: AbortSignal
}

async function ask(url: string, { method, headers, body, signal }: ProviderRequest): Promise<Response> {
  const answer = await exchange(url, { method, headers, ...(body && { body }) }, { ...bounds, signal })
  return new Response(answer.body === '' ? null : answer.body, {
    status: answer.status,
    headers: answer.headers,
  })
}

/** What the provider says of itself (OpenID Connect Discovery 1.0). Rejects with `NotSignedIn`. */
export async function discover(issuer: string): Promise<oauth.AuthorizationServer> {
  try {
    const url = new URL(issuer)
    return await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, askingOf(issuer)))
  } catch (error) {
    throw notSignedIn(error)
  }
}

export interface Providers {
  /** Read once for all who wait. Rejects with `NotSignedIn`. */
  of(issuer: string): Promise<oauth.AuthorizationServer>
  /** It may have changed, its keys too. */
  forget(): void
}

export function openProviders(now: () => number): Providers {
  let known: { issuer: string; until: number; server: Promise<oauth.AuthorizationServer> } | undefined

  return {
    of(issuer) {
      // A clock that was set back does not make it last.
      const left = known === undefined ? 0 : known.until - now()
      if (known !== undefined && known.issuer === issuer && left > 0 && left <= freshMs) return known.server
      const reading = { issuer, until: now() + freshMs, server: discover(issuer) }
      reading.server.catch(() => {
        reading.until = now() + pauseMs
      })
      known = reading
      return reading.server
    },
    forget() {
      known = undefined
    },
  }
}

/** Where people are sent, and where the code is exchanged. */
export function endpointOf(server: oauth.AuthorizationServer): URL {
  const { authorization_endpoint: address } = server
  if (address === undefined || !URL.canParse(address))
    throw new NotSignedIn('unfit', 'authorization_endpoint')
  return new URL(address)
}
