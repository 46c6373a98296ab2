import type * as z from 'zod'
import type { ServiceDialect } from '../dialect.ts'
import { categories } from '../prompts.ts'
import { biasForm } from '../shapes/bias.ts'
import { compareForm } from '../shapes/compare.ts'
import { datasetFileSchema, datasetForm, downloadLinkForm } from '../shapes/dataset.ts'
import { DeliveryBody } from '../shapes/delivery.ts'
import { historyForm } from '../shapes/history.ts'
import { listSchema } from '../shapes/list.ts'
import { metricsForm } from '../shapes/metrics.ts'
import { publicationForm } from '../shapes/publication.ts'
import {
  CreatedSubscription,
  RemovedAnswer,
  SubscriptionRequest,
  shownSubscription,
} from '../shapes/subscription.ts'
import { TokenAnswer, TokenError } from '../shapes/token.ts'
import type { JsonSchema } from './document.ts'
import { jsonSchema, named } from './json-schema.ts'

/** The form of each body in the dialect, by the name under which the operations refer to it. */
export function componentSchemas(dialect: ServiceDialect): Record<string, JsonSchema> {
  const write = (schema: z.ZodType) => jsonSchema(schema, dialect)
  const list = (name: string) => write(listSchema(named(name), dialect))
  const histories = [...categories, 'all' as const].map((category) => historyForm(dialect, category).schema)
  return {
    Metrics: write(metricsForm(dialect).schema),
    History: { oneOf: histories.map(write) },
    Comparison: write(compareForm(dialect).schema),
    BiasAnalysis: write(biasForm(dialect).schema),
    Publication: write(publicationForm(dialect).schema),
    Publications: list('Publication'),
    Dataset: write(datasetForm(dialect).schema),
    Datasets: list('Dataset'),
    DatasetFile: write(datasetFileSchema(dialect)),
    ...(dialect.download === 'json-link' && { DownloadLink: write(downloadLinkForm(dialect).schema) }),
    SubscriptionRequest: jsonSchema(SubscriptionRequest, dialect, 'input'),
    CreatedSubscription: write(CreatedSubscription),
    Subscription: write(shownSubscription(dialect)),
    Subscriptions: list('Subscription'),
    ...(dialect['delete-status'] === '200' && { RemovedSubscription: write(RemovedAnswer) }),
    Event: write(DeliveryBody),
    ...(dialect.alerts === 'present' && { Events: list('Event') }),
    Token: write(TokenAnswer),
    TokenError: write(TokenError),
  }
}
