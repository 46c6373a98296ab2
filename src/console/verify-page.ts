import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'

/** `npm run verify-page` makes it: a file that verifies evidence by itself, and holds nothing of this installation. */
const page = readFileSync(new URL('verify.html', import.meta.url), 'utf8')
/** Its own: the scripts and styles that it has in itself, and no connection. */
const [, policy = "default-src 'none'"] =
  /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page) ?? []

export const sendVerifyPage: RequestHandler = (_request, response) => {
  response.set('Content-Security-Policy', `${policy}; frame-ancestors 'none'`)
  response.set('Cache-Control', 'public, max-age=3600').type('html').send(page)
}
