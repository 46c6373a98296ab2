import type { ErrorRequestHandler, Express, IRouter, RequestHandler } from 'express'
import helmet from 'helmet'
import { hasSignIn } from '../config/console.ts'
import { isSetUp } from '../config/derived.ts'
import { createApplication, createRoutes } from '../platform/server/application.ts'
import { StoreUnavailable } from '../store/store.ts'
import { isTrustedProxy } from './access/origin.ts'
import { answerFailure } from './programs.ts'
import { notFound, problemPage } from './reply.ts'
import { type ConsoleServices, visitOf } from './request.ts'
import { type ConsoleRoute, showing } from './route-kinds.ts'
import { pageRoutes, programRoutes } from './routes.ts'

/** Nothing is loaded from elsewhere, no script runs that is not a file of ours, and nobody frames a page. */
const securityHeaders: RequestHandler = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'style-src': ["'self'"],
      'script-src': ["'self'"],
      'img-src': ["'self'"],
      'connect-src': ["'self'"],
      'form-action': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // With `no-referrer` a browser says of our own forms that they come from nowhere.
  referrerPolicy: { policy: 'same-origin' },
  // The host that serves it by https sets this itself.
  strictTransportSecurity: false,
})

const nothing = 'There is nothing at this address.'

/** The console, with what is answered if something fails or is not there. */
export function createConsole(services: ConsoleServices): Express {
  const { base } = services
  const [app, routes, programs] = [createApplication(), createRoutes(), createRoutes()]
  add(programRoutes, programs, services)
  programs.use(answerFailure(services.shown))
  routes.use(programs)
  add(pageRoutes, routes, services)
  routes.use(showing('reader', async () => notFound(nothing), services))

  app.use(securityHeaders)
  if (services.isBehindProxy) app.use(throughProxyAlone(services))
  app.get([base, '/'], (_request, response) => response.redirect(302, `${base}/`))
  app.use(base, routes)
  app.use((_request, response) => void response.status(404).type('text').send(nothing))
  app.use(failurePage(services))
  return app
}

function add(table: readonly ConsoleRoute[], routes: IRouter, services: ConsoleServices): void {
  for (const { method, path, handlers } of table) {
    const answers = handlers(services)
    if (method === 'GET') routes.get(path, answers)
    else if (method === 'POST') routes.post(path, answers)
    else routes.all(path, answers)
  }
}

function throughProxyAlone({ trustProxy, console, shown }: ConsoleServices): RequestHandler {
  return ({ socket }, response, next) => {
    const isThroughProxy = isTrustedProxy({ address: socket.remoteAddress ?? '' }, trustProxy)
    // A file that was changed for a listener at this machine is in force, and the listener is still this one.
    if (isThroughProxy && (hasSignIn(console()) || !isSetUp(shown.config()))) return next()
    const why = isThroughProxy
      ? 'The current configuration has no sign-in, so the console stays closed here until a restart.'
      : 'You can only reach the console through the proxy (server.trustProxy).'
    response.status(403).type('text').send(why)
  }
}

function failurePage(services: ConsoleServices): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status === 500) services.shown.onError(error)
    const visit = await visitOf(request, response, services).catch(() => undefined)
    const reply = problemPage(status, ...(problems[status] ?? unreadable))
    if (visit === undefined) response.status(status).type('text').send(reply.page.title)
    else visit.answer(reply)
  }
}

type ProblemText = [title: string, text: string]

const problems: Partial<Record<number, ProblemText>> = {
  500: ['Something went wrong', 'The log says what.'],
  503: ['This could not be saved', 'Nothing was done. Please try again in a few minutes.'],
}
const unreadable: ProblemText = [
  'This request cannot be read',
  'Go back, load the page again, and try once more.',
]

/** What Express and its body reader refuse has a status of its own. */
function statusOf(error: unknown): number {
  if (error instanceof StoreUnavailable) return 503
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
