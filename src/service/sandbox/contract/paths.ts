import type { ServiceDialect } from '../dialect.ts'
import type { Operation, PathItem } from './document.ts'
import { downloadPaths } from './download-paths.ts'
import { json, schemaReference } from './json-schema.ts'
import { listing, operation, reading, success } from './operation.ts'
import {
  biasTopics,
  category,
  comparedModels,
  model,
  period,
  since,
  subscriptionId,
  year,
} from './parameters.ts'

/** "Endpoints": what is asked under the base address. */
export function paths(dialect: ServiceDialect, origin: string): Record<string, PathItem> {
  return {
    ...monitoringPaths(dialect),
    '/research/publications': {
      get: listing(dialect, {
        operationId: 'listPublications',
        summary: 'What was published, latest first',
        tag: 'research',
        scope: 'research.read',
        schema: 'Publications',
        parameters: [year],
      }),
    },
    '/research/datasets': {
      get: listing(dialect, {
        operationId: 'listDatasets',
        summary: 'The data sets that can be downloaded',
        tag: 'research',
        scope: 'research.read',
        schema: 'Datasets',
      }),
    },
    ...downloadPaths(dialect, origin),
    ...webhookPaths(dialect),
  }
}

function monitoringPaths(dialect: ServiceDialect): Record<string, PathItem> {
  const common = { tag: 'monitoring', scope: 'monitoring.read', errors: [400, 404] } as const
  return {
    '/monitoring/{model}/metrics': {
      get: reading(dialect, {
        ...common,
        operationId: 'getMetrics',
        summary: 'The current refusal rates and bias score of a model',
        schema: 'Metrics',
        parameters: [model],
      }),
    },
    '/monitoring/{model}/history': {
      get: reading(dialect, {
        ...common,
        operationId: 'getHistory',
        summary: 'The refusal rates of a model over time, oldest first',
        schema: 'History',
        parameters: [model, period, category],
      }),
    },
    '/monitoring/compare': {
      get: reading(dialect, {
        ...common,
        operationId: 'compareModels',
        summary: 'The current metrics of several models',
        schema: 'Comparison',
        parameters: [comparedModels],
      }),
    },
    ...(dialect.alerts === 'present' && {
      '/monitoring/alerts': {
        get: listing(dialect, {
          operationId: 'listAlerts',
          summary: `What deliveries carry, as a list, ${dialect['alerts-order'].replaceAll('-', ' ')}`,
          tag: 'monitoring',
          scope: 'monitoring.read',
          schema: 'Events',
          parameters: [since],
        }),
      },
    }),
    '/bias/{model}': {
      get: reading(dialect, {
        ...common,
        operationId: 'getBias',
        summary: 'How differently a model treats the same question from the left and from the right',
        schema: 'BiasAnalysis',
        parameters: [model, biasTopics],
      }),
    },
  }
}

function webhookPaths(dialect: ServiceDialect): Record<string, PathItem> {
  const common = { tag: 'webhooks', scope: 'webhooks.write' } as const
  return {
    '/webhooks': {
      post: {
        ...operation(dialect, {
          ...common,
          operationId: 'createSubscription',
          summary: 'Subscribes an address to events',
          errors: [400],
          answers: {
            [dialect['create-status']]: success(
              'The subscription, with the secret that its deliveries are signed with.',
              dialect,
              {},
              'CreatedSubscription',
            ),
          },
        }),
        requestBody: { required: true, content: json(schemaReference('SubscriptionRequest')) },
      },
      get: listing(dialect, {
        ...common,
        operationId: 'listSubscriptions',
        summary: 'Your own subscriptions, oldest first',
        schema: 'Subscriptions',
      }),
    },
    '/webhooks/{id}': {
      get: reading(dialect, {
        ...common,
        operationId: 'getSubscription',
        summary: 'One subscription',
        schema: 'Subscription',
        parameters: [subscriptionId],
        errors: [400, 404],
      }),
      delete: removal(dialect),
    },
  }
}

function removal(dialect: ServiceDialect): Operation {
  const [status, schema] = { 204: ['204'], '200-empty': ['200'], 200: ['200', 'RemovedSubscription'] }[
    dialect['delete-status']
  ]
  return operation(dialect, {
    operationId: 'deleteSubscription',
    summary: 'Removes a subscription; no delivery begins any more',
    tag: 'webhooks',
    scope: 'webhooks.write',
    parameters: [subscriptionId],
    errors: [400, 404],
    answers: { [status ?? '204']: success('It is removed.', dialect, {}, schema) },
  })
}
