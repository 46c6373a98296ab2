import express, { type IRouter } from 'express'
import * as z from 'zod'
import { createSignIn } from './access/sign-in.ts'
import type { ApplicationParts } from './application.ts'
import { addOidc, whyNotOf } from './oidc-signing-in.ts'
import { signInPage } from './pages/sign-in.ts'
import { problemPage } from './reply.ts'
import { type ConsoleRequest, visitOf } from './request.ts'

const Fields = z.object({
  name: z.string().trim().max(100).catch(''),
  password: z.string().max(1_000).catch(''),
  to: z.string().optional().catch(undefined),
})

const form = express.urlencoded({ extended: false, limit: '5kb', parameterLimit: 10 })

/** Adds the ways in, and the way out. */
export function addSignIn(routes: IRouter, parts: ApplicationParts): void {
  const { base, book, now, console } = parts
  const signIn = createSignIn({ book, now })

  function show(visit: ConsoleRequest, to: unknown, problem?: { text: string; status: number }): void {
    const { token } = visit
    const status = problem?.status ?? 200
    const { users, oidc } = console()
    const provider = oidc && (oidc.name ?? new URL(oidc.issuer).hostname)
    const page = signInPage(
      {
        to: placeFrom(to),
        status,
        hasPasswords: users !== undefined,
        provider,
        ...(problem !== undefined && { problem: problem.text }),
      },
      { base, token },
    )
    visit.answer({ page })
  }

  routes.get('/sign-in', async (request, response) => {
    const visit = await visitOf(request, response, parts)
    if ('refused' in visit.who)
      return visit.answer({ page: problemPage(403, 'This is not open to you', visit.who.refused) })
    if ('role' in visit.who) return visit.answer({ to: '/' })
    show(visit, request.query.to, whyNotOf(request.query.why))
  })

  routes.post('/sign-in', form, async (request, response) => {
    const visit = await visitOf(request, response, parts)
    if ('refused' in visit.who)
      return visit.answer({ page: problemPage(403, 'This is not open to you', visit.who.refused) })
    const given: unknown = request.body
    const { name, password, to } = Fields.catch({ name: '', password: '', to: undefined }).parse(given)
    const isOurs = visit.isOurForm(z.record(z.string(), z.unknown()).catch({}).parse(given))
    if (!isOurs)
      return show(visit, to, { text: 'This page was open for too long. Please try again.', status: 403 })
    const done = await signIn(console(), { name, password, address: visit.address })
    if (done.result === 'wait') {
      response.set('Retry-After', String(done.seconds))
      const minutes = Math.ceil(done.seconds / 60)
      return show(visit, to, { text: `Too many tries have failed. Wait ${minutes} min.`, status: 429 })
    }
    if (done.result === 'wrong') {
      parts.onSignIn({ name, isIn: false })
      return show(visit, to, { text: 'The name or the password is not right.', status: 401 })
    }
    parts.onSignIn({ name, isIn: true })
    visit.begin(done.session)
    visit.answer({ to: placeFrom(to) })
  })

  addOidc(routes, parts, placeFrom)

  routes.post('/sign-out', form, async (request, response) => {
    const visit = await visitOf(request, response, parts)
    const fields = z.record(z.string(), z.unknown()).catch({}).parse(request.body)
    if ('role' in visit.who && visit.isOurForm(fields)) {
      // One in which nobody signed in lets nobody in.
      if (visit.session.user !== null) await book.end(visit.session.id, visit.session.until)
      visit.forget()
    }
    visit.answer({ to: '/sign-in?done=signed-out' })
  })
}

/** A place below the console's path, and nowhere else: it is put behind that path. */
function placeFrom(to: unknown): string {
  return typeof to === 'string' && to.length < 500 && /^\/[\w\-./~?=&%+:]*$/.test(to) ? to : '/'
}
