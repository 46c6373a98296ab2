import type { Request } from 'express'
import * as z from 'zod'
import { markOf, newSession } from '../access/session.ts'
import { keyLimitsOf } from '../access/sign-in.ts'
import { accountsOf, setPassword, whyNoPassword, whyUnchanged } from '../accounts.ts'
import { buttonRow, errorSummary, textField } from '../form-parts.ts'
import { html } from '../html.ts'
import { formFields } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import type { ActionRequest, ConsoleReply, PageRequest } from '../reply.ts'
import type { Exchange, Visit } from '../request.ts'
import { noSuchPerson } from './people.ts'
import { placeInWords } from './settings.ts'
import { type FieldErrors, passwordFields, refusedHere, textsIn } from './setup.ts'

/** Everybody who has signed in with a password changes their own here. */
export async function showPassword(
  { context, me }: PageRequest,
  { configEditing: editing }: ConsoleParts,
  errors: FieldErrors = {},
  status = Object.keys(errors).length > 0 ? 422 : 200,
): Promise<ConsoleReply> {
  const place = editing.section('users')
  const hasAccount = accountsOf(editing).some(({ name }) => name === me)
  const refusal = !hasAccount
    ? 'You do not sign in with a password of Bluepencil.'
    : place.from === 'file'
      ? `Your account is ${placeInWords(place)}: change it there.`
      : editing.refusal()
  return {
    page: {
      title: 'Your password',
      status,
      body: html`<h1>Your password</h1>
${refusal !== undefined && html`<p class="caveat">${refusal}</p>`}
${
  refusal === undefined &&
  html`<p class="text">Wherever else you are signed in, you will have to sign in again.</p>
${errorSummary(errors)}
<form class="form" method="post" action="${context.base}/settings/password">${formFields(context)}
${textField({ name: 'now', label: 'Current password', type: 'password', error: errors.now, isRequired: true, autocomplete: 'current-password' })}
${passwordFields(errors)}
${buttonRow([{ label: 'Change it' }])}</form>`
}`,
    },
  }
}

export async function changePassword(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { now = '', password = '', again = '' } = textsIn(request.fields)
  const { configEditing: editing } = parts
  const account = accountsOf(editing).find(({ name }) => name === request.me)
  if (account === undefined) return noSuchPerson
  const errors: FieldErrors = whyNoPassword(password, again)
  if (Object.values(errors).some((error) => error !== undefined)) return showPassword(request, parts, errors)
  const checked = await request.checkPassword(account.name, now)
  if (checked.result === 'wait') {
    const minutes = Math.ceil(checked.seconds / 60)
    return showPassword(request, parts, { now: `Too many wrong passwords. Wait ${minutes} min.` }, 429)
  }
  if (checked.result === 'wrong') return showPassword(request, parts, { now: 'This is not your password.' })
  const changed = await setPassword(editing, request, { name: account.name, password })
  const why = whyUnchanged(changed)
  if (why !== undefined) return showPassword(request, parts, { '': why })
  return { to: '/sign-in?done=password-changed' }
}

const oldLink =
  'This link does not work: it was used, replaced, or is older than a day. Ask an admin for another.'

export async function showReset(visit: Visit, { services }: Exchange): Promise<void> {
  visit.answer(resetPage(visit, services.base))
}

function resetPage({ token }: Visit, base: string, errors: FieldErrors = {}, status = 200): ConsoleReply {
  return {
    page: {
      title: 'Choose a password',
      status,
      takesKey: true,
      body: html`<h1>Choose a password</h1>
${errorSummary(errors)}
<form class="form" method="post" action="${base}/reset"><input type="hidden" name="token" value="${token}">
${textField({ name: 'key', label: 'The end of the link', help: 'What stands behind # in the address. It is filled in by itself if scripts run.', type: 'password', error: errors.key, isRequired: true })}
${passwordFields(errors)}
${buttonRow([{ label: 'Choose it' }])}</form>`,
    },
  }
}

const Body = z.object({ body: z.unknown() }) satisfies z.ZodType<Pick<Request, 'body'>>

/** Signs in who has the link. It works until a password was stored with it, and only once. */
export async function choosePassword(visit: Visit, { request, response, services }: Exchange): Promise<void> {
  const { shown, sessions, base } = services
  const fields = textsIn(Body.parse(request).body)
  const { key = '', password = '', again = '' } = fields
  const reject = (errors: FieldErrors, status = 422) => visit.answer(resetPage(visit, base, errors, status))
  if (!visit.isOurForm(fields))
    return reject({ '': 'This page was open for too long. Please try again.' }, 403)
  const limits = keyLimitsOf('reset', visit.address)
  const waitMs = await sessions.mustWait(limits)
  if (waitMs > 0) {
    response.set('Retry-After', String(Math.ceil(waitMs / 1_000)))
    return reject({ '': 'Too many tries have failed. Wait 15 min.' }, 429)
  }
  const errors: FieldErrors = whyNoPassword(password, again)
  if (Object.values(errors).some((error) => error !== undefined)) return reject(errors)
  const link = await shown.setup.readLink(key.trim().replace(/^.*#/, ''))
  if (link === undefined) {
    await sessions.failed(limits)
    return reject({ key: oldLink }, 401)
  }
  const { id, name } = link
  // Of two who use it at once, the second repeats this act.
  const doer = { by: { name, via: 'console' as const }, key: `reset ${id}` }
  const changed = await setPassword(shown.configEditing, doer, { name, password })
  const why = whyUnchanged(changed)
  if (why !== undefined) return reject({ '': why }, 409)
  await shown.setup.endLink(id).catch(shown.onError)
  // It was used, or the account was removed.
  if (changed.result !== 'changed') return reject({ key: oldLink }, 401)
  visit.begin(newSession(name, markOf(changed.hash), shown.clock.now()))
  services.onSignIn({ name, isIn: true })
  visit.answer({ to: '/' })
}
