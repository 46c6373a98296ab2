import * as z from 'zod'
import { type KnownToken, TokenUse } from '../../people/converse/tokens.ts'
import { plain } from '../../platform/text.ts'
import { buttonRow, errorSummary, selectField, textField } from '../form-parts.ts'
import { type Html, html } from '../html.ts'
import { buttonForm, formFields, timeOf } from '../page-parts.ts'
import type { ConsoleParts } from '../parts.ts'
import {
  type ActionRequest,
  type ConsoleReply,
  notFound,
  type PageContext,
  type PageRequest,
} from '../reply.ts'

const uses: Record<TokenUse, string> = { feeds: 'feeds', api: 'the API, and files' }

interface TokenForm {
  /** What somebody wrote into the form that was not accepted, and why. */
  name?: string
  problem?: string
  /** It was just made, and is shown this once. */
  made?: { token: string; known: KnownToken; root: string }
}

/** Who reads without signing in. */
export async function showTokens(
  { context }: PageRequest,
  { tokens }: Pick<ConsoleParts, 'tokens'>,
  { made, name = '', problem }: TokenForm = {},
): Promise<ConsoleReply> {
  const all = await tokens.list()
  return {
    page: {
      title: 'Tokens',
      ...(problem !== undefined && { status: 422 }),
      body: html`<h1>Tokens</h1>
<p class="text">Programs cannot sign in. A token lets a program read alerts, and nothing else: a feed reader by its address, a script by a header. Give each program its own token, so you can revoke one without the others.</p>
${made !== undefined && madeOf(made)}
${all.length === 0 ? html`<p class="none">There are no tokens.</p>` : tableOf(all, context)}
<section id="add" aria-labelledby="add-title"><h2 id="add-title">Make a token</h2>
${errorSummary({ name: problem })}
<form class="form" method="post" action="${context.base}/tokens">
${formFields(context)}
${textField({ name: 'name', label: 'Name', help: 'Who or what reads with it', value: name, error: problem, isRequired: true, maxLength: 60 })}
${selectField({ name: 'use', label: 'For', options: uses, value: 'feeds' })}
${buttonRow([{ label: 'Make' }])}
</form></section>`,
    },
  }
}

const Fields = z.object({
  name: z
    .string()
    .transform((text) => plain(text, 60))
    .catch(''),
  use: TokenUse.catch('feeds'),
})

export async function makeToken(request: ActionRequest, parts: ConsoleParts): Promise<ConsoleReply> {
  const { by, key, fields, root } = request
  const { name, use } = Fields.parse(fields)
  const refuse = (problem: string) => showTokens(request, parts, { name, problem })
  if (name === '') return refuse('Say who or what reads with it, in a few words.')
  const made = await parts.tokens.make({ by, key }, { name, use })
  if (made === 'full') return refuse('There are already a hundred tokens. Revoke those that nobody uses.')
  if (made === 'already')
    return refuse(
      'This form was already sent. Its token cannot be shown again: revoke it in the list, and create another.',
    )
  return showTokens(request, parts, { made: { ...made, root } })
}

export async function revokeToken(
  { by, key, parameters: { id = '' } }: ActionRequest,
  { tokens }: ConsoleParts,
): Promise<ConsoleReply> {
  const result = await tokens.revoke({ by, key }, id)
  if (result === 'unknown') return notFound('There is no such token. It may have been revoked.')
  return { to: '/tokens?done=token-revoked' }
}

function madeOf({ token, known, root }: NonNullable<TokenForm['made']>): Html {
  return html`<section class="done" role="status" aria-labelledby="made"><h2 id="made">The token “${known.name}”</h2>
<p>It is shown only once and stored nowhere. Copy it now.</p>
<pre tabindex="0" role="region" aria-label="The token">${token}</pre>
${
  known.use === 'feeds'
    ? html`<p>The address of a feed ends with it. For a feed of some alerts, filter the list, copy the address of the feed there, and add <code>token=…</code> to it.</p>
<pre tabindex="0" role="region" aria-label="The address of the feed of all alerts">${root}/feed.atom?token=${token}</pre>`
    : html`<pre tabindex="0" role="region" aria-label="How it is used">curl -H 'Authorization: Bearer ${token}' ${root}/api/v1/events</pre>`
}</section>`
}

function tableOf(tokens: readonly KnownToken[], context: PageContext): Html {
  const { timeZone } = context
  return html`<table class="cards"><thead><tr><th scope="col">Name</th><th scope="col">For</th><th scope="col">Made, and last used</th><th scope="col">Act</th></tr></thead><tbody>
${tokens.map(
  ({ id, name, use, madeBy, madeAt, usedAt }) =>
    html`<tr><th scope="row">${name}</th><td data-label="For">${uses[use]}</td>
<td data-label="Made">${timeOf(madeAt, timeZone)} by ${madeBy}<br><span class="meta">${usedAt === undefined ? 'not used yet' : html`last used ${timeOf(usedAt, timeZone)}, to the hour`}</span></td>
<td>${buttonForm(context, { action: `/tokens/${id}/revoke`, label: 'Revoke', about: `the token ${name}` })}</td></tr>`,
)}</tbody></table>`
}
