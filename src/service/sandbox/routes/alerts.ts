import { type Request, Router } from 'express'
import type { ServiceDialect } from '../dialect.ts'
import { badRequest } from '../errors.ts'
import type { Events } from '../events.ts'
import { answerList } from '../lists.ts'
import { DeliveryBody } from '../shapes/delivery.ts'

/**
 * The polling alternative to webhooks, which the specification refers to without showing its path or shape: what
 * deliveries carry, as a list, whether one reached anybody or not.
 */
export function alertRoutes(events: Events, dialect: ServiceDialect): Router {
  const router = Router()

  router.get('/', (request, response) => {
    const since = sinceOf(request)
    // A time that cannot be read belongs to an event that a test fired; it is always shown.
    const entries = events.reported().filter(({ data }) => !(Date.parse(data.detected_at) < since))
    if (dialect['alerts-order'] === 'newest-first') entries.reverse()
    answerList(request, response, { schema: DeliveryBody, entries, dialect })
  })

  return router
}

/** Milliseconds since the epoch; 0 where it is left out. Throws a 400. */
function sinceOf(request: Request): number {
  const { since } = request.query
  if (since === undefined) return 0
  const time = typeof since === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(since) ? Date.parse(since) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw badRequest('since must be a time in ISO 8601, such as since=2026-03-01T09:00:00Z.')
}
