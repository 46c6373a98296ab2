import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from 'express'
import * as z from 'zod'
import type { Role } from '../config/console.ts'
import { hasSignIn } from '../config/console.ts'
import { createApplication, createRoutes } from '../platform/server/application.ts'
import { whileItIsOpen } from '../platform/server/while-open.ts'
import { StoreUnavailable } from '../store/store.ts'
import { isTrustedProxy } from './access/origin.ts'
import { may } from './access/who.ts'
import { type ActionRequest, createActs, SilenceFields } from './actions.ts'
import { rootAddress } from './addresses.ts'
import { createChanging } from './changing.ts'
import { dictionary } from './export/dictionary.ts'
import { securityHeaders } from './headers.ts'
import type { LivePages } from './live.ts'
import { createModels } from './models.ts'
import { dictionaryPage } from './pages/dictionary.ts'
import { createLooking, type PageRequest } from './pages.ts'
import type { ConsoleParts } from './parts.ts'
import { addPrograms } from './programs.ts'
import { type ConsoleReply, notFound, problemPage } from './reply.ts'
import { type ConsoleRequest, type ConsoleRequestParts, visitOf } from './request.ts'
import { addSignIn } from './signing-in.ts'
import { createTokenPages } from './token-acting.ts'
import { zoneOf } from './zone.ts'

export interface ApplicationParts extends ConsoleRequestParts {
  shown: ConsoleParts
  live: LivePages
  /** It shares the listener of deliveries: only what the proxies in front pass on is answered. */
  isBehindProxy: boolean
}

type PageHandler = (looked: PageRequest, parameters: Record<string, string>) => Promise<ConsoleReply>
type ActionHandler = (acting: ActionRequest, parameters: Record<string, string>) => Promise<ConsoleReply>

const Parameters = z.record(z.string(), z.string())
const Fields = z.record(z.string(), z.unknown())
const form = express.urlencoded({ extended: false, limit: '20kb', parameterLimit: 50 })

