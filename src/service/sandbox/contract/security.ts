import type { ServiceDialect } from '../dialect.ts'
import { hourlyLimits, type KeyScope, scopes } from '../keys.ts'
import type { Security } from './document.ts'

const meanings: Record<KeyScope, string> = {
  'monitoring.read': 'Metrics, history, comparison, bias.',
  'research.read': 'Publications and data sets.',
  'webhooks.write': 'Everything about subscriptions.',
}

/** The ways to say who asks ("Authentication"). `origin` is where the token endpoint is. */
export function securitySchemes(dialect: ServiceDialect, origin: string): Record<string, unknown> {
  const tokenUrl = `${origin}/oauth/token`
  return {
    key: {
      type: 'http',
      scheme: 'bearer',
      description: 'An API key. It belongs to a tier, which says how many requests per hour it has.',
      'x-requests-per-hour': hourlyLimits,
    },
    oauth: {
      type: 'oauth2',
      description: 'Reading needs the scopes of its kind only where the dialect `read-scopes` says so.',
      flows: {
        clientCredentials: {
          tokenUrl,
          ...(dialect['refresh-token'] !== 'none' && { refreshUrl: tokenUrl }),
          scopes: Object.fromEntries(scopes.map((scope) => [scope, meanings[scope]])),
        },
      },
    },
  }
}

/** A key or a token that has the scope. */
export function needing(scope: KeyScope, dialect: ServiceDialect): Security {
  const needed = needs(scope, dialect) ? [scope] : []
  return [{ key: [] }, { oauth: needed }]
}

export function needs(scope: KeyScope, dialect: ServiceDialect): boolean {
  return scope === 'webhooks.write' || dialect['read-scopes'] === 'needed'
}
