import { type ModelMetrics, metrics } from './metrics.ts'
import type { Connection } from './request.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  type NewWebhook,
  type Webhook,
} from './webhooks.ts'

export interface MonitorClientOptions {
  /** http or https, ending in the version segment `/v1` ("What the service does", 5). */
  baseUrl: string
  /** From the service's dashboard ("Authentication", 2). */
  apiKey: string
  fetch?: typeof fetch
  /** For one request from its start to the last byte of its answer, in milliseconds. */
  timeoutMs?: number
}

/**
 * The monitoring service's interface, a method for each endpoint. Each rejects with a `MonitorError` and with
 * nothing else: `BadRequest`, `Unauthenticated`, `MissingScope`, `NotFound`, `RateLimited`, `ServiceFailed`,
 * `Unreachable` or `Unintelligible`. A signal cuts a request off, which then rejects with `Unreachable`.
 */
export class MonitorClient {
  readonly #connection: Connection

  /** Throws where the address or the key could never work. Makes no request. */
  constructor(options: MonitorClientOptions) {
    const key = readKey(options.apiKey)
    this.#connection = {
      baseUrl: readBaseUrl(options.baseUrl),
      credential: async () => key,
      fetch: options.fetch ?? fetch,
      timeoutMs: options.timeoutMs ?? 10_000,
    }
  }

  /** GET /monitoring/{model}/metrics: rates as the service writes them, `null` where absent. */
  metrics(model: string, signal?: AbortSignal): Promise<ModelMetrics> {
    return metrics(this.#connection, model, signal)
  }

  /** POST /webhooks. */
  createWebhook(webhook: NewWebhook): Promise<Webhook> {
    return createWebhook(this.#connection, webhook)
  }

  /** GET /webhooks. */
  listWebhooks(signal?: AbortSignal): Promise<Webhook[]> {
    return listWebhooks(this.#connection, signal)
  }

  /** GET /webhooks/{id}. */
  getWebhook(id: string, signal?: AbortSignal): Promise<Webhook> {
    return getWebhook(this.#connection, id, signal)
  }

  /** DELETE /webhooks/{id}. */
  deleteWebhook(id: string): Promise<void> {
    return deleteWebhook(this.#connection, id)
  }
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'monitor.baseUrl is not an http or https address; write one such as https://service.example/v1',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('monitor.baseUrl holds a user name or password; the key belongs in monitor.apiKey')
  }
  url.search = ''
  url.hash = ''
  return url
}

/** A header takes visible ASCII; Node's own error for anything else would quote the key. */
function readKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError(
    'monitor.apiKey is empty or has a character that no key has (a space, a line break, an accent)',
  )
}
