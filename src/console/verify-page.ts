import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { type Html, html } from './html.ts'

/** `npm run verify-page` makes it: a file that verifies evidence by itself, and holds nothing of this installation. */
const page = readFileSync(new URL('verify.html', import.meta.url), 'utf8')
/** Its own: the scripts and styles that it has in itself, and no connection. */
const [, policy = "default-src 'none'"] =
  /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []

export const sendVerifyPage: RequestHandler = (_request, response) => {
  response.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
  response.set('Cache-Control', 'public, max-age=3600').type('html').send(page)
}

/** Beside the button for an evidence file: how somebody without Bluepencil checks it. */
export function verifyLinks(base: string): Html {
  return html`<p class="meta">Anybody can check that file without Bluepencil: <a href="${base}/verify.html">open the page that verifies it</a>, or <a href="${base}/verify.html" download="verify.html">save that page</a> and use it offline.</p>`
}
