// TypeScript 7 includes no types by itself, and a script's download may go to a stream of Node's.
/// <reference types="node" preserve="true" />
import * as z from 'zod'
import { systemClock } from '../../platform/clock.ts'
import { type OAuthOptions, oauthCredential } from './auth/oauth.ts'
import type { TokenStore } from './auth/token-store.ts'
import { type Tier, tierOf } from './bucket.ts'
import { type Budget, createBudget, memoryBudgetStore } from './budget.ts'
import { type BiasAnalysis, bias } from './endpoints/bias.ts'
import { type Comparison, compare } from './endpoints/compare.ts'
import { type Downloaded, type DownloadOptions, download } from './endpoints/download.ts'
import { type History, type HistoryQuery, history } from './endpoints/history.ts'
import { categories, type ModelMetrics, metrics } from './endpoints/metrics.ts'
import {
  type Dataset,
  datasets,
  type Publication,
  type PublicationsQuery,
  publications,
} from './endpoints/research.ts'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  type NewWebhook,
  type Webhook,
} from './endpoints/webhooks.ts'
import { BadRequest } from './errors.ts'
import { pages, type Records } from './http/pages.ts'
import type { Credential, ServiceConnection } from './http/request.ts'

export type { OAuthOptions } from './auth/oauth.ts'
// biome-ignore lint/performance/noBarrelFile: what a user of `bluepencil/client` meets comes from one name
export * from './errors.ts'
export { type Counted, inferUnit, inferUnitOfCounts, type RateUnit, toPercent } from './readers/rates.ts'
export type {
  BiasAnalysis,
  Comparison,
  Dataset,
  Downloaded,
  DownloadOptions,
  History,
  HistoryQuery,
  ModelMetrics,
  NewWebhook,
  Publication,
  PublicationsQuery,
  Webhook,
}

/** Figures as the service answered them: a model's history, or the newest of some models. Models have their requested names. */
export type AnsweredFigures =
  | { of: 'history'; model: string; query: HistoryQuery; history: History }
  | { of: 'newest'; metrics: readonly ModelMetrics[] }

type Tuning = Pick<
  ServiceConnection,
  'resolve' | 'timeoutMs' | 'tries' | 'clock' | 'onDate' | 'onSuccess' | 'random'
>

/** By default 10 seconds for a try, three tries, and names as DNS of this machine resolves them. */
export interface MonitorClientOptions extends Partial<Tuning> {
  /** http or https, ending in the version segment `/v1` ("What the service does", 5). */
  baseUrl: string
  /** From the service's dashboard ("Authentication", 2). Either this or `oauth`. */
  apiKey?: string | undefined
  oauth?: OAuthOptions | undefined
  /** Called with each token that the service gives, to keep it out of logs. */
  onSecret?: ((secret: string) => void) | undefined
  /** Where tokens are kept for others too; else each client asks for its own. */
  tokens?: TokenStore | undefined
  /** Requests per hour ("Limits"), counted in memory. Without it they are not counted. */
  tier?: Tier | undefined
  /** A budget that is kept elsewhere, instead of `tier`. */
  budget?: Budget
  fetch?: typeof fetch
  /** Called with all figures that could be read. */
  onFigures?: ((answer: AnsweredFigures) => void) | undefined
}

/**
 * The monitoring service's interface, a method for each endpoint. Each rejects with a `MonitorError` and with
 * nothing else: `BadRequest`, `Unauthenticated`, `MissingScope`, `NotFound`, `RateLimited`, `ServiceFailed`,
 * `Unreachable` or `Unintelligible`. A signal cuts a request off, which then rejects with `Unreachable`.
 */
export class MonitorClient {
  readonly #connection: ServiceConnection
  readonly #onFigures: (answer: AnsweredFigures) => void

