import { randomUUID } from 'node:crypto'
import { isSetUp } from '../../config/derived.ts'
import type { Doer } from '../../people/converse/acts.ts'
import { hashOf } from '../access/password.ts'
import { isOfSetup, markOf, newSession, newSetupSession } from '../access/session.ts'
import { keyLimitsOf } from '../access/sign-in.ts'
import { accountsOf, passwordRule, sentenceOf, whyNoPassword, withdrawLeftFeeds } from '../accounts.ts'
import { buttonRow, errorSummary, stepList, textField } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import type { ConsoleParts } from '../parts.ts'
import { type ConsoleReply, type PageContext, type PageRequest, problemPage } from '../reply.ts'
import type { Exchange, Visit } from '../request.ts'

export type FieldErrors = Record<string, string | undefined>

/** The first page of all: the one-time key, and then the first account. Who has an account goes on with the steps. */
export async function showSetup(visit: Visit, { services }: Exchange): Promise<void> {
  const { who, token } = visit
  const frame = { base: services.base, token }
  if (!('asks' in who) || who.asks !== 'set-up') return visit.answer({ to: '/setup/steps' })
  visit.answer(isOfSetup(visit.session) ? accountPage(frame, {}) : keyPage(frame))
}

const closed = problemPage(
  409,
  'Bluepencil is set up already',
  'This address is for the first start alone. Sign in with your account, or ask an admin for one.',
)
const oldForm = 'This page was open for too long. Please try again.'
const oldKey =
  'This key does not work: it was used, or Bluepencil has been started again since. Each start shows a new one. Use the newest.'

