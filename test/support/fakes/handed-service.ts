import { setImmediate as turn } from 'node:timers/promises'
import { onTestFinished, vi } from 'vitest'

export interface AskedOfService {
  method: string
  /** Below the base address. */
  path: string
  query: URLSearchParams
  body: unknown
}

/** Where a client reaches the service that `handService` is. */
export const handedBaseUrl = 'https://service.example/v1'

/** The monitoring service without a socket: each request of a client that is made from now on is handed to `answer`. */
export function handService(answer: (asked: AskedOfService) => Response | Promise<Response>) {
  const requests: AskedOfService[] = []
  let open = 0

  vi.stubGlobal('fetch', async (address: URL, init: RequestInit = {}) => {
    const path = address.pathname.slice(new URL(handedBaseUrl).pathname.length)
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const request = { method: init.method ?? 'GET', path, query: address.searchParams, body }
    requests.push(request)
    open += 1
    try {
      // As an answer from a socket, it never comes in the turn in which it was asked for.
      await turn()
      return await answer(request)
    } finally {
      open -= 1
    }
  })
  onTestFinished(() => void vi.unstubAllGlobals())

  return {
    /** Every request, in order. */
    asked: requests,
    /** For `createManualClock`: ends when no request waits for its answer. */
    async settled(): Promise<void> {
      while (open > 0) await turn()
    },
  }
}

/** As the service answers with JSON. */
export function jsonAnswer(
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): Response {
  const all = { 'content-type': 'application/json', ...headers }
  return new Response(JSON.stringify(body), { status, headers: all })
}