  /** Throws if the address or the key could never work. Makes no request. */
  constructor(options: MonitorClientOptions) {
    const { tier, clock = systemClock, onSecret, tokens, timeoutMs = 10_000 } = options
    const fetchIt = options.fetch ?? fetch
    const perHour = tier === undefined ? undefined : tierOf(tier)
    this.#onFigures = options.onFigures ?? (() => undefined)
    const budget =
      options.budget ?? createBudget({ tier: perHour, share: 'all', budgetStore: memoryBudgetStore(), clock })
    this.#connection = {
      baseUrl: readBaseUrl(options.baseUrl),
      credential:
        options.oauth === undefined
          ? keyCredential(options.apiKey ?? '')
          : oauthCredential(options.oauth, { budget, fetch: fetchIt, timeoutMs, clock, onSecret, tokens }),
      budget,
      fetch: fetchIt,
      resolve: options.resolve ?? addressesOf,
      timeoutMs,
      tries: options.tries ?? 3,
      clock,
      onDate: options.onDate,
      onSuccess: options.onSuccess,
      random: options.random ?? Math.random,
    }
  }

  /** GET /monitoring/{model}/metrics: rates as the service writes them, `null` if absent. */
  async metrics(model: string, signal?: AbortSignal): Promise<ModelMetrics> {
    const answer = await metrics(this.#connection, model, signal)
    this.#onFigures({ of: 'newest', metrics: [{ ...answer, model }] })
    return answer
  }

  /** GET /monitoring/{model}/metrics: the categories that the service names, also those that its interface does not show. */
  categories(model: string, signal?: AbortSignal): Promise<string[]> {
    return categories(this.#connection, model, signal)
  }

  /** GET /monitoring/{model}/history, oldest first. What the service's defaults are is not specified. */
  async history(model: string, query: HistoryQuery = {}, signal?: AbortSignal): Promise<History> {
    const answer = await history(this.#connection, model, query, signal)
    this.#onFigures({ of: 'history', model, query, history: answer })
    return answer
  }

  /** GET /monitoring/compare: the metrics of one model or more, and which requested ones are missing. */
  async compare(models: readonly string[], signal?: AbortSignal): Promise<Comparison> {
    const answer = await compare(this.#connection, models, signal)
    const { sampleSize } = answer
    const metrics = answer.models.map((one) => ({ ...one, sampleSize: one.sampleSize ?? sampleSize }))
    this.#onFigures({ of: 'newest', metrics })
    return answer
  }

  /**
   * The alerts that a service may list as the alternative to webhooks, page after page, each as it was written. The
   * interface refers to it without its path or shape ("Endpoints", gaps). `path` is below the base address; `since`
   * (ISO 8601) is a wish that a service may not know. `NotFound` if there is no such list.
   */
  alerts(
    path: string,
    query: { since?: string | undefined } = {},
    signal?: AbortSignal,
  ): AsyncIterable<unknown> {
    if (!/^\/[\w\-./~]+$/.test(path) || path.split('/').includes('..')) {
      throw new BadRequest(`"${path}" is not a valid path. Write one such as /monitoring/alerts.`)
    }
    return pages(this.#connection, { path, query, signal, of: 'alerts' }, z.unknown())
  }

  /** GET /bias/{model}: scores as the service writes them, of these topics or of those that it chooses. */
  bias(model: string, topics?: readonly string[], signal?: AbortSignal): Promise<BiasAnalysis> {
    return bias(this.#connection, model, topics, signal)
  }

  /** GET /research/publications: every page, each requested with its first record. */
  publications(query: PublicationsQuery = {}, signal?: AbortSignal): Records<Publication> {
    return publications(this.#connection, query, signal)
  }

  /** GET /research/datasets: every page, each requested with its first record. */
  datasets(signal?: AbortSignal): Records<Dataset> {
    return datasets(this.#connection, signal)
  }

  /**
   * GET /research/datasets/{dataset_id}/download: the dataset as it comes, to a file or a stream. Rejects with
   * `NotWritten` too.
   */
  download(id: string, options: DownloadOptions): Promise<Downloaded> {
    return download(this.#connection, id, options)
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

/** As `fetch` will ask it too. Needed for downloads from elsewhere only. */
async function addressesOf(host: string): Promise<string[]> {
  const { lookup } = await import('node:dns/promises')
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function readBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(
      'monitor.baseUrl is not an http or https address; write one such as https://service.example/v1',
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('monitor.baseUrl has a user name or password in it; put the key in monitor.apiKey')
  }
  url.search = ''
  url.hash = ''
  return url
}

function keyCredential(text: string): Credential {
  const key = readKey(text)
  return {
    name: 'monitor.apiKey',
    current: async () => key,
    renew: async () => undefined,
    secrets: () => [key],
  }
}

/** A header takes visible ASCII; Node's own error for anything else would quote the key. */
function readKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new TypeError(
    'monitor.apiKey is empty or has a character that keys never have (a space, a line break, an accent)',
  )
}
