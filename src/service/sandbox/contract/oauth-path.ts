import type { PathItem } from './document.ts'
import { basicChallengeHeaders, uncachedHeaders } from './headers.ts'
import { json, schemaReference } from './json-schema.ts'

/** The token endpoint (RFC 6749, 4.4 and 6), which stands beside the base address. */
export function oauthPath(origin: string): Record<string, PathItem> {
  const refusal = json(schemaReference('TokenError'))
  return {
    '/oauth/token': {
      servers: [{ url: origin }],
      post: {
        operationId: 'getToken',
        summary: 'An access token for client credentials or a refresh token',
        description:
          'The client authenticates with HTTP Basic or with client_id and client_secret in the form, never both.',
        tags: ['oauth'],
        security: [],
        requestBody: {
          required: true,
          content: { 'application/x-www-form-urlencoded': { schema: tokenRequest } },
        },
        responses: {
          200: {
            description: 'The token.',
            headers: uncachedHeaders,
            content: json(schemaReference('Token')),
          },
          400: { description: 'Refused (RFC 6749, 5.2).', headers: uncachedHeaders, content: refusal },
          401: {
            description: 'The client or its secret is not known.',
            headers: { ...uncachedHeaders, ...basicChallengeHeaders },
            content: refusal,
          },
        },
      },
    },
  }
}

const tokenRequest = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['client_credentials', 'refresh_token'] },
    refresh_token: { type: 'string' },
    scope: { type: 'string', description: 'Scopes with blanks between them; all that the client has.' },
    client_id: { type: 'string' },
    client_secret: { type: 'string' },
  },
}
