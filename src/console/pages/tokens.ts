import type { KnownToken } from '../../people/converse/tokens.ts'
import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import { buttonForm, formFields, type PageContext, timeOf } from '../parts-of-pages.ts'

const uses: Record<KnownToken['use'], string> = { feeds: 'feeds', api: 'the API, and files' }

interface TokensPageData {
  tokens: readonly KnownToken[]
  /** What somebody wrote into the form, where it was not accepted, and why. */
  name?: string
  problem?: string
  /** It was just made, and is shown this once. */
  made?: { token: string; known: KnownToken; feed: string; api: string }
}

/** Who reads without signing in. */
export function tokensPage(
  { tokens, made, name = '', problem }: TokensPageData,
  context: PageContext,
): ConsolePage {
  return {
    title: 'Tokens',
    ...(problem !== undefined && { status: 422 }),
    body: html`<h1>Tokens</h1>
<p class="text">Programs cannot sign in. A token lets one read alerts, and nothing else: a feed reader by its address, a script by a header. Give each its own, so that it can be revoked alone.</p>
${made !== undefined && madeOf(made)}
${tokens.length === 0 ? html`<p class="none">There is no token.</p>` : tableOf(tokens, context)}
<section id="add" aria-labelledby="add-title"><h2 id="add-title">Make a token</h2>
${problem !== undefined && html`<p class="caveat" role="alert" id="problem">${problem}</p>`}
<form class="stacked" method="post" action="${context.base}/tokens">
${formFields(context)}
<div><label for="name">Name</label><input id="name" name="name" value="${name}" required maxlength="60" autocomplete="off" aria-describedby="name-help${problem !== undefined && ' problem'}"><p class="meta" id="name-help">Who or what reads with it</p></div>
<div><label for="use">For</label><select id="use" name="use"><option value="feeds">${uses.feeds}</option><option value="api">${uses.api}</option></select></div>
<button>Make</button>
</form></section>`,
  }
}

function madeOf({ token, known, feed, api }: NonNullable<TokensPageData['made']>): Html {
  return html`<section class="done" role="status" aria-labelledby="made"><h2 id="made">The token “${known.name}”</h2>
<p>It is shown this once, and stored nowhere. Copy it now.</p>
<pre tabindex="0" role="region" aria-label="The token">${token}</pre>
${
  known.use === 'feeds'
    ? html`<p>The address of a feed ends with it. For a feed of some alerts alone, choose them in the list, copy the address of the feed there, and add <code>token=…</code> to it.</p>
<pre tabindex="0" role="region" aria-label="The address of the feed of all alerts">${feed}?token=${token}</pre>`
    : html`<pre tabindex="0" role="region" aria-label="How it is used">curl -H 'Authorization: Bearer ${token}' ${api}</pre>`
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
