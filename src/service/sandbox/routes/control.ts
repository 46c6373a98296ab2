import { Router } from 'express'
import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Access } from '../access.ts'
import { parseBody } from '../body.ts'
import { eventTypes, models } from '../change.ts'
import { openApi } from '../contract/openapi.ts'
import type { Deliveries } from '../deliveries.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { DownloadLinks } from '../download-links.ts'
import { notFound } from '../errors.ts'
import { type Events, FireRequest } from '../events.ts'
import { clientIds, keyNames, scopes } from '../keys.ts'
import { categories } from '../prompts.ts'
import type { Requests } from '../requests.ts'
import { writeSubscription } from '../shapes/subscription.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { Tokens } from '../tokens.ts'
import { worldOperations } from './world.ts'

const StatusRequest = z.strictObject({ status: z.string().min(1) })

const oauth = {
  tokenPath: '/oauth/token',
  grants: ['client_credentials', 'refresh_token'],
  scopes,
  clients: clientIds,
  secret: 'the id with -secret behind it',
  refreshToken: 'the id with -refresh behind it, to begin with',
}

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
    does: 'fires an event; what is left out is drawn from the seeded world',
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
    method: 'GET',
    path: '/_sandbox/requests',
    query: { key: 'of this key or OAuth client only' },
    does: 'lists the last requests to the service, oldest first, and the most of each key in any 60 minutes',
    answers: '200 {"mostInAnHour":{KEY:N},"requests":[{"at","key","method","path","status"}]}',
  },
  {
    method: 'GET',
    path: '/_sandbox/openapi.json',
    does: 'gives the contract of the service in the dialect that it speaks',
    answers: '200 and an OpenAPI 3.1 document',
  },
  {
    method: 'DELETE',
    path: '/_sandbox/tokens',
    does: 'ends all OAuth access tokens before their time',
    answers: '200 {"ended"}',
  },
  {
    method: 'POST',
    path: '/_sandbox/webhooks/{id}',
    body: { status: 'any text, such as paused; only "active" receives deliveries' },
    does: "sets a subscription's status",
    answers: '200 and the subscription',
  },
  {
    method: 'DELETE',
    path: '/_sandbox/webhooks',
    does: 'forgets the subscriptions of all keys',
    answers: '200 {"forgotten"}',
  },
  ...worldOperations,
]

export interface ControlledParts {
  events: Events
  deliveries: Deliveries
  subscriptions: Subscriptions
  requests: Requests
  access: Access
  tokens: Tokens
  links: DownloadLinks
  clock: Clock
  /** Shown as they are. */
  seed: number
  speed: number
  dialect: ServiceDialect
}

/** What a test or a person steers the sandbox with. It is no part of the service, and asks for no key. */
export function controlRoutes(parts: ControlledParts): Router {
  const { events, deliveries, subscriptions, requests, tokens, clock, seed, speed, dialect } = parts
  const router = Router()

  router.get('/', (_request, response) => {
    response.json({ seed, speed, dialect, keys: keyNames, oauth, operations })
  })

  router.post('/events', (request, response) => {
    response.status(202).json(events.fire(parseBody(FireRequest, request.body)))
  })

  router.get('/deliveries', (_request, response) => {
    response.json(deliveries.log())
  })

  router.get('/requests', (request, response) => {
    const { key } = request.query
    const asked = requests.log().filter((one) => key === undefined || one.key === key)
    response.json({ mostInAnHour: requests.mostInAnHour(), requests: asked })
  })

  router.get('/openapi.json', (request, response) => {
    response.json(openApi(dialect, `${request.protocol}://${request.host}`))
  })

  router.delete('/tokens', (_request, response) => {
    response.json({ ended: tokens.expireAll(clock.now()) })
  })

  router.post('/webhooks/:id', (request, response) => {
    const { status } = parseBody(StatusRequest, request.body)
    const subscription = subscriptions.find(request.params.id)
    if (subscription === undefined) throw notFound(`There is no subscription ${request.params.id}.`)
    subscription.status = status
    response.json(writeSubscription(subscription, 'no'))
  })

  router.delete('/webhooks', (_request, response) => {
    const all = subscriptions.all()
    for (const subscription of all) subscriptions.remove(subscription)
    response.json({ forgotten: all.length })
  })

  return router
}
