import { type Html, html } from '../html.ts'
import type { ConsolePage } from '../layout.ts'
import type { PageContext } from '../parts-of-pages.ts'

interface SignInPageData {
  problem?: string
  status: number
  /** Where they wanted to go. */
  to: string
  hasPasswords: boolean
  /** What the OpenID provider is called, where there is one. */
  provider: string | undefined
}

export function signInPage(
  { problem, status, to, hasPasswords, provider }: SignInPageData,
  context: Pick<PageContext, 'base' | 'token'>,
): ConsolePage {
  return {
    title: 'Sign in',
    status,
    body: html`<h1>Sign in</h1>
${problem !== undefined && html`<p class="caveat" role="alert">${problem}</p>`}
${
  provider !== undefined &&
  html`<p><a class="button" href="${context.base}/sign-in/oidc?to=${encodeURIComponent(to)}">Sign in with ${provider}</a></p>`
}
${provider !== undefined && hasPasswords && html`<h2>With a name and a password</h2>`}
${hasPasswords && passwordForm(to, context)}`,
  }
}

function passwordForm(to: string, { base, token }: Pick<PageContext, 'base' | 'token'>): Html {
  return html`<form class="stacked" method="post" action="${base}/sign-in">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${to}">
<div><label for="name">Name</label><input id="name" name="name" required autocomplete="username" maxlength="100"></div>
<div><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password" maxlength="1000"></div>
<button>Sign in</button>
</form>`
}
