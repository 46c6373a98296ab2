import { Router } from 'express'
import * as z from 'zod'
import { parseBody } from '../body.ts'
import { eventTypes, models } from '../change.ts'
import type { Deliveries } from '../deliveries.ts'
import type { Dialect } from '../dialect.ts'
import { notFound } from '../errors.ts'
import { type Events, FireRequest } from '../events.ts'
import { keyNames } from '../keys.ts'
import { categories } from '../prompts.ts'
import { type Subscriptions, show } from '../subscriptions.ts'

const StatusRequest = z.strictObject({ status: z.string().min(1) })

const operations = [
  {
    method: 'POST',
    path: '/_sandbox/events',
    body: {
      type: `${eventTypes.join(' or ')}, or any other text`,
      model: `${models.join(', ')}, or any other text`,
      category: `${categories.join(', ')}, or any other text`,
      delta: 'percentage points as a number, or as it is to be written, such as "+12pp"',
      id: 'any text; the same id again is a repeat of the same event',
      detected_at: 'ISO 8601, or any other text',
      repeat: 'how often each subscription gets it in all; 1 unless given',
    },
    does: 'fires an event; whatever is left out is drawn from the seeded world',
    answers: '202 {"id","deliveries"}',
  },
  {
    method: 'GET',
    path: '/_sandbox/deliveries',
    does: 'lists the attempts to deliver, oldest first',
    answers:
      '200 [{"eventId","subscription","attempt","at","status" and "answer" or "error","durationMs","willRetryAt"}]',
  },
  {
    method: 'POST',
    path: '/_sandbox/webhooks/{id}',
    body: { status: 'any text; only "active" receives deliveries' },
    does: "sets a subscription's status",
    answers: '200 and the subscription',
  },
  {
    method: 'DELETE',
    path: '/_sandbox/webhooks',
    does: 'forgets the subscriptions of all keys',
    answers: '200 {"forgotten"}',
  },
]

export interface ControlledParts {
  events: Events
  deliveries: Deliveries
  subscriptions: Subscriptions
  /** Shown as they are. */
  seed: number
  speed: number
  dialect: Dialect
}

/** What a test or a person steers the sandbox with. It is no part of the service, and asks for no key. */
export function controlRoutes({ events, deliveries, subscriptions, ...settings }: ControlledParts): Router {
  const router = Router()

  router.get('/', (_request, response) => {
    response.json({ ...settings, keys: keyNames, operations })
  })

  router.post('/events', (request, response) => {
    response.status(202).json(events.fire(parseBody(FireRequest, request.body)))
  })

  router.get('/deliveries', (_request, response) => {
    response.json(deliveries.log())
  })

  router.post('/webhooks/:id', (request, response) => {
    const { status } = parseBody(StatusRequest, request.body)
    const subscription = subscriptions.find(request.params.id)
    if (subscription === undefined) throw notFound(`There is no subscription ${request.params.id}.`)
    subscription.status = status
    response.json(show(subscription, 'no'))
  })

  router.delete('/webhooks', (_request, response) => {
    const all = subscriptions.all()
    for (const subscription of all) subscriptions.remove(subscription)
    response.json({ forgotten: all.length })
  })

  return router
}
