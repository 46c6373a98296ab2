import express, { type Request, type RequestHandler } from 'express'
import * as z from 'zod'
import { hasSignIn } from '../config/console.ts'
import type { Role } from '../config/values.ts'
import type { TokenUse } from '../people/converse/tokens.ts'
import { whileItIsOpen } from '../platform/server/http.ts'
import { ownerOf } from './access/feed-owner.ts'
import { may } from './access/who.ts'
import { ownFeed } from './feed/own.ts'
import type { FeedPath } from './feed/routes.ts'
import type { style } from './layout.ts'
import type { ConsoleParts } from './parts.ts'
import { type AnswerProgram, answerReader } from './programs.ts'
import {
  type ConsoleReply,
  type DoAction,
  type PageRequest,
  problemPage,
  refusedPage,
  type ShowPage,
} from './reply.ts'
import { type ConsoleServices, type Exchange, rootAddress, type Visit, visitOf } from './request.ts'

/** What the console answers at one path. */
export interface ConsoleRoute {
  method: 'GET' | 'POST' | 'ALL'
  path: string
  /** Who may: a role; for programs also a token of a use; or everybody. */
  needs: Role | TokenUse | 'anyone'
  handlers(services: ConsoleServices): RequestHandler[]
}

const signInForm = express.urlencoded({ extended: false, limit: '5kb', parameterLimit: 10 })
const actionForm = express.urlencoded({ extended: false, limit: '20kb', parameterLimit: 50 })

export function asset({ name, type, text }: typeof style): ConsoleRoute {
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }
  const send: RequestHandler = (_request, response) => void response.set(headers).send(text)
  return { method: 'GET', path: `/${name}`, needs: 'anyone', handlers: () => [send] }
}

type AnswerVisit = (visit: Visit, exchange: Exchange) => Promise<void>

export function open(method: 'GET' | 'POST', path: string, answer: AnswerVisit): ConsoleRoute {
  const form = method === 'POST' ? [signInForm] : []
  return {
    method,
    path,
    needs: 'anyone',
    handlers: (services) => [
      ...form,
      async (request, response) =>
        answer(await visitOf(request, response, services), { request, response, services }),
    ],
  }
}

export function page(path: string, needs: Role, show: ShowPage): ConsoleRoute {
  return { method: 'GET', path, needs, handlers: (services) => [showing(needs, show, services)] }
}

export function showing(needs: Role, show: ShowPage, services: ConsoleServices): RequestHandler {
  return async (request, response) => {
    const visit = await visitOf(request, response, services)
    const refusal = refusalOf(visit, needs, request)
    visit.answer(refusal ?? (await show(pageRequest(visit, request, services), services.shown)))
  }
}

const Fields = z.record(z.string(), z.unknown()).catch({})

export function action(path: string, needs: Role, act: DoAction): ConsoleRoute {
  const answer =
    (services: ConsoleServices): RequestHandler =>
    async (request, response) => {
      const visit = await visitOf(request, response, services)
      const refusal = refusalOf(visit, needs, request)
      if (refusal !== undefined || !('role' in visit.who)) return visit.answer(refusal ?? notOurForm)
      const fields = Fields.parse(request.body)
      if (!visit.isOurForm(fields)) return visit.answer(notOurForm)
      const { name, hasSignedIn, session } = visit.who
      const id = hasSignedIn ? session.sub : undefined
      const by = { name, ...(id !== undefined && { id }), via: 'console' } as const
      const key = `${name} ${typeof fields.key === 'string' ? fields.key.slice(0, 100) : ''}`
      const { address } = visit
      const checkPassword = (ofName: string, password: string) =>
        services.signIn(services.console(), { name: ofName, password, address })
      const actionRequest = { ...pageRequest(visit, request, services), by, key, fields, checkPassword }
      visit.answer(await act(actionRequest, services.shown))
    }
  return { method: 'POST', path, needs, handlers: (services) => [actionForm, answer(services)] }
}

export function program(path: string, use: TokenUse, answer: AnswerProgram): ConsoleRoute {
  const handlers = (services: ConsoleServices): RequestHandler[] => [
    (request, response) => answerReader(request, response, { use, answer, services }),
  ]
  return { method: 'GET', path, needs: use, handlers }
}