/** The console: each page and each act, who may have it, and what is answered otherwise. */
export function createConsole(parts: ApplicationParts): Express {
  const { base, shown, live, assets } = parts
  const looking = createLooking(shown)
  const acts = createActs(shown, looking)
  const changing = createChanging(shown)
  const models = createModels(shown)
  const tokens = createTokenPages(shown)
  const app = createApplication()
  const routes = createRoutes()

  /** Answered here where it may not go on. */
  function refused(visit: ConsoleRequest, role: Role, request: Request): ConsoleReply | undefined {
    const { who } = visit
    if ('refused' in who) return { page: problemPage(403, 'This is not open to you', who.refused) }
    if ('asks' in who) {
      const to = request.method === 'GET' ? `?to=${encodeURIComponent(request.url)}` : ''
      return { to: `/sign-in${to}` }
    }
    if (may(who, role)) return undefined
    return {
      page: problemPage(
        403,
        'Your role does not allow this',
        `It needs the role ${role}; you are ${who.role}.`,
      ),
    }
  }

  function lookedOf({ who, token }: ConsoleRequest, request: Request): PageRequest {
    const mayAct = 'role' in who && may(who, 'editor')
    const context = { base, token, timeZone: zoneOf(shown.config()) }
    return { context, mayAct, root: rootAddress(request, parts), query: request.query }
  }

  /** Who shares a limit: behind a proxy that signs people in, a browser without cookies has a new session each time. */
  function whoseOf({ who, session }: ConsoleRequest): string {
    const isByProxy = 'role' in who && hasSignIn(parts.console()) && !who.hasSignedIn
    return isByProxy ? who.name : session.id
  }

  function looks(role: Role, look: PageHandler): RequestHandler {
    return async (request, response) => {
      const visit = await visitOf(request, response, parts)
      const reply =
        refused(visit, role, request) ?? (await look(lookedOf(visit, request), parametersOf(request)))
      visit.answer(reply)
    }
  }

  function does(role: Role, act: ActionHandler): RequestHandler[] {
    return [
      form,
      async (request, response) => {
        const visit = await visitOf(request, response, parts)
        const not = refused(visit, role, request)
        if (not !== undefined || !('role' in visit.who)) return visit.answer(not ?? notOurs)
        const fields = Fields.catch({}).parse(request.body)
        if (!visit.isOurForm(fields)) return visit.answer(notOurs)
        const { name, hasSignedIn, session } = visit.who
        const id = hasSignedIn ? session.sub : undefined
        const by = { name, ...(id !== undefined && { id }), via: 'console' } as const
        const key = `${name} ${typeof fields.key === 'string' ? fields.key.slice(0, 100) : ''}`
        const acting = { ...lookedOf(visit, request), by, key, fields }
        const reply = await act(acting, parametersOf(request))
        visit.answer(reply)
      },
    ]
  }

  for (const { name, type, text } of [assets.style, assets.script]) {
    routes.get(`/${name}`, (_request, response) => {
      response
        .set({ 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' })
        .send(text)
    })
  }
  addSignIn(routes, parts)
  addPrograms(routes, parts)
  routes.get('/', looks('reader', looking.overview))
  routes.get('/alerts', looks('reader', looking.alerts))
  routes.get(
    '/alerts/:id',
    looks('reader', (looked, { id = '' }) => looking.alert(looked, id)),
  )
  routes.get(
    '/alerts/:id/chart',
    looks('reader', (looked, { id = '' }) => looking.chart(looked, id)),
  )
  const makingEvidence = new Set<string>()
  routes.get('/alerts/:id/evidence', async (request, response) => {
    const visit = await visitOf(request, response, parts)
    const not = refused(visit, 'reader', request)
    if (not !== undefined) return visit.answer(not)
    const whose = whoseOf(visit)
    if (makingEvidence.has(whose)) return visit.answer(oneAtATime)
    makingEvidence.add(whose)
    try {
      const { id = '' } = parametersOf(request)
      const reply = await whileItIsOpen(response, (signal) => looking.evidence(id, signal))
      if (reply !== undefined) visit.answer(reply)
    } finally {
      makingEvidence.delete(whose)
    }
  })
  routes.get('/models', looks('reader', models.page))
  for (const look of ['light', 'dark'] as const) {
    const comparison: PageHandler = (looked) => models.comparison(looked, look)
    const ofModel: PageHandler = (looked, { model = '' }) => models.chart(looked, model, look)
    routes.get(`/models/comparison-${look}.svg`, looks('reader', comparison))
    routes.get(`/models/:model/chart-${look}.svg`, looks('reader', ofModel))
    const image: PageHandler = (looked, { id = '' }) => looking.chartImage(looked, id, look)
    routes.get(`/alerts/:id/chart-${look}.svg`, looks('reader', image))
  }
  routes.get(
    '/channels',
    looks('reader', (looked) => looking.channels(looked)),
  )
  const silences: PageHandler = (looked) =>
    looking.silences(looked, { wanted: SilenceFields.parse(looked.query) })
  routes.get('/silences', looks('reader', silences))
  routes.get('/failed', looks('reader', looking.failed))
  routes.get('/configuration', looks('admin', looking.configuration))
  routes.get('/log', looks('admin', looking.log))
  routes.get('/live', async (request, response) => {
    const visit = await visitOf(request, response, parts)
    const { who, mayStay } = visit
    if (!('role' in who)) return void response.status(403).end()
    const isOpen = live.open(response, { since: lastHeardBy(request), whose: whoseOf(visit), mayStay })
    if (!isOpen) response.status(503).set('Retry-After', '60').end()
  })
  routes.post(
    '/alerts/:id/acknowledge',
    does('editor', (acting, { id = '' }) => acts.acknowledge(acting, id)),
  )
  routes.post(
    '/alerts/:id/send-again',
    does('editor', (acting, { id = '' }) => acts.sendAgain(acting, id)),
  )
  routes.post('/silences', does('editor', acts.silence))
  routes.post(
    '/silences/:id/end',
    does('editor', (acting, { id = '' }) => acts.endSilence(acting, id)),
  )
  routes.post(
    '/channels/:name/send-held',
    does('editor', (acting, { name = '' }) => acts.sendHeld(acting, name)),
  )
  routes.post(
    '/channels/:name/test',
    does('editor', (acting, { name = '' }) => acts.test(acting, name)),
  )
  const filters = '/channels/:name/filters'
  routes.get(
    filters,
    looks('editor', (looked, { name = '' }) => changing.show(looked, name)),
  )
  routes.post(
    `${filters}/try`,
    does('editor', (acting, { name = '' }) => changing.tryOut(acting, name)),
  )
  routes.post(
    filters,
    does('editor', (acting, { name = '' }) => changing.change(acting, name)),
  )
  routes.post(
    `${filters}/restore`,
    does('editor', (acting, { name = '' }) => changing.restore(acting, name)),
  )
  const dictionaryLook: PageHandler = async ({ context }) => ({ page: dictionaryPage(dictionary(), context) })
  routes.get('/dictionary', looks('reader', dictionaryLook))
  routes.get('/tokens', looks('admin', tokens.look))
  routes.post('/tokens', does('admin', tokens.make))
  routes.post(
    '/tokens/:id/revoke',
    does('admin', (acting, { id = '' }) => tokens.revoke(acting, id)),
  )
  routes.use(looks('reader', async () => notFound('There is nothing at this address.')))

  app.use(securityHeaders)
  if (parts.isBehindProxy) app.use(throughProxyAlone(parts))
  app.get([base, '/'], (_request, response) => response.redirect(302, `${base}/`))
  app.use(base, routes)
  app.use(
    (_request, response) => void response.status(404).type('text').send('There is nothing at this address.'),
  )
  app.use(failing(parts))
  return app
}

function throughProxyAlone({ trustProxy, console }: ApplicationParts): RequestHandler {
  return ({ socket }, response, next) => {
    const isThroughProxy = isTrustedProxy({ address: socket.remoteAddress ?? '' }, trustProxy)
    // A file that was changed for a listener at this machine is in force, and the listener is still this one.
    if (isThroughProxy && hasSignIn(console())) return next()
    const why = isThroughProxy
      ? 'Nobody has to sign in by the configuration that is in force, so the console is closed here until a restart.'
      : 'The console is reached through the proxy alone (server.trustProxy).'
    response.status(403).type('text').send(why)
  }
}

const notOurs: ConsoleReply = {
  page: problemPage(
    403,
    'Nothing was done',
    'The form was not that of a page of yours, or was open for too long. Go back, load the page again, and try once more.',
  ),
}

const oneAtATime: ConsoleReply = {
  page: problemPage(
    429,
    'One evidence file at a time',
    'Another evidence file is being made for you. Try again when you have it.',
  ),
}

/** Where the connection broke, the browser says what it was told last; else it is what the page has. */
function lastHeardBy({ headers, query }: Request): string | undefined {
  const given = headers['last-event-id'] ?? query.since
  return typeof given === 'string' && given !== '' ? given : undefined
}

function parametersOf(request: Request): Record<string, string> {
  return Parameters.catch({}).parse(request.params)
}

function failing(parts: ApplicationParts): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    const status = statusOf(error)
    if (status === 500) parts.shown.onError(error)
    const visit = await visitOf(request, response, parts).catch(() => undefined)
    const page =
      status === 503
        ? problemPage(
            503,
            'This could not be written down',
            'Nothing was done. Please try again in a few minutes.',
          )
        : status === 500
          ? problemPage(500, 'Something went wrong', 'The log says what.')
          : problemPage(
              status,
              'This request cannot be read',
              'Go back, load the page again, and try once more.',
            )
    if (visit === undefined) response.status(status).type('text').send(page.title)
    else visit.answer({ page })
  }
}

/** What Express and its body reader refuse has a status of its own. */
function statusOf(error: unknown): number {
  if (error instanceof StoreUnavailable) return 503
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500
}
