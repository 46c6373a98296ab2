import type { IncomingMessage as Incoming, ServerOptions } from 'node:http'
import express, { type Express } from 'express'
import { IncomingMessage, ServerResponse } from './http.ts'

/** An Express application without what it says of itself. */
export function createApplication(): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  return app
}

/**
 * What a server must make its requests and responses of, so that they have from the start the prototypes which the
 * application sets. Where it has to change them, every use of a request or response is slower (decision 15).
 */
export function classesOf(app: Express): Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'> {
  class AppRequest extends IncomingMessage {}
  class AppResponse<R extends Incoming> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(AppRequest.prototype, app.request)
  app.response = Object.setPrototypeOf(AppResponse.prototype, app.response)
  return { IncomingMessage: AppRequest, ServerResponse: AppResponse }
}
