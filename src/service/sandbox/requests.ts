import type { RequestHandler } from 'express'
import type { Clock } from '../../platform/clock.ts'
import type { Access } from './access.ts'
import { SlidingHour } from './sliding-hour.ts'

/** One request to the service, whatever was answered. */
export interface LoggedRequest {
  /** ISO 8601, UTC. */
  at: string
  /** The key, or the OAuth client; null where neither was known. */
  key: string | null
  method: string
  /** With its query. */
  path: string
  /** Null while it is being answered, and where the caller went before. */
  status: number | null
}

/** Requests that the log keeps. */
const logged = 10_000

/** What was asked, so that a test can prove that nobody asks more often than the tier allows. */
export class Requests {
  readonly #clock: Clock
  readonly #log: LoggedRequest[] = []
  readonly #lastHour = new Map<string, SlidingHour>()
  readonly #most = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Oldest first. */
  log(): readonly LoggedRequest[] {
    return this.#log
  }

  /** By key, the most requests in any 60 minutes since the start, refused ones too; not bounded by the log. */
  mostInAnHour(): Record<string, number> {
    return Object.fromEntries(this.#most)
  }

  /** Notes each request before it is looked at, and its status when it is answered. */
  note(access: Access): RequestHandler {
    return (request, response, next) => {
      const key = access.nameOf(request)
      const asked: LoggedRequest = {
        at: new Date(this.#clock.now()).toISOString(),
        key,
        method: request.method,
        path: request.originalUrl,
        status: null,
      }
      this.#add(asked)
      if (key !== null) this.#count(key)
      response.on('finish', () => {
        asked.status = response.statusCode
      })
      next()
    }
  }

  #add(asked: LoggedRequest): void {
    this.#log.push(asked)
    if (this.#log.length > logged) this.#log.shift()
  }

  #count(key: string): void {
    const now = this.#clock.now()
    const hour = this.#lastHour.get(key) ?? new SlidingHour()
    this.#lastHour.set(key, hour)
    hour.add(now)
    this.#most.set(key, Math.max(this.#most.get(key) ?? 0, hour.count(now)))
  }
}
