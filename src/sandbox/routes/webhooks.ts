import { Router } from 'express'
import * as z from 'zod'
import type { Access } from '../access.ts'
import { answer } from '../answer.ts'
import { parseBody, readJson } from '../body.ts'
import { eventTypes, models } from '../change.ts'
import type { Dialect } from '../dialect.ts'
import { answerList } from '../lists.ts'
import { RemovedAnswer, SubscriptionAnswer, writeSubscription } from '../shapes/subscription.ts'
import type { Subscriptions } from '../subscriptions.ts'

/** Which of url, events and models may be left out is "not shown", but for url. Left out means all of them. */
const Wanted = z.object({
  url: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }),
  events: choiceOf(eventTypes),
  models: choiceOf(models),
})

export function webhookRoutes(subscriptions: Subscriptions, access: Access, dialect: Dialect): Router {
  const router = Router()
  const secretOnGet = dialect['secret-on-get']

  router.use(access.require('webhooks.write'))

  router.post('/', readJson, (request, response) => {
    const wanted = parseBody(Wanted, request.body)
    const subscription = subscriptions.create(access.of(request), wanted)
    response.status(Number(dialect['create-status']))
    answer(response, SubscriptionAnswer, writeSubscription(subscription, 'yes'))
  })

  router.get('/', (request, response) => {
    const own = subscriptions.ownedBy(access.of(request))
    answerList(request, response, {
      schema: SubscriptionAnswer,
      entries: own.map((subscription) => writeSubscription(subscription, secretOnGet)),
      dialect,
    })
  })

  router.get('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, access.of(request))
    answer(response, SubscriptionAnswer, writeSubscription(subscription, secretOnGet))
  })

  router.delete('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, access.of(request))
    subscriptions.remove(subscription)
    switch (dialect['delete-status']) {
      case '204':
        return void response.status(204).end()
      case '200-empty':
        return void response.status(200).end()
      case '200':
        return answer(response, RemovedAnswer, { id: subscription.id, deleted: true })
    }
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
