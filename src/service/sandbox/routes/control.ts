import { Router } from 'express'
import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import type { Access, Tokens } from '../access.ts'
import { eventTypes, models } from '../change.ts'
import { openApi } from '../contract/openapi.ts'
import type { Deliveries } from '../deliveries.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { DownloadLinks } from '../download.ts'
import { notFound } from '../errors.ts'
import { type Events, FireRequest } from '../events.ts'
import { clientIds, keyNames, keyScopes } from '../keys.ts'
import { categories } from '../prompts.ts'
import { parseBody } from '../request-input.ts'
import type { RequestLog } from '../requests.ts'
import { writeTime } from '../shapes/figures.ts'
import { type Subscriptions, writeSubscription } from '../subscriptions.ts'
import type { World } from '../world.ts'

const StatusRequest = z.strictObject({ status: z.string().min(1) })

const WorldRequest = z.strictObject({
  /** Left out: all of them. */
  model: z.string().optional(),
  hide: z.boolean().optional(),
  silent: z.boolean().optional(),
  down: z.boolean().optional(),
  measure: z.literal(true).optional(),
})

const oauth = {
  tokenPath: '/oauth/token',
  grants: ['client_credentials', 'refresh_token'],
  scopes: keyScopes,
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
  {
    method: 'GET',
    path: '/_sandbox/changes',
    does: 'lists what truly changed in the year before the start and since, oldest first',
    answers: '200 [{"id","at","type","model","category","delta","version"}]',
  },
  {
    method: 'POST',
    path: '/_sandbox/world',
    body: {
      model: `${models.join(', ')}; all unless given`,
      hide: 'true: the model is published no more; compare leaves it out, the rest answers 404',
      silent: 'true: the model may change, but no reading of it is published; last_updated stands still',
      down: 'true: the service answers 503 to every request, and delivers what it has to',
      measure: 'true: every model is read anew, as happens by itself four times a day at speed 1',
    },
    does: 'makes trouble, or ends it with false',
    answers: '200 {"down","models": {MODEL: {"hide","silent"}}}',
  },
]

/** What a sandbox consists of. */
export interface SandboxParts {
  world: World
  events: Events
  deliveries: Deliveries
  subscriptions: Subscriptions
  requests: RequestLog
  access: Access
  tokens: Tokens
  links: DownloadLinks
  clock: Clock
  seed: number
  speed: number
  dialect: ServiceDialect
}

/** The controls for tests and people. They are no part of the service, and ask for no key. */
export function controlRoutes(parts: SandboxParts): Router {
  const { world, events, deliveries, subscriptions, requests, tokens, clock, seed, speed, dialect } = parts
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
    const entries = requests.entries().filter((entry) => key === undefined || entry.key === key)
    response.json({ mostInAnHour: requests.mostInAnHour(), requests: entries })
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

  router.get('/changes', (_request, response) => {
    response.json(world.changes().map(({ id, at, ...change }) => ({ id, at: writeTime(at), ...change })))
  })

  router.post('/world', (request, response) => {
    const { model, hide, silent, down, measure } = parseBody(WorldRequest, request.body)
    for (const name of model === undefined ? models : [model]) {
      if (!world.setFault(name, { hide, silent })) throw notFound(`There is no model ${name}.`)
    }
    world.down = down ?? world.down
    if (measure) world.measure(clock.now())
    response.json({ down: world.down, models: world.faults() })
  })

  return router
}
