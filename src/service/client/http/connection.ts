import type { Clock } from '../../../platform/clock.ts'
import type { Budget } from '../budget.ts'
import type { Secrets } from './redact.ts'

/** What follows `Bearer` in each request ("Authentication", 1). */
export interface Credential {
  /** What it is called in the configuration. */
  readonly name: 'monitor.apiKey' | 'monitor.oauth'
  /** Rejects with a `MonitorError` where there is none to be had. */
  current(signal?: AbortSignal): Promise<string>
  /** Another one in place of a stale one that the service answered 401 to; undefined where there is none. */
  renew(stale: string, signal?: AbortSignal): Promise<string | undefined>
  /** Everything that may not be seen, as it stands now. */
  secrets(): Secrets
}

/** What every request of one client shares. */
export interface ServiceConnection {
  /** Ends in the version segment `/v1` ("What the service does", 5). */
  baseUrl: URL
  credential: Credential
  budget: Budget
  fetch: typeof fetch
  /** The IP addresses of a host's name. */
  resolve: (host: string) => Promise<string[]>
  /** For one try from its start to the last byte of its answer; for a download, without a byte. Milliseconds. */
  timeoutMs: number
  /** How often what is safe to repeat is tried, the first time included. */
  tries: number
  clock: Clock
  /** The `Date` of an answer, in milliseconds since the epoch. */
  onDate?: ((date: number) => void) | undefined
  /** The service did what it was asked. */
  onSuccess?: (() => void) | undefined
  /** From 0 up to, not including, 1. */
  random: () => number
}
