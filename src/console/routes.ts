import express, { type Request, type RequestHandler } from 'express'
import * as z from 'zod'
import { hasSignIn, type Role } from '../config/console.ts'

import type { TokenUse } from '../people/converse/tokens.ts'
import { whileItIsOpen } from '../platform/server/application.ts'
import { exportTableNames } from '../record/export/table-names.ts'
import { ownerOf } from './access/feed-owner.ts'
import { callbackPath } from './access/oidc/pending-sign-in.ts'
import { may } from './access/who.ts'
import { description, event, events, nothingHere } from './api/routes.ts'
import { setDesk } from './desk-state.ts'
import { citation, exportFile, packageFile, tableFile } from './export/routes.ts'
import { ownFeed } from './feed/own.ts'
import { type FeedPath, feed } from './feed/routes.ts'
import { copyScript, icon, linkKey, script, style } from './layout.ts'
import { acknowledge, evidence, openMessage, sendAgain, showAlert } from './pages/alert.ts'
import { showAlerts } from './pages/alerts.ts'
import { sendHeld, sendTest, showChannels } from './pages/channels.ts'
import { chartFile, chartImage, showChart } from './pages/chart.ts'
import { showConfiguration } from './pages/configuration.ts'
import { showDictionary } from './pages/dictionary.ts'
import { showFailed } from './pages/failed.ts'
import { makeFeed, showFeeds, withdrawFeed } from './pages/feeds.ts'
import { showFigures } from './pages/figures.ts'
import { changeFilters, restoreFilters, showFilters, tryFilters } from './pages/filters.ts'
import { showLog } from './pages/log.ts'
import { comparisonImage, modelImage, showModels } from './pages/models.ts'
import { showOverview } from './pages/overview.ts'
import {
  addPerson,
  changePassword,
  changeRole,
  choosePassword,
  makeResetLink,
  removePerson,
  showPassword,
  showPeople,
  showReset,
} from './pages/people.ts'
import { changeSection, settingsNames, showSection, showSettings } from './pages/settings.ts'
import {
  changeChannel,
  pauseChannel,
  removeChannel,
  resumeChannel,
  showChannel,
  showChannelList,
  showRemoval,
} from './pages/settings-channels.ts'
import { makeFirstAccount, showSetup, showSteps, useSetupKey } from './pages/setup.ts'
import { setupStepNames, showStep, takeStep } from './pages/setup-steps.ts'
import { beginOidc, finishOidc, showSignIn, signIn, signOut } from './pages/sign-in.ts'
import { endSilence, showSilences, silence } from './pages/silences.ts'
import { makeToken, revokeToken, showTokens } from './pages/tokens.ts'
import type { ConsoleParts } from './parts.ts'
import { type AnswerProgram, answerReader } from './programs.ts'
import { type ConsoleReply, type DoAction, type PageRequest, problemPage, type ShowPage } from './reply.ts'
import { type ConsoleServices, type Exchange, rootAddress, type Visit, visitOf } from './request.ts'
import { sendVerifyPage } from './verify-page.ts'

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

/** All that people get in a browser, and who may. */
export const pageRoutes: readonly ConsoleRoute[] = [
  page('/', 'reader', showOverview),
  page('/alerts', 'reader', showAlerts),
  page('/alerts/:id', 'reader', showAlert),
  page('/alerts/:id/sent/:channel', 'reader', openMessage),
  page('/alerts/:id/chart', 'reader', showChart),
  page('/alerts/:id/chart-light.svg', 'reader', chartImage('light')),
  page('/alerts/:id/chart-dark.svg', 'reader', chartImage('dark')),
  madeFile('/alerts/:id/chart.png', (id, parts) => chartFile('png', id, parts)),
  madeFile('/alerts/:id/chart.csv', (id, parts) => chartFile('csv', id, parts)),
  madeFile('/alerts/:id/evidence', evidence),
  page('/models', 'reader', showModels),
  page('/models/comparison-light.svg', 'reader', comparisonImage('light')),
  page('/models/comparison-dark.svg', 'reader', comparisonImage('dark')),
  page('/models/:model/chart-light.svg', 'reader', modelImage('light')),
  page('/models/:model/chart-dark.svg', 'reader', modelImage('dark')),
  page('/channels', 'reader', showChannels),
  page('/silences', 'reader', showSilences),
  page('/failed', 'reader', showFailed),
  page('/feeds', 'reader', showFeeds),
  page('/figures', 'reader', showFigures),
  page('/dictionary', 'reader', showDictionary),
  { method: 'GET', path: '/live', needs: 'reader', handlers: liveChanges },
  page('/channels/:name/filters', 'editor', showFilters),
  page('/configuration', 'admin', showConfiguration),
  page('/log', 'admin', showLog),
  page('/tokens', 'admin', showTokens),
  page('/settings', 'reader', showSettings),
  page('/settings/password', 'reader', showPassword),
  page('/settings/people', 'admin', showPeople),
  page('/settings/channels', 'admin', showChannelList),
  page('/settings/channels/:name', 'admin', showChannel),
  page('/settings/channels/:name/remove', 'admin', showRemoval),
  ...settingsNames.flatMap((name) => [
    page(`/settings/${name}`, 'admin', showSection(name)),
    action(`/settings/${name}`, 'admin', changeSection(name)),
  ]),
  action('/settings/password', 'reader', changePassword),
  action('/settings/people', 'admin', addPerson),
  action('/settings/people/:name/role', 'admin', changeRole),
  action('/settings/people/:name/reset', 'admin', makeResetLink),
  action('/settings/people/:name/remove', 'admin', removePerson),
  action('/settings/channels/:name', 'admin', changeChannel),
  action('/settings/channels/:name/remove', 'admin', removeChannel),
  action('/settings/channels/:name/pause', 'admin', pauseChannel),
  action('/settings/channels/:name/resume', 'admin', resumeChannel),
  action('/alerts/:id/acknowledge', 'editor', acknowledge),
  action('/alerts/:id/desk', 'editor', setDesk),
  action('/alerts/:id/send-again', 'editor', sendAgain),
  action('/feeds', 'reader', makeFeed),
  action('/feeds/:id/withdraw', 'reader', withdrawFeed),
  action('/silences', 'editor', silence),
  action('/silences/:id/end', 'editor', endSilence),
  action('/channels/:name/send-held', 'editor', sendHeld),
  action('/channels/:name/test', 'editor', sendTest),
  action('/channels/:name/filters', 'editor', changeFilters),
  action('/channels/:name/filters/try', 'editor', tryFilters),
  action('/channels/:name/filters/restore', 'editor', restoreFilters),
  action('/tokens', 'admin', makeToken),
  action('/tokens/:id/revoke', 'admin', revokeToken),
  // The same for everybody, and nothing of this installation is in it.
  { method: 'GET', path: '/verify.html', needs: 'anyone', handlers: () => [sendVerifyPage] },
  asset(style),
  asset(icon),
  asset(script),
  asset(copyScript),
  asset(linkKey),
  open('GET', '/setup', showSetup),
  open('POST', '/setup/key', useSetupKey),
  open('POST', '/setup/account', makeFirstAccount),
  page('/setup/steps', 'admin', showSteps),
  ...setupStepNames.flatMap((step) => [
    page(`/setup/${step}`, 'admin', showStep(step)),
    action(`/setup/${step}`, 'admin', takeStep(step)),
  ]),
  open('GET', '/reset', showReset),
  open('POST', '/reset', choosePassword),
  open('GET', '/sign-in', showSignIn),
  open('POST', '/sign-in', signIn),
  open('GET', '/sign-in/oidc', beginOidc),
  open('GET', callbackPath, finishOidc),
  open('POST', '/sign-out', signOut),
]

