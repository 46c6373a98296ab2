import { Role } from '../../config/values.ts'
import type { ConfigChanged } from '../../people/converse/settings.ts'
import { linkMs } from '../../people/converse/setup-key.ts'
import { hourMs } from '../../platform/durations.ts'
import { hashOf } from '../access/password.ts'
import {
  accountsOf,
  changeAccounts,
  sentenceOf,
  type UserAccount,
  whyUnchanged,
  withdrawLeftFeeds,
} from '../accounts.ts'
import { buttonRow, errorSummary, selectField, textField } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, formFields } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  notFound,
  type PageContext,
  type PageRequest,
} from '../reply.ts'
import { placeInWords } from './settings.ts'
import { type FieldErrors, refusedHere, textsIn } from './setup.ts'

const roleNames: Record<Role, string> = {
  reader: 'Reader: sees all',
  editor: 'Editor: also acts, silences and filters',
  admin: 'Admin: also changes settings, channels and people',
}

interface PeopleForm {
  name?: string
  role?: string
  errors?: FieldErrors
  /** A link that was just made, and is shown this once. */
  link?: { name: string; address: string }
}

export async function showPeople(
  { context }: PageRequest,
  { configEditing: editing }: ConsoleParts,
  { name = '', role = 'editor', errors = {}, link }: PeopleForm = {},
): Promise<ConsoleReply> {
  const place = editing.section('users')
  const accounts = accountsOf(editing)
  const refusal =
    place.from === 'file' ? `The accounts are ${placeInWords(place)}: change them there.` : editing.refusal()
  const mayChange = refusal === undefined
  return {
    page: {
      title: 'People',
      ...(Object.keys(errors).length > 0 && { status: 422 }),
      body: html`<h1>People</h1>
<p class="text">Who signs in with a name and a password. What they do is in the audit log.</p>
${refusal !== undefined && html`<p class="caveat">${refusal}</p>`}
${link !== undefined && linkIn(link)}
${accounts.length === 0 ? html`<p class="none">There is no account.</p>` : tableOf(accounts, mayChange, context)}
${
  mayChange &&
  html`<section id="add" aria-labelledby="add-title"><h2 id="add-title">Add somebody</h2>
<p class="text">You get a link for them. With it they choose their password.</p>
${errorSummary(errors)}
<form class="form" method="post" action="${context.base}/settings/people">${formFields(context)}
${textField({ name: 'name', label: 'Name', help: 'Without spaces, such as ana', value: name, error: errors.name, isRequired: true, maxLength: 100 })}
${selectField({ name: 'role', label: 'Role', options: roleNames, value: role })}
${buttonRow([{ label: 'Add' }])}</form></section>`
}`,
    },
  }
}

function linkIn({ name, address }: { name: string; address: string }): Html {
  return html`<section class="done" role="status" aria-labelledby="link"><h2 id="link">A link for ${name}</h2>
<p>It is shown this once, works once, and for ${linkMs / hourMs} hours. Hand it over in person or in a private message.</p>
<pre tabindex="0" role="region" aria-label="The link">${address}</pre></section>`
}

function tableOf(accounts: readonly UserAccount[], mayChange: boolean, context: PageContext): Html {
  return html`<table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">Role</th>${mayChange && html`<th scope="col">Act</th>`}</tr></thead><tbody>
${accounts.map(
  ({ name, role }, index) =>
    html`<tr><th scope="row">${name}</th><td data-label="Role">${mayChange ? roleForm({ name, role, index }, context) : role}</td>
${mayChange && html`<td><div class="row">${buttonForm(context, { action: `${pathOf(name)}/reset`, label: 'Link for a new password', about: name })}${buttonForm(context, { action: `${pathOf(name)}/remove`, label: 'Remove', about: name })}</div></td>`}</tr>`,
)}</tbody></table>`
}

function pathOf(name: string): string {
  return `/settings/people/${encodeURIComponent(name)}`
}

function roleForm(
  { name, role, index }: { name: string; role: Role; index: number },
  context: PageContext,
): Html {
  const id = `role-${index}`
  return html`<form method="post" action="${context.base}${pathOf(name)}/role"><div class="row">${formFields(context)}<label class="unseen" for="${id}">Role of ${name}</label><select id="${id}" name="role">${Role.options.map((one) => html`<option value="${one}"${one === role && html` selected`}>${one}</option>`)}</select><button class="quiet" aria-label="Change the role of ${name}">Change</button></div></form>`
}

/** What a change of the accounts leads to. */
async function after(
  changed: ConfigChanged,
  request: ActionRequest,
  parts: ConsoleParts,
  form: PeopleForm = {},
): Promise<ConsoleReply> {
  if (changed.result === 'invalid') {
    const errors = changed.problems.map(({ path, message }) =>
      path.at(-1) === 'name'
        ? ['name', sentenceOf(`this ${message}`)]
        : ['', sentenceOf(`the accounts ${message}`)],
    )
    return showPeople(request, parts, { ...form, errors: Object.fromEntries(errors) })
  }
  const why = whyUnchanged(changed)
  if (why === undefined) return { to: '/settings/people?done=saved' }
  return showPeople(request, parts, { ...form, errors: { '': why } })
}

export async function addPerson(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { name: typed = '', role: chosen } = textsIn(request.fields)
  const name = typed.trim()
  const role = Role.catch('reader').parse(chosen)
  const { configEditing: editing } = parts
  if (accountsOf(editing).some((one) => one.name === name)) {
    return showPeople(request, parts, {
      name,
      role,
      errors: { name: 'There is an account of that name already.' },
    })
  }
  await withdrawLeftFeeds(name, parts.feeds)
  // Nobody knows it: the link is the way in.
  const password = await hashOf(crypto.randomUUID())
  const changed = await changeAccounts(editing, request, (accounts) => [
    ...accounts,
    { name, password, role },
  ])
  if (changed.result !== 'changed') return after(changed, request, parts, { name, role })
  return withLink(name, request, parts)
}

async function withLink(name: string, request: PageRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const address = `${request.root}/reset#${await parts.setup.makeLink(name)}`
  return showPeople(request, parts, { link: { name, address } })
}

export async function makeResetLink(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { name = '' } = request.parameters
  if (!accountsOf(parts.configEditing).some((one) => one.name === name)) return noSuchPerson
  return withLink(name, request, parts)
}

export const noSuchPerson = notFound('There is no account of that name.')

export async function changeRole(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const role = Role.safeParse(request.fields.role).data
  if (role === undefined) return showPeople(request, parts, { errors: { '': 'Choose a role.' } })
  return changeOne(request, parts, (account) => [{ ...account, role }])
}

export async function removePerson(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  return changeOne(request, parts, () => [])
}

async function changeOne(
  request: ActionRequest,
  parts: ConsoleParts,
  how: (account: UserAccount) => UserAccount[],
): Promise<ConsoleReply> {
  const refusal = refusedHere(parts)
  if (refusal !== undefined) return refusal
  const { name = '' } = request.parameters
  const { configEditing: editing } = parts
  if (!accountsOf(editing).some((one) => one.name === name)) return noSuchPerson
  const changed = await changeAccounts(editing, request, (accounts) =>
    accounts.flatMap((account) => (account.name === name ? how(account) : [account])),
  )
  return after(changed, request, parts)
}
