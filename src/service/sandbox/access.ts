import type { Request, RequestHandler } from 'express'
import type { Clock } from '../../platform/clock.ts'
import type { ServiceDialect } from './dialect.ts'
import { ServiceError } from './errors.ts'
import { findKey, type Key, type KeyScope, requireScope } from './keys.ts'
import type { Tokens } from './tokens.ts'

/** Who may ask for what. */
export class Access {
  readonly #tokens: Tokens
  readonly #clock: Clock
  readonly #readScopes: ServiceDialect['read-scopes']

  constructor(tokens: Tokens, clock: Clock, readScopes: ServiceDialect['read-scopes']) {
    this.#tokens = tokens
    this.#clock = clock
    this.#readScopes = readScopes
  }

  /** The key, or the client whose token it is, in the Authorization header. Throws a 401. */
  of(request: Request): Key {
    const authorization = request.get('authorization')
    if (authorization === undefined) throw unauthorized('is missing', 'Bearer')
    const credential = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
    const key = findKey(credential) ?? this.#tokens.find(credential, this.#clock.now())
    if (key === undefined) {
      throw unauthorized('is not one that this service gave out', 'Bearer error="invalid_token"')
    }
    if (key === 'expired') {
      throw unauthorized('is a token that has expired; ask for a new one', 'Bearer error="invalid_token"')
    }
    return key
  }

  /** Null where nobody is known by that header. */
  nameOf(request: Request): string | null {
    try {
      return this.of(request).name
    } catch {
      return null
    }
  }

  /** Lets pass only who has the scope, where it is needed: the specification names no other than webhooks.write. */
  require(scope: KeyScope): RequestHandler {
    return (request, _response, next) => {
      const needed = scope === 'webhooks.write' || this.#readScopes === 'needed'
      if (needed) requireScope(this.of(request), scope)
      next()
    }
  }
}

/** The challenge is RFC 6750's (section 3). */
function unauthorized(what: string, challenge: string): ServiceError {
  const message = `The API key ${what}; send the header Authorization: Bearer <API_KEY>.`
  return new ServiceError(401, 'UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': challenge } })
}
