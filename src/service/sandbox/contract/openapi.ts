import * as z from 'zod'
import { datasetFileSchema, datasetForm, downloadLinkForm } from '../datasets.ts'
import type { ServiceDialect } from '../dialect.ts'
import { ErrorBody, errorCodes } from '../errors.ts'
import { DeliveryBody } from '../events.ts'
import { hourlyLimits, type KeyScope } from '../keys.ts'
import { listSchema } from '../lists.ts'
import { categories } from '../prompts.ts'
import { publicationForm } from '../publications.ts'
import { TokenAnswer, TokenError } from '../routes/oauth.ts'
import { biasForm } from '../shapes/bias.ts'
import { compareForm } from '../shapes/compare.ts'
import { historyForm } from '../shapes/history.ts'
import { metricsForm } from '../shapes/metrics.ts'
import * as subscription from '../subscriptions.ts'
import { errors, receiveEvent, reference, servicePaths } from './operations.ts'

/**
 * The sandbox's contract in its dialect, as OpenAPI 3.1: paths, parameters, statuses, and the schemas that the answers
 * are written with. `origin` is where it listens: `http://127.0.0.1:4010`.
 */
export function openApi(dialect: ServiceDialect, origin: string) {
  const tokenUrl = `${origin}/oauth/token`
  const tiers = Object.entries(hourlyLimits).map(([tier, limit]) => `${tier} ${limit.toLocaleString('en')}`)
  return {
    openapi: '3.1.1',
    info: {
      title: 'Censorship Monitoring Service (sandbox)',
      version: '1',
      summary: 'Refusal rates, bias scores and policy changes of AI chat models.',
      description: `What the interface specification leaves open is answered as the dialect in \`x-dialect\` says. Requests per hour by tier: ${tiers.join(', ')}. A request above that gets 429 and does not count. Times are ISO 8601, UTC.`,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      'x-dialect': dialect,
    },
    servers: [{ url: `${origin}/v1`, description: 'The sandbox.' }],
    tags: [
      { name: 'monitoring', description: 'Current and historical figures.' },
      { name: 'research', description: 'Publications and data sets.' },
      { name: 'webhooks', description: 'Subscriptions to events.' },
      { name: 'oauth', description: 'Tokens.' },
    ],
    paths: servicePaths(dialect, origin),
    webhooks: { event: { post: receiveEvent } },
    components: {
      schemas: componentSchemas(dialect),
      responses: errorResponses(dialect),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', 'x-requests-per-hour': hourlyLimits },
        oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: scopeMeanings } } },
      },
    },
  }
}

const scopeMeanings: Record<KeyScope, string> = {
  'monitoring.read': 'Metrics, history, comparison, bias; needed only if the dialect `read-scopes` says so.',
  'research.read': 'Publications and data sets; needed only if the dialect `read-scopes` says so.',
  'webhooks.write': 'Everything about subscriptions.',
}

/** The form of each body in the dialect, by the name that operations refer to. */
function componentSchemas(dialect: ServiceDialect): Record<string, JsonSchema> {
  const write = (schema: z.ZodType) => jsonSchema(schema, dialect)
  const list = (name: string) => write(listSchema(z.unknown().meta(reference(name)), dialect))
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
    ...(dialect.download === 'stream' && { DatasetFile: write(datasetFileSchema(dialect)) }),
    ...(dialect.download === 'json-link' && { DownloadLink: write(downloadLinkForm(dialect).schema) }),
    SubscriptionRequest: jsonSchema(subscription.SubscriptionRequest, dialect, 'input'),
    CreatedSubscription: write(subscription.CreatedSubscription),
    Subscription: write(subscription.shownSubscription(dialect)),
    Subscriptions: list('Subscription'),
    ...(dialect['delete-status'] === '200' && { RemovedSubscription: write(subscription.RemovedAnswer) }),
    Event: write(DeliveryBody),
    ...(dialect.alerts === 'present' && { Events: list('Event') }),
    Token: write(TokenAnswer),
    TokenError: write(TokenError),
  }
}

/** Every error has the same form, and each status its code. */
function errorResponses(dialect: ServiceDialect): Record<string, { description: string; content: object }> {
  const { message, retry_after } = ErrorBody.shape.error.shape
  const responses = ([400, 401, 403, 404, 429, 503] as const).map((status) => {
    const saysWhen = status === 429 && dialect['retry-after'] !== 'header'
    const code = z.literal(errorCodes[status])
    const error = z.strictObject({ code, message, ...(saysWhen && { retry_after: retry_after.unwrap() }) })
    const schema = jsonSchema(z.strictObject({ error }), dialect)
    const { name, description } = errors[status]
    return [name, { description, content: { 'application/json': { schema } } }] as const
  })
  return Object.fromEntries(responses)
}

/** JSON Schema, draft 2020-12: that of OpenAPI 3.1. */
type JsonSchema = Readonly<Record<string, unknown>>

/** What an answer in this form contains; with `input`, a request before defaults are filled in. */
export function jsonSchema(
  schema: z.ZodType,
  { 'extra-fields': extraFields }: ServiceDialect,
  io: 'input' | 'output' = 'output',
): JsonSchema {
  const { $schema: _, ...made } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema: written }) {
      // The format says it, and in fewer words than zod's pattern.
      if (written.format === 'date-time') delete written.pattern
      // JSON Schema has no such format; the pattern beside it says it.
      if (written.format === 'starts_with') delete written.format
      // The largest whole number of JavaScript is no bound of the service's.
      if (written.maximum === Number.MAX_SAFE_INTEGER) delete written.maximum
      // The names of this sandbox's unknown fields begin with x_.
      if (extraFields === 'yes' && written.additionalProperties === false) {
        written.patternProperties = { '^x_': {} }
      }
      // A map that has each of some names is an object with these fields.
      const { required, additionalProperties: value } = written
      if (required !== undefined && written.propertyNames !== undefined && value !== undefined) {
        written.properties = Object.fromEntries(required.map((name) => [name, value]))
        written.additionalProperties = false
        delete written.propertyNames
      }
    },
  })
  return made
}