/** All that programs read. */
export const programRoutes: readonly ConsoleRoute[] = [
  program('/feed.atom', 'feeds', feed('atom')),
  program('/feed.json', 'feeds', feed('json')),
  ownFeedAt('/feed/:secret/alerts.atom', 'atom'),
  ownFeedAt('/feed/:secret/alerts.json', 'json'),
  program('/alerts.csv', 'api', exportFile('csv')),
  program('/alerts.json', 'api', exportFile('json')),
  ...exportTableNames.flatMap((table) => [
    program(`/${table}.csv`, 'api', tableFile(table, 'csv')),
    program(`/${table}.jsonl`, 'api', tableFile(table, 'jsonl')),
  ]),
  program('/datapackage.json', 'api', packageFile('datapackage.json')),
  program('/codebook.md', 'api', packageFile('codebook.md')),
  program('/alerts/:id/citation.json', 'api', citation('json')),
  program('/alerts/:id/citation.bib', 'api', citation('bib')),
  program('/api/v1/events', 'api', events),
  program('/api/v1/events/:id', 'api', event),
  program('/api/v1/openapi.json', 'api', description),
  // In the words of a program, and not as a page.
  { method: 'ALL', path: '/api', needs: 'anyone', handlers: () => [nothingHere] },
  { method: 'ALL', path: '/api/{*path}', needs: 'anyone', handlers: () => [nothingHere] },
]

function asset({ name, type, text }: typeof style): ConsoleRoute {
  const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' }
  const send: RequestHandler = (_request, response) => void response.set(headers).send(text)
  return { method: 'GET', path: `/${name}`, needs: 'anyone', handlers: () => [send] }
}

type AnswerVisit = (visit: Visit, exchange: Exchange) => Promise<void>

function open(method: 'GET' | 'POST', path: string, answer: AnswerVisit): ConsoleRoute {
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

function page(path: string, needs: Role, show: ShowPage): ConsoleRoute {
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

function action(path: string, needs: Role, act: DoAction): ConsoleRoute {
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
      visit.answer(await act({ ...pageRequest(visit, request, services), by, key, fields }, services.shown))
    }
  return { method: 'POST', path, needs, handlers: (services) => [actionForm, answer(services)] }
}

function program(path: string, use: TokenUse, answer: AnswerProgram): ConsoleRoute {
  const handlers = (services: ConsoleServices): RequestHandler[] => [
    (request, response) => answerReader(request, response, { use, answer, services }),
  ]
  return { method: 'GET', path, needs: use, handlers }
}

/** By the secret in its address. */
function ownFeedAt(path: string, format: FeedPath): ConsoleRoute {
  const answer = ownFeed(format)
  const handlers = (services: ConsoleServices): RequestHandler[] => [
    (request, response) => answer(request, response, services),
  ]
  return { method: 'GET', path, needs: 'anyone', handlers }
}

type MakeFile = (id: string, parts: ConsoleParts, signal: AbortSignal) => Promise<ConsoleReply>

/** A file that costs something to make: one at a time for each visitor. */
function madeFile(path: string, make: MakeFile): ConsoleRoute {
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
function liveChanges(services: ConsoleServices): RequestHandler[] {
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
  if ('refused' in who) return problemPage(403, 'This is not open to you', who.refused)
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
  'The form was not that of a page of yours, or was open for too long. Go back, load the page again, and try once more.',
)

const oneAtATime = problemPage(
  429,
  'One file at a time',
  'Another such file is being made for you. Try again when you have it.',
)
