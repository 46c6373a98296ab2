import { Router } from 'express'
import type { Access } from '../access.ts'
import { answer } from '../answer.ts'
import type { ServiceDialect } from '../dialect.ts'
import { answerList } from '../lists.ts'
import { parseBody, readJson } from '../request-input.ts'
import {
  CreatedSubscription,
  RemovedAnswer,
  SubscriptionRequest,
  type Subscriptions,
  shownSubscription,
  writeSubscription,
} from '../subscriptions.ts'

export function webhookRoutes(subscriptions: Subscriptions, access: Access, dialect: ServiceDialect): Router {
  const router = Router()
  const secretOnGet = dialect['secret-on-get']
  const schema = shownSubscription(dialect)

  router.use(access.require('webhooks.write'))

  router.post('/', readJson, (request, response) => {
    const wanted = parseBody(SubscriptionRequest, request.body)
    const subscription = subscriptions.create(access.keyOf(request), wanted)
    response.status(Number(dialect['create-status']))
    answer(response, CreatedSubscription, writeSubscription(subscription, 'yes'))
  })

  router.get('/', (request, response) => {
    const entries = subscriptions
      .ownedBy(access.keyOf(request))
      .map((subscription) => writeSubscription(subscription, secretOnGet))
    answerList(request, response, { schema, entries, dialect })
  })

  router.get('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, access.keyOf(request))
    answer(response, schema, writeSubscription(subscription, secretOnGet))
  })

  router.delete('/:id', (request, response) => {
    const subscription = subscriptions.get(request.params.id, access.keyOf(request))
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
