import * as z from 'zod'
import { AlertRecord } from '../export/record.ts'
import { AlertFilters } from '../query.ts'

/** What the API is asked for, and what it answers: its description is made of this, and so are its answers. */
export const EventsQuery = AlertFilters.extend({
  limit: z.coerce.number().int().min(1).max(500).default(100).meta({ description: 'So many at most' }),
  cursor: z
    .string()
    .regex(/^[\w-]{1,24}$/, 'is not a cursor of an answer')
    .optional()
    .meta({ description: 'Of the answer before: goes on where that ended' }),
})

const EventsAnswer = z
  .object({
    data: z.array(AlertRecord).meta({ description: 'Newest first' }),
    next: z.string().nullable().meta({ description: 'Cursor of what comes after these; null at the end' }),
  })
  .meta({ description: 'A page of alerts' })
export type EventsAnswer = z.infer<typeof EventsAnswer>

const ProblemAnswer = z
  .object({
    status: z.int(),
    title: z.string(),
    detail: z.string().meta({ description: 'What to do, or what is wrong' }),
  })
  .meta({ description: 'Why there is no answer (RFC 9457)' })

const json = (name: string) => ({ 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } })

const problems = {
  400: 'The address asks for what there is not.',
  401: 'There is no token, or it is not known.',
  403: 'The console is not open to this machine.',
  404: 'No such alert is stored.',
  500: 'Something went wrong. The log says what.',
  503: 'The store cannot be read now.',
}

/** The API in OpenAPI 3.1. `root`: the console's own address. */
export function openApiOf(root: string): object {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Bluepencil',
      version: '1',
      summary: 'What a newsroom was alerted to: changes of what AI chat models refuse.',
      description:
        'Reads, and changes nothing. Fields may be added; none goes away, or means something else, under v1.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: `${root}/api/v1`, description: 'This installation.' }],
    security: [{ token: [] }],
    tags: [{ name: 'events', description: 'Alerts, with what became of them.' }],
    paths: {
      '/events': {
        get: {
          operationId: 'listEvents',
          summary: 'Alerts, newest first, by the filters of the console',
          tags: ['events'],
          parameters: parameters(),
          responses: {
            200: { description: 'A page of alerts.', content: json('Alerts') },
            ...answersOf(400, 401, 403, 500, 503),
          },
        },
      },
      '/events/{id}': {
        get: {
          operationId: 'getEvent',
          summary: 'One alert',
          tags: ['events'],
          parameters: [
            {
              name: 'id',
              in: 'path',
              required: true,
              description: 'As in the list',
              schema: { type: 'string' },
            },
          ],
          responses: {
            200: { description: 'The alert.', content: json('Alert') },
            ...answersOf(401, 403, 404, 500, 503),
          },
        },
      },
    },
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token for the API, which an administrator makes in the console.',
        },
      },
      responses: Object.fromEntries(
        Object.entries(problems).map(([status, description]) => [
          `Problem${status}`,
          { description, content: { 'application/problem+json': json('Problem')['application/json'] } },
        ]),
      ),
      schemas: schemas(),
    },
  }
}

/** In the query, as they are asked for. */
function parameters(): object[] {
  return Object.entries(EventsQuery.shape).map(([name, schema]) => {
    const { $schema: _, description, ...form } = z.toJSONSchema(schema, { io: 'input' })
    return { name, in: 'query', required: false, description, schema: form }
  })
}

function answersOf(...statuses: (keyof typeof problems)[]): Record<string, object> {
  return Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  )
}

function schemas(): object {
  const registry = z.registry<{ id: string }>()
  registry.add(AlertRecord, { id: 'Alert' })
  registry.add(EventsAnswer, { id: 'Alerts' })
  registry.add(ProblemAnswer, { id: 'Problem' })
  const made = z.toJSONSchema(registry, {
    uri: (id) => `#/components/schemas/${id}`,
    // There may be more in an answer one day.
    override({ jsonSchema }) {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    },
  })
  return Object.fromEntries(Object.entries(made.schemas).map(([name, schema]) => [name, withoutIds(schema)]))
}

/** A component has its name from its place. */
function withoutIds({ $schema: _schema, $id: _id, ...schema }: { $schema?: unknown; $id?: unknown }): object {
  return schema
}
