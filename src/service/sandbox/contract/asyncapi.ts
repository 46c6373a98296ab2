import type { ServiceDialect } from '../dialect.ts'
import { DeliveryBody } from '../shapes/delivery.ts'
import type { JsonSchema } from './document.ts'
import { signaturePattern } from './headers.ts'
import { jsonSchema } from './json-schema.ts'

const example = {
  id: 'evt_5f2c9a',
  type: 'policy_change',
  model: 'claude',
  data: { category: 'political', delta: '+12pp', detected_at: '2026-03-01T09:10:00.000Z' },
  methodology: 'https://monitor.example/methodology',
}

/** The body of a delivery, as a JSON Schema by itself. */
export function eventSchema(dialect: ServiceDialect): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Event of the Censorship Monitoring Service',
    ...jsonSchema(DeliveryBody, dialect),
    examples: [example],
  }
}

/** What the service sends to its subscribers, as AsyncAPI 3.0. */
export function asyncApi(dialect: ServiceDialect): JsonSchema {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of the Censorship Monitoring Service (sandbox)',
      version: '1',
      description: 'Signed HTTP POST requests, one for each event and subscription; at least once.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    channels: {
      subscription: {
        title: 'The address of a subscription',
        description: 'Made by POST /webhooks of the OpenAPI document beside this one.',
        messages: { event: { $ref: '#/components/messages/event' } },
      },
    },
    operations: {
      sendEvent: {
        action: 'send',
        title: 'A model changed',
        summary: 'Sends an event to each subscription that wants it, again with a growing pause until a 2xx.',
        channel: { $ref: '#/channels/subscription' },
        messages: [{ $ref: '#/channels/subscription/messages/event' }],
        security: [{ $ref: '#/components/securitySchemes/signature' }],
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      securitySchemes: {
        signature: {
          type: 'httpApiKey',
          name: 'X-Service-Signature',
          in: 'header',
          description: 'HMAC of the raw body with the secret of the subscription. Check it before reading.',
        },
      },
      messages: {
        event: {
          name: 'event',
          title: 'Event',
          summary: 'A policy change or a censorship spike.',
          contentType: 'application/json',
          correlationId: { description: 'The same for each try.', location: '$message.payload#/id' },
          headers: {
            type: 'object',
            required: ['X-Service-Signature'],
            properties: {
              'X-Service-Signature': {
                type: 'string',
                pattern: signaturePattern(dialect),
              },
            },
          },
          payload: jsonSchema(DeliveryBody, dialect),
          examples: [{ name: 'policyChange', payload: example }],
        },
      },
    },
  }
}
