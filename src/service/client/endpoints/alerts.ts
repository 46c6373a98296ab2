import * as z from 'zod'
import { BadRequest } from '../errors.ts'
import type { ServiceConnection } from '../http/connection.ts'
import { pages } from '../http/pages.ts'

/**
 * The alerts that the service lists, page after page as they are gone through, each as it was written. The interface
 * refers to this alternative to webhooks without its path or shape ("Endpoints", gaps). `path` is below the base
 * address; `since` (ISO 8601) is a wish that a service may not know. `NotFound` where there is no such list.
 */
export function alerts(
  connection: ServiceConnection,
  path: string,
  query: { since?: string | undefined } = {},
  signal?: AbortSignal,
): AsyncIterable<unknown> {
  if (!/^\/[\w\-./~]+$/.test(path) || path.split('/').includes('..')) {
    throw new BadRequest(`"${path}" cannot be a path of the service's. Write one such as /monitoring/alerts.`)
  }
  return pages(connection, { path, query, signal, of: 'alerts' }, z.unknown())
}
