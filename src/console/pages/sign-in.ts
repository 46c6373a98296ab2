import { html } from '../html.ts'
import type { Page } from '../layout.ts'
import type { PageContext } from '../parts-of-pages.ts'

export function signInPage(
  { problem, status, to }: { problem?: string; status: number; to: string },
  { base, token }: Pick<PageContext, 'base' | 'token'>,
): Page {
  return {
    title: 'Sign in',
    status,
    body: html`<h1>Sign in</h1>
${problem !== undefined && html`<p class="caveat" role="alert">${problem}</p>`}
<form class="stacked" method="post" action="${base}/sign-in">
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${to}">
<div><label for="name">Name</label><input id="name" name="name" required autocomplete="username" maxlength="100"></div>
<div><label for="password">Password</label><input id="password" name="password" type="password" required autocomplete="current-password" maxlength="1000"></div>
<button>Sign in</button>
</form>`,
  }
}
