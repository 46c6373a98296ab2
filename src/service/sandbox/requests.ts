import type { RequestHandler } from 'express'
import type { Clock } from '../../platform/clock.ts'
import type { Access } from './access.ts'
import { SlidingHour } from './limits.ts'

/** One request to the service, with any answer. */
interface LoggedRequest {
  /** ISO 8601, UTC. */
  at: string
  /** The key, or the OAuth client; null for neither. */
  key: string | null
  method: string
  /** With its query. */
  path: string
  /** Null before the answer, and if the caller left before it. */
  status: number | null
}

const mostLogged = 10_000

export type RequestLog = ReturnType<typeof createRequestLog>

/** The log by which a test proves that nobody asks more often than the tier allows. */
export function createRequestLog(clock: Clock, access: Access) {
  const entries: LoggedRequest[] = []
  const lastHour = new Map<string, SlidingHour>()
  const mostInAnHour = new Map<string, number>()

  function count(key: string, now: number): void {
    const hour = lastHour.get(key) ?? new SlidingHour()
    lastHour.set(key, hour)
    hour.add(now)
    mostInAnHour.set(key, Math.max(mostInAnHour.get(key) ?? 0, hour.count(now)))
  }

  /** Logs each request before it is looked at, and its status with the answer. */
  const log: RequestHandler = (request, response, next) => {
    const key = access.nameOf(request)
    const now = clock.now()
    const at = new Date(now).toISOString()
    const entry: LoggedRequest = {
      at,
      key,
      method: request.method,
      path: request.originalUrl,
      status: null,
    }
    entries.push(entry)
    if (entries.length > mostLogged) entries.shift()
    if (key !== null) count(key, now)
    response.on('finish', () => {
      entry.status = response.statusCode
    })
    next()
  }

  return {
    log,
    /** Oldest first. */
    entries: (): readonly LoggedRequest[] => entries,
    /** By key, the most requests in any 60 minutes since the start, refused ones too; the log does not bound it. */
    mostInAnHour: (): Record<string, number> => Object.fromEntries(mostInAnHour),
  }
}
