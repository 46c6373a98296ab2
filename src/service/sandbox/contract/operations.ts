import { models } from '../change.ts'
import type { ServiceDialect } from '../dialect.ts'
import type { KeyScope } from '../keys.ts'
import { categories, topics } from '../prompts.ts'
import { periods } from '../shapes/history.ts'

/** The specification's statuses ("Errors"), and 503 while the service is down. */
export const errors = {
  400: { name: 'BadRequest', description: 'The request cannot be read, or a value in it cannot be.' },
  401: { name: 'Unauthorized', description: 'The key or the token is missing, unknown or expired.' },
  403: { name: 'Forbidden', description: 'The key lacks the scope.' },
  404: { name: 'NotFound', description: 'There is no such model or resource.' },
  429: { name: 'TooManyRequests', description: 'The hourly limit of the tier is reached.' },
  503: { name: 'Unavailable', description: 'The service is down for a while.' },
} as const
type ErrorStatus = keyof typeof errors

const text = { type: 'string' }
const parameters = {
  model: { description: 'The AI model.', schema: { ...text, enum: models } },
  id: { description: 'The id of the subscription.', schema: { ...text, pattern: '^wh_' } },
  dataset_id: { description: 'From the list of data sets.', schema: text },
  period: {
    description: 'How far back, from the last reading.',
    schema: { ...text, enum: Object.keys(periods), default: '30d' },
  },
  category: {
    description: 'Whose refusal rate; all of them and the overall rate.',
    schema: { ...text, enum: [...categories, 'all'], default: 'all' },
  },
  models: commaList(models),
  topics: commaList(topics),
  since: { description: 'Only what was detected then or later.', schema: { ...text, format: 'date-time' } },
  year: { description: 'Of publication. Left out: all years.', schema: { ...text, pattern: '^\\d{4}$' } },
  cursor: { description: 'From the page before. Left out: the first page.', schema: text },
  page: { description: 'From 1.', schema: { type: 'integer', minimum: 1, default: 1 } },
}

function commaList(allowed: readonly string[]) {
  const schema = { type: 'array', items: { ...text, enum: allowed }, minItems: 1 }
  return { description: 'Left out: all of them.', schema, style: 'form', explode: false }
}

function parameter(name: string, place: 'path' | 'query') {
  const documented = Object.entries(parameters).find(([other]) => other === name)?.[1]
  return { name, in: place, required: place === 'path', ...documented }
}

interface DocumentedOperation {
  /** Method and path: "get /monitoring/compare". */
  on: string
  id: string
  summary: string
  query?: readonly (keyof typeof parameters)[]
  /** The schema of the body that is sent. */
  body?: string
  /** The schema of its 200, or all answers that are no errors. */
  answers: string | Record<string, object>
}

/** "Endpoints". */
function operations(dialect: ServiceDialect): DocumentedOperation[] {
  const page = ({ none: [], cursor: ['cursor'], number: ['page'], link: ['page'] } as const)[dialect.pages]
  const removed = { description: 'It is removed.' }
  return [
    {
      on: 'get /monitoring/{model}/metrics',
      id: 'getMetrics',
      summary: 'The current refusal rates and bias score of a model',
      answers: 'Metrics',
    },
    {
      on: 'get /monitoring/{model}/history',
      id: 'getHistory',
      summary: 'The refusal rates of a model over time, oldest first',
      query: ['period', 'category'],
      answers: 'History',
    },
    {
      on: 'get /monitoring/compare',
      id: 'compareModels',
      summary: 'The current metrics of several models',
      query: ['models'],
      answers: 'Comparison',
    },
    {
      on: 'get /monitoring/alerts',
      id: 'listAlerts',
      summary: `What deliveries carry, as a list, ${dialect['alerts-order'].replaceAll('-', ' ')}`,
      query: ['since', ...page],
      answers: 'Events',
    },
    {
      on: 'get /bias/{model}',
      id: 'getBias',
      summary: 'How differently a model treats the same question from the left and from the right',
      query: ['topics'],
      answers: 'BiasAnalysis',
    },
    {
      on: 'get /research/publications',
      id: 'listPublications',
      summary: 'What was published, latest first',
      query: ['year', ...page],
      answers: 'Publications',
    },
    {
      on: 'get /research/datasets',
      id: 'listDatasets',
      summary: 'The data sets that can be downloaded',
      query: page,
      answers: 'Datasets',
    },
    {
      on: 'get /research/datasets/{dataset_id}/download',
      id: 'downloadDataset',
      summary: 'A data set; with the header Range a part of it, if the dialect has `ranges`',
      answers: downloadAnswers(dialect),
    },
    {
      on: 'post /webhooks',
      id: 'createSubscription',
      summary: 'Subscribes an address to events; only this answer is sure to have the secret',
      body: 'SubscriptionRequest',
      answers: {
        [dialect['create-status']]: { description: 'Made.', content: content('CreatedSubscription') },
      },
    },
    {
      on: 'get /webhooks',
      id: 'listSubscriptions',
      summary: 'Your own subscriptions, oldest first',
      query: page,
      answers: 'Subscriptions',
    },
    {
      on: 'get /webhooks/{id}',
      id: 'getSubscription',
      summary: 'One subscription',
      answers: 'Subscription',
    },
    {
      on: 'delete /webhooks/{id}',
      id: 'deleteSubscription',
      summary: 'Removes a subscription; no delivery begins any more',
      answers: { 204: { 204: removed }, '200-empty': { 200: removed }, 200: 'RemovedSubscription' }[
        dialect['delete-status']
      ],
    },
  ]
}

