import type { ServiceDialect } from '../dialect.ts'
import { hourlyLimits } from '../keys.ts'
import type { Contract, PathItem } from './document.ts'
import { errorAnswers } from './errors.ts'
import { signaturePattern } from './headers.ts'
import { json, schemaReference } from './json-schema.ts'
import { oauthPath } from './oauth-path.ts'
import { paths } from './paths.ts'
import { componentSchemas } from './schemas.ts'
import { securitySchemes } from './security.ts'

/**
 * The sandbox's contract in the dialect that it speaks, as OpenAPI 3.1, made from the schemas that its answers are
 * written with. `origin` is where it listens: `http://127.0.0.1:4010`.
 */
export function openApi(dialect: ServiceDialect, origin: string): Contract {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Censorship Monitoring Service (sandbox)',
      version: '1',
      summary: 'Refusal rates, bias scores and policy changes of AI chat models.',
      description: about(),
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      'x-dialect': dialect,
    },
    servers: [{ url: `${origin}/v1`, description: 'The sandbox.' }],
    security: [{ key: [] }, { oauth: [] }],
    tags: [
      { name: 'monitoring', description: 'Current and historical figures.' },
      { name: 'research', description: 'Publications and data sets.' },
      { name: 'webhooks', description: 'Subscriptions to events.' },
      { name: 'oauth', description: 'Tokens.' },
    ],
    paths: { ...paths(dialect, origin), ...oauthPath(origin) },
    webhooks: webhooks(dialect),
    components: {
      schemas: componentSchemas(dialect),
      responses: errorAnswers(dialect),
      securitySchemes: securitySchemes(dialect, origin),
    },
  }
}

function about(): string {
  const tiers = Object.entries(hourlyLimits).map(
    ([tier, limit]) => `- ${tier}: ${limit.toLocaleString('en')} requests per hour`,
  )
  return [
    'What the interface specification leaves open is answered as the dialect in `x-dialect` says.',
    ['Each key belongs to a tier:', '', ...tiers].join('\n'),
    'A request above that gets 429 and does not count. Times are ISO 8601, UTC.',
  ].join('\n\n')
}

/** "Events": what a subscriber receives, and what its answers mean. */
function webhooks(dialect: ServiceDialect): Record<string, PathItem> {
  return {
    event: {
      post: {
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
            schema: { type: 'string', pattern: signaturePattern(dialect) },
          },
        ],
        requestBody: { required: true, content: json(schemaReference('Event')) },
        responses: {
          '2XX': { description: 'Received; it is not sent again, or was received before.' },
          '401': { description: 'The signature does not hold. It is tried again, as after any failure.' },
          '4XX': { description: 'Not received; it is tried again.' },
          '5XX': { description: 'Not received; it is tried again.' },
        },
      },
    },
  }
}
