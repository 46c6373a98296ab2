import express, { type NextFunction, type Request, type Response, Router } from 'express'
import * as z from 'zod'
import type { Clock } from '../../../platform/clock.ts'
import { type Tokens, tokenSeconds } from '../access.ts'
import { answer } from '../answer.ts'
import { findClient, type Key, type KeyScope, keyScopes } from '../keys.ts'

/** RFC 6749, 5.1. */
export const TokenAnswer = z.strictObject({
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  /** Seconds. */
  expires_in: z.int(),
  refresh_token: z.string().optional(),
  scope: z.string(),
})

/** RFC 6749, 5.2. */
export const TokenError = z.strictObject({
  error: z.enum([
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'unsupported_grant_type',
    'invalid_scope',
  ]),
  error_description: z.string(),
})
export type TokenError = z.infer<typeof TokenError>

/** A refusal in the form of RFC 6749, 5.2. */
class OAuthRefusal extends Error {
  override readonly name = 'OAuthRefusal'
  readonly code: TokenError['error']
  readonly status: number

  constructor(code: TokenError['error'], message: string, status = 400) {
    super(message)
    this.code = code
    this.status = status
  }
}

/** The token endpoint of OAuth 2.0. The specification says that there is OAuth, and names the scope webhooks.write only. */
export function oauthRoutes(tokens: Tokens, clock: Clock): Router {
  const router = Router()

  router.post('/token', express.text({ type: () => true, limit: '10kb' }), (request, response) => {
    const form = readForm(request)
    const client = authenticateClient(request, form)
    const scopes = grantedScopes(form, client, tokens)
    const { accessToken, refreshToken } = tokens.issue({ client, scopes }, clock.now())
    uncached(response)
    answer(response, TokenAnswer, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: tokenSeconds,
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
      scope: scopes.join(' '),
    })
  })

  router.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    const error = refusalOf(thrown)
    if (error === undefined) return next(thrown)
    uncached(response.status(error.status))
    if (error.status === 401 && request.get('authorization') !== undefined) {
      response.set('WWW-Authenticate', 'Basic realm="oauth"')
    }
    answer(response, TokenError, { error: error.code, error_description: error.message })
  })

  return router
}

/** Express's body parser marks a body that it does not read, too long or broken, with a 4xx `status`. */
function refusalOf(error: unknown): OAuthRefusal | undefined {
  if (error instanceof OAuthRefusal) return error
  const unread = error instanceof Error && 'status' in error && Number(error.status) < 500
  return unread
    ? new OAuthRefusal('invalid_request', `The body cannot be read: ${error.message}.`)
    : undefined
}

function readForm(request: Request): URLSearchParams {
  if (!request.is('application/x-www-form-urlencoded')) {
    throw new OAuthRefusal('invalid_request', 'The body must be application/x-www-form-urlencoded.')
  }
  const text: unknown = request.body
  const form = new URLSearchParams(typeof text === 'string' ? text : '')
  const twice = [...form.keys()].find((name) => form.getAll(name).length > 1)
  if (twice !== undefined) throw new OAuthRefusal('invalid_request', `${twice} is given more than once.`)
  return form
}

/** By client_secret_basic or client_secret_post, never both (RFC 6749, 2.3). */
function authenticateClient(request: Request, form: URLSearchParams): Key {
  const basic = basicCredentials(request.get('authorization'))
  if (basic !== undefined && form.has('client_secret')) {
    throw new OAuthRefusal('invalid_request', 'The client authenticates in two ways at once.')
  }
  const id = basic?.id ?? form.get('client_id') ?? ''
  const secret = basic?.secret ?? form.get('client_secret') ?? ''
  const client = findClient(id, secret)
  if (client === undefined)
    throw new OAuthRefusal('invalid_client', 'The client or its secret is not known.', 401)
  return client
}

/** Both parts are form-encoded before they are joined (RFC 6749, 2.3.1). */
function basicCredentials(authorization: string | undefined): { id: string; secret: string } | undefined {
  if (authorization === undefined) return undefined
  const encoded = /^Basic +(\S+) *$/i.exec(authorization)?.[1] ?? ''
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  return { id: formDecoded(id), secret: formDecoded(secret.join(':')) }
}

function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text.replaceAll('&', '%26')}`).get('text') ?? ''
}

function grantedScopes(form: URLSearchParams, client: Key, tokens: Tokens): readonly KeyScope[] {
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return chosenScopes(form, client.scopes)
    case 'refresh_token':
      return refreshedScopes(form, client, tokens)
    case null:
      throw new OAuthRefusal('invalid_request', 'grant_type is missing.')
    default:
      throw new OAuthRefusal('unsupported_grant_type', 'There are client_credentials and refresh_token.')
  }
}

function refreshedScopes(form: URLSearchParams, client: Key, tokens: Tokens): readonly KeyScope[] {
  const token = form.get('refresh_token')
  if (token === null) throw new OAuthRefusal('invalid_request', 'refresh_token is missing.')
  const grant = tokens.grantOf(token, client)
  if (grant === undefined) throw new OAuthRefusal('invalid_grant', 'The refresh token is not valid any more.')
  const chosen = chosenScopes(form, grant.scopes)
  tokens.endRefreshToken(token)
  return chosen
}

/** Those that were asked for, else all that the client may have. */
function chosenScopes(form: URLSearchParams, allowed: readonly KeyScope[]): readonly KeyScope[] {
  const wanted = (form.get('scope') ?? '').split(' ').filter((scope) => scope !== '')
  const granted = allowed.filter((scope) => wanted.includes(scope))
  if (wanted.length === 0) return allowed
  if (granted.length === new Set(wanted).size) return granted
  throw new OAuthRefusal(
    'invalid_scope',
    `Of ${keyScopes.join(', ')} this client may ask for ${allowed.join(', ')}.`,
  )
}

/** RFC 6749, 5.1. */
function uncached(response: Response): void {
  response.set({ 'Cache-Control': 'no-store', Pragma: 'no-cache' })
}