/** A data set as such, or the address that it is at (dialect `download`). */
function downloadAnswers({ download, ranges }: ServiceDialect): DocumentedOperation['answers'] {
  if (download === 'json-link') return 'DownloadLink'
  if (download === 'redirect') return { 302: { description: 'It is elsewhere.' } }
  const csv = { 'text/csv': { schema: text } }
  return {
    200: { description: 'The data set.', content: { ...csv, ...content('DatasetFile') } },
    ...(ranges === 'yes' && {
      206: { description: 'The bytes that were asked for.', content: csv },
      416: { description: 'It has no such bytes.' },
    }),
  }
}

interface PathOperation {
  operationId: string
  summary: string
  tags: readonly string[]
  security: readonly Record<string, readonly string[]>[]
  parameters: readonly object[]
  requestBody?: object
  responses: Record<string, object>
  servers?: readonly { url: string }[]
}
type PathItem = Record<string, PathOperation>

export function servicePaths(dialect: ServiceDialect, origin: string): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {
    '/oauth/token': { post: { ...getToken, servers: [{ url: origin }] } },
  }
  for (const operation of operations(dialect)) {
    const [method = '', path = ''] = operation.on.split(' ')
    if (path === '/monitoring/alerts' && dialect.alerts === 'absent') continue
    paths[path] = { ...paths[path], [method]: pathOperation(operation, path, dialect) }
  }
  return paths
}

function pathOperation(operation: DocumentedOperation, path: string, dialect: ServiceDialect): PathOperation {
  const { id, summary, query = [], body, answers } = operation
  const inPath = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => parameter(name, 'path'))
  const all = [...inPath, ...query.map((name) => parameter(name, 'query'))]
  const { tag, scope } = areaOf(path)
  const needsScope = scope === 'webhooks.write' || dialect['read-scopes'] === 'needed'
  const namesOne = inPath.length > 0 || path === '/monitoring/compare'
  const refusals: ErrorStatus[] = [
    ...(all.length > 0 || body !== undefined ? [400 as const] : []),
    401,
    ...(needsScope ? [403 as const] : []),
    ...(namesOne ? [404 as const] : []),
    429,
    503,
  ]
  return {
    operationId: id,
    summary,
    tags: [tag],
    security: [{ key: [] }, { oauth: needsScope ? [scope] : [] }],
    parameters: all,
    ...(body !== undefined && { requestBody: { required: true, content: content(body) } }),
    responses: {
      ...(typeof answers === 'string'
        ? { 200: { description: 'As asked for.', content: content(answers) } }
        : answers),
      ...Object.fromEntries(
        refusals.map((status) => [status, { $ref: `#/components/responses/${errors[status].name}` }]),
      ),
    },
  }
}

function areaOf(path: string): { tag: string; scope: KeyScope } {
  if (path.startsWith('/webhooks')) return { tag: 'webhooks', scope: 'webhooks.write' }
  if (path.startsWith('/research')) return { tag: 'research', scope: 'research.read' }
  return { tag: 'monitoring', scope: 'monitoring.read' }
}

/** The token endpoint (RFC 6749, 4.4 and 6), which stands beside the base address. */
const getToken = {
  operationId: 'getToken',
  summary: 'An access token for client credentials or a refresh token',
  description:
    'The client authenticates with HTTP Basic or with client_id and client_secret in the form, never both.',
  tags: ['oauth'],
  security: [],
  parameters: [],
  requestBody: {
    required: true,
    content: {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          required: ['grant_type'],
          properties: {
            grant_type: { ...text, enum: ['client_credentials', 'refresh_token'] },
            refresh_token: text,
            scope: { ...text, description: 'Scopes with blanks between them; all that the client has.' },
            client_id: text,
            client_secret: text,
          },
        },
      },
    },
  },
  responses: {
    200: { description: 'The token.', content: content('Token') },
    400: { description: 'Refused (RFC 6749, 5.2).', content: content('TokenError') },
    401: { description: 'The client or its secret is not known.', content: content('TokenError') },
  },
}

/** "Events": what a subscriber receives, and what its answers mean. */
export const receiveEvent = {
  operationId: 'receiveEvent',
  summary: 'A model changed',
  description:
    'Sent to the address of each subscription that wants the event. Without a 2xx within ten seconds it is sent again, after pauses that grow.',
  tags: ['webhooks'],
  security: [],
  parameters: [
    {
      name: 'X-Service-Signature',
      in: 'header',
      required: true,
      description: 'HMAC of the raw body with the secret of the subscription. Check it before reading.',
      schema: text,
    },
  ],
  requestBody: { required: true, content: content('Event') },
  responses: {
    '2XX': { description: 'Received; it is not sent again, or was received before.' },
    '4XX': { description: 'Not received; it is tried again.' },
    '5XX': { description: 'Not received; it is tried again.' },
  },
}

/** A body of JSON with a schema of this document. */
function content(name: string) {
  return { 'application/json': { schema: reference(name) } }
}

export function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` }
}
