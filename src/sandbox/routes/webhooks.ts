import { Router } from 'express'
import * as z from 'zod'
import { parseBody, readJson } from '../body.ts'
import { eventTypes, models } from '../change.ts'
import type { Dialect } from '../dialect.ts'
import { authenticate, requireWebhooks } from '../keys.ts'
import { type Subscriptions, show } from '../subscriptions.ts'

/** Which of url, events and models may be left out is "not shown", but for url. Left out means all of them. */
const Wanted = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  events: choiceOf(eventTypes),
  models: choiceOf(models),
})

export function webhookRoutes(subscriptions: Subscriptions, dialect: Dialect): Router {
  const router = Router()

  router.use((request, _response, next) => {
    requireWebhooks(authenticate(request.get('authorization')))
    next()
  })

  router.post('/', readJson, (request, response) => {
    const wanted = parseBody(Wanted, request.body)
    const subscription = subscriptions.create(authenticate(request.get('authorization')), wanted)
    response.status(Number(dialect['create-status'])).json(show(subscription, 'yes'))
  })

  router.get('/', (request, response) => {
    const own = subscriptions.ownedBy(authenticate(request.get('authorization')))
    const list = own.map((subscription) => show(subscription, dialect['secret-on-get']))
    const shape = dialect['list-shape']
    response.json(shape === 'bare' ? list : { [shape]: list })
  })

  router.get('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, authenticate(request.get('authorization')))
    response.json(show(subscription, dialect['secret-on-get']))
  })

  router.delete('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, authenticate(request.get('authorization')))
    subscriptions.remove(subscription)
    if (dialect['delete-status'] === '204') response.status(204).end()
    else response.json({ id: subscription.id, deleted: true })
  })

  return router
}

function choiceOf<const T extends readonly [string, ...string[]]>(allowed: T) {
  const all: readonly string[] = allowed
  return z
    .array(z.enum(allowed, { error: `must be one of ${allowed.join(', ')}` }), { error: 'must be a list' })
    .min(1, { error: 'must name at least one; leave it out for all' })
    .transform((chosen): readonly string[] => [...new Set(chosen)])
    .default(all)
}
