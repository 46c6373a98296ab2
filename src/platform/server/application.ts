import express, { type Express, type IRouter } from 'express'

/** An Express application without what it says of itself, whose paths are meant to the letter. */
export function createApplication(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')
  app.enable('strict routing')
  return app
}

/** Routes whose paths are meant to the letter: Express by itself serves /METRICS/ where a proxy guards /metrics. */
export function createRoutes(): IRouter {
  return express.Router({ caseSensitive: true, strict: true })
}

/**
 * What a path of ours is made of (`server.basePath`, `webhook.path`), after an origin or none (RFC 9112, 3.2.2), and
 * before a query or none.
 */
const plain = /^(?:https?:\/\/[^/\\?#]+)?\/[\w\-./~]*(?:\?|$)/

/**
 * Whether Express reads the target of a request as a proxy in front does. `#` and `\` are read in more than one way, and
 * no path of ours needs them.
 */
export function isPlainTarget(target: string): boolean {
  return plain.test(target)
}