/** Exchanges the key, once, for a session that may make the first account. */
export async function useSetupKey(visit: Visit, exchange: Exchange): Promise<void> {
  const { request, response, services } = exchange
  const fields = textsIn(request.body)
  const frame = { base: services.base, token: visit.token }
  const { shown, sessions } = services
  if (!('asks' in visit.who) || visit.who.asks !== 'set-up') return visit.answer(closed)
  if (!visit.isOurForm(fields)) return visit.answer(keyPage(frame, oldForm, 403))
  const limits = keyLimitsOf('set-up', visit.address)
  const waitMs = await sessions.mustWait(limits)
  if (waitMs > 0) {
    response.set('Retry-After', String(Math.ceil(waitMs / 1_000)))
    return visit.answer(keyPage(frame, 'Too many tries have failed. Wait 15 min.', 429))
  }
  // A whole address may be pasted, too.
  const key = (fields.key ?? '').trim().replace(/^.*#/, '')
  if (!(await shown.setup.exchange(key))) {
    await sessions.failed(limits)
    services.onSignIn({ isIn: false, why: 'the key to set Bluepencil up is not the newest' })
    return visit.answer(keyPage(frame, oldKey, 401))
  }
  visit.begin(newSetupSession(shown.clock.now()))
  visit.answer({ to: '/setup' })
}

/** Makes the first account, an admin, who is signed in by it. */
export async function makeFirstAccount(visit: Visit, { request, services }: Exchange): Promise<void> {
  const { shown } = services
  const fields = textsIn(request.body)
  const frame = { base: services.base, token: visit.token }
  if (!('asks' in visit.who) || visit.who.asks !== 'set-up') return visit.answer(closed)
  if (!isOfSetup(visit.session)) return visit.answer({ to: '/setup' })
  const { password = '', again = '', key = '' } = fields
  const name = (fields.name ?? '').trim()
  const show = (errors: FieldErrors, status = 422) =>
    visit.answer(accountPage(frame, { name, errors, status }))
  if (!visit.isOurForm(fields)) return show({ '': oldForm }, 403)
  const errors = {
    name: name === '' ? 'Choose a name to sign in with.' : undefined,
    ...whyNoPassword(password, again),
  }
  if (Object.values(errors).some((error) => error !== undefined)) return show(errors)
  const hash = await hashOf(password)
  const { configEditing: editing } = shown
  const revision = editing.revision()
  if (isSetUp(shown.config()) || accountsOf(editing).length > 0) return visit.answer(closed)
  await withdrawLeftFeeds(name, shown.feeds)
  const doer: Doer = { by: { name, via: 'console' }, key: `${visit.session.id} ${key}` }
  const account = { name, password: hash, role: 'admin' }
  const made = await editing.change(doer, { section: 'users' }, [account], revision)
  if (made.result === 'invalid') {
    return show(
      Object.fromEntries(
        made.problems.map(({ path, message }) => [fieldAt(path), sentenceOf(`this ${message}`)]),
      ),
    )
  }
  if (made.result === 'refused') return show({ '': made.why }, 409)
  // Somebody was quicker, or this is a second click.
  if (made.result !== 'changed') return visit.answer(closed)
  await services.sessions.end(visit.session.id, visit.session.until)
  visit.begin(newSession(name, markOf(hash), shown.clock.now()))
  services.onSignIn({ name, isIn: true })
  visit.answer({ to: '/setup/channel' })
}

function fieldAt(path: readonly (string | number)[]): string {
  return path.at(-1) === 'name' ? 'name' : ''
}

function keyPage(frame: Pick<PageContext, 'base' | 'token'>, problem?: string, status = 200): ConsoleReply {
  return {
    page: {
      title: 'Set up Bluepencil',
      status,
      takesKey: true,
      body: html`<h1>Set up Bluepencil</h1>
<p class="text">Bluepencil shows one address when it starts, in its log. Open that address, or paste it here. It works once.</p>
${errorSummary({ key: problem })}
<form class="form" method="post" action="${frame.base}/setup/key" data-sends-itself>
<input type="hidden" name="token" value="${frame.token}">
${textField({ name: 'key', label: 'Key, or the whole address', help: 'With Docker: docker logs, and the name of the container', error: problem, type: 'password', isRequired: true })}
${buttonRow([{ label: 'Begin' }])}
</form>`,
    },
  }
}

function accountPage(
  frame: Pick<PageContext, 'base' | 'token'>,
  { name = '', errors = {}, status = 200 }: { name?: string; errors?: FieldErrors; status?: number },
): ConsoleReply {
  return {
    page: {
      title: 'Your account',
      status,
      body: html`${stepList(stepsOf(frame.base, []), 0)}
<h1>Your account</h1>
<p class="text">You are the first admin.</p>
${errorSummary(errors)}
<form class="form" method="post" action="${frame.base}/setup/account">
<input type="hidden" name="token" value="${frame.token}"><input type="hidden" name="key" value="${randomUUID()}">
${textField({ name: 'name', label: 'Name', help: 'Without spaces, such as ana.', value: name, error: errors.name, isRequired: true, autocomplete: 'username', maxLength: 100 })}
${passwordFields(errors)}
${buttonRow([{ label: 'Make the account' }])}
</form>`,
    },
  }
}

/** A new password, twice. */
export function passwordFields(errors: FieldErrors): Html {
  const field = {
    type: 'password',
    isRequired: true,
    autocomplete: 'new-password',
    maxLength: 1_000,
  } as const
  return html`${textField({ ...field, name: 'password', label: 'New password', help: passwordRule, error: errors.password })}
${textField({ ...field, name: 'again', label: 'The same again', error: errors.again })}`
}

const steps = [
  { label: 'Account', path: '/setup' },
  { label: 'Where alerts go', path: '/setup/channel' },
  { label: 'The service', path: '/setup/service' },
  { label: 'Our address', path: '/setup/address' },
] as const

function stepsOf(base: string, done: readonly boolean[]) {
  return steps.map(({ label, path }, index) => ({
    label,
    ...(done[0] === true && index > 0 && { href: `${base}${path}` }),
    isComplete: done[index] === true,
  }))
}

/** Which of the four steps are done. */
function doneSteps({ configEditing, config }: Pick<ConsoleParts, 'configEditing' | 'config'>): boolean[] {
  const { channels, monitor, webhook } = config()
  const hasAccount = configEditing.section('users').value !== undefined
  return [hasAccount, channels.length > 0, monitor !== undefined, webhook.publicUrl !== undefined]
}

/** Where somebody is in the set-up. */
export function setupSteps(current: 1 | 2 | 3, context: PageContext, parts: ConsoleParts): Html {
  return stepList(stepsOf(context.base, doneSteps(parts)), current)
}

interface OpenItem {
  what: string
  path: string
  link: string
}

/** What is still open before alerts can come; at the end, what is well to have. */
function openItems(parts: ConsoleParts): OpenItem[] {
  const { channels, operators, monitor, webhook, polling } = parts.config()
  const minutes = Math.round((parts.pollsEveryMs() ?? 0) / 60_000)
  const reads =
    polling.mode === 'off' || monitor === undefined
      ? ''
      : ` We read the published figures every ${minutes} min instead.`
  return [
    ...(channels.length === 0
      ? [{ what: 'No channel gets alerts yet.', path: '/setup/channel', link: 'Add a channel' }]
      : []),
    ...(monitor === undefined
      ? [
          {
            what: 'The monitoring service is not named, so no alert can come.',
            path: '/setup/service',
            link: 'Name the service',
          },
        ]
      : []),
    ...(monitor !== undefined && webhook.publicUrl === undefined
      ? [{ what: `The service cannot reach us.${reads}`, path: '/setup/address', link: 'Give our address' }]
      : []),
    ...(channels.length > 0 && operators.length === 0
      ? [{ what: 'Nobody is notified of trouble.', path: '/settings/operators', link: 'Choose who is' }]
      : []),
  ]
}

export function openList(parts: ConsoleParts, { base }: Pick<PageContext, 'base'>): Html | false {
  const open = openItems(parts)
  if (open.length === 0 || parts.configEditing.refusal() !== undefined) return false
  return html`<section aria-labelledby="open"><h2 id="open">Still open</h2><ul>${open.map(
    ({ what, path, link }) => html`<li>${what} <a href="${base}${path}">${link}</a></li>`,
  )}</ul></section>`
}

/** The whole way, for who left it and comes back. */
export async function showSteps({ context }: PageRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const open = openList(parts, context)
  return {
    page: {
      title: 'Set up Bluepencil',
      body: html`<h1>Set up Bluepencil</h1>
${stepList(stepsOf(context.base, doneSteps(parts)), -1)}
${open === false ? html`<p class="text">Everything is set up.</p>` : open}
<p><a class="button" href="${context.base}/">To the overview</a></p>`,
    },
  }
}

/** Nothing can be set here, and why. */
export function refusedHere({
  configEditing,
}: Pick<ConsoleParts, 'configEditing'>): ConsoleReply | undefined {
  const why = configEditing.refusal()
  return why === undefined ? undefined : problemPage(409, 'This cannot be changed here', why)
}

/** The fields of a form, as texts: of several ticks, with commas between them. */
export function textsIn(body: unknown): Record<string, string> {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(
    fields.flatMap(([name, value]: [string, unknown]) =>
      typeof value === 'string' ? [[name, value]] : Array.isArray(value) ? [[name, value.join(',')]] : [],
    ),
  )
}