/** By the secret in its address. */
export function ownFeedAt(path: string, format: FeedPath): ConsoleRoute {
  const answer = ownFeed(format)
  const handlers = (services: ConsoleServices): RequestHandler[] => [
    (request, response) => answer(request, response, services),
  ]
  return { method: 'GET', path, needs: 'anyone', handlers }
}

type MakeFile = (id: string, parts: ConsoleParts, signal: AbortSignal) => Promise<ConsoleReply>

/** A file that costs something to make: one at a time for each visitor. */
export function madeFile(path: string, make: MakeFile): ConsoleRoute {
  const handlersOf = (services: ConsoleServices, making = new Set<string>()): RequestHandler[] => [
    async (request, response) => {
      const visit = await visitOf(request, response, services)
      const refusal = refusalOf(visit, 'reader', request)
      if (refusal !== undefined) return visit.answer(refusal)
      const owner = limitOwnerOf(visit, services)
      if (making.has(owner)) return visit.answer(oneAtATime)
      making.add(owner)
      try {
        const { id = '' } = parametersOf(request)
        const reply = await whileItIsOpen(response, (signal) => make(id, services.shown, signal))
        if (reply !== undefined) visit.answer(reply)
      } finally {
        making.delete(owner)
      }
    },
  ]
  return { method: 'GET', path, needs: 'reader', handlers: (services) => handlersOf(services) }
}

/** Says when pages that are open have changed. */
export function liveChanges(services: ConsoleServices): RequestHandler[] {
  return [
    async (request, response) => {
      const visit = await visitOf(request, response, services)
      if (!('role' in visit.who)) return void response.status(403).end()
      // After a broken connection the browser says what it got last; else it is what the page has.
      const last = request.headers['last-event-id'] ?? request.query.since
      const since = typeof last === 'string' && last !== '' ? last : undefined
      const owner = limitOwnerOf(visit, services)
      const isOpen = services.live.open(response, { since, owner, mayStay: visit.mayStay })
      if (!isOpen) response.status(503).set('Retry-After', '60').end()
    },
  ]
}

/** Who shares a limit: behind a proxy that signs people in, a browser without cookies has a new session each time. */
function limitOwnerOf({ who, session }: Visit, { console }: ConsoleServices): string {
  const isByProxy = 'role' in who && hasSignIn(console()) && !who.hasSignedIn
  return isByProxy ? who.name : session.id
}

/** What is answered to somebody who may not have it. */
function refusalOf({ who }: Visit, needs: Role, request: Request): ConsoleReply | undefined {
  if ('refused' in who) return refusedPage(who)
  if ('asks' in who) {
    if (who.asks === 'set-up') return { to: '/setup' }
    const to = request.method === 'GET' ? `?to=${encodeURIComponent(request.url)}` : ''
    return { to: `/sign-in${to}` }
  }
  if (may(who, needs)) return undefined
  const text = `It needs the role ${needs}; you are ${who.role}.`
  return problemPage(403, 'Your role does not allow this', text)
}

function pageRequest(
  { who, token, session }: Visit,
  request: Request,
  services: ConsoleServices,
): PageRequest {
  const { base, shown } = services
  // As commands have it.
  const timeZone = shown.config().channels[0]?.timeZone ?? 'UTC'
  return {
    context: { base, token, timeZone, now: shown.clock.now() },
    mayAct: 'role' in who && may(who, 'editor'),
    owner: 'role' in who ? ownerOf(who, services.console()) : nobody,
    fits: 'role' in who ? who.session.fits : undefined,
    isAdmin: 'role' in who && may(who, 'admin'),
    me: 'role' in who && who.hasSignedIn ? who.name : undefined,
    draft: services.drafts(`${session.id} ${request.path}`),
    root: rootAddress(request, services),
    query: request.query,
    parameters: parametersOf(request),
  }
}

/** Only who may look is shown a page. */
const nobody = { by: 'machine', name: '' } as const

const Parameters = z.record(z.string(), z.string()).catch({})

function parametersOf({ params }: Request): Record<string, string> {
  return Parameters.parse(params)
}

const notOurForm = problemPage(
  403,
  'Nothing was done',
  'The form was open for too long, or does not come from a page of yours. Go back, load the page again, and try once more.',
)

const oneAtATime = problemPage(
  429,
  'One file at a time',
  'Another file is being made for you. Try again when you have it.',
)
