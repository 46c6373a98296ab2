import type { Request, RequestHandler } from 'express'
import type { Clock } from '../../platform/clock.ts'
import type { ServiceDialect } from './dialect.ts'
import { ServiceError } from './errors.ts'
import { clientIds, findKey, type Key, type KeyScope } from './keys.ts'

export type Access = ReturnType<typeof createAccess>

/** Finds who makes a request, by key or OAuth token, and what they may ask for. */
export function createAccess(tokens: Tokens, clock: Clock, dialect: ServiceDialect) {
  /** The key, or the client whose token it is, in the Authorization header. Throws a 401. */
  function keyOf(request: Request): Key {
    const authorization = request.get('authorization')
    if (authorization === undefined) throw unauthorized('is missing', 'Bearer')
    const credential = /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? ''
    const key = findKey(credential) ?? tokens.find(credential, clock.now())
    if (key === undefined) {
      throw unauthorized('is not one that this service gave out', 'Bearer error="invalid_token"')
    }
    if (key === 'expired') {
      throw unauthorized('is a token that has expired; ask for a new one', 'Bearer error="invalid_token"')
    }
    return key
  }

  return {
    keyOf,
    /** Null for a request without a valid key or token. */
    nameOf(request: Request): string | null {
      try {
        return keyOf(request).name
      } catch {
        return null
      }
    },
    /** Answers 403 without the scope, if it is needed: the specification names no other than webhooks.write. */
    require(scope: KeyScope): RequestHandler {
      const isNeeded = scope === 'webhooks.write' || dialect['read-scopes'] === 'needed'
      return (request, _response, next) => {
        if (isNeeded && !keyOf(request).scopes.includes(scope)) {
          throw new ServiceError(403, `This key lacks the scope ${scope}.`, {
            headers: { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
          })
        }
        next()
      }
    },
  }
}

/** The challenge is RFC 6750's (section 3). */
function unauthorized(what: string, challenge: string): ServiceError {
  const message = `The API key ${what}; send the header Authorization: Bearer <API_KEY>.`
  return new ServiceError(401, message, { headers: { 'WWW-Authenticate': challenge } })
}

/** Seconds that an access token lasts. */
export const tokenSeconds = 3600
/** Refresh tokens of all clients that are remembered; the oldest end. */
const mostRefreshTokens = 1_000

interface TokenGrant {
  client: Key
  scopes: readonly KeyScope[]
}

export type Tokens = ReturnType<typeof createTokens>

/** OAuth tokens of all clients, kept as long as the sandbox runs. Times are milliseconds since the epoch. */
export function createTokens(random: (bytes: number) => Buffer, dialect: ServiceDialect) {
  const refresh = dialect['refresh-token']
  const accessTokens = new Map<string, TokenGrant & { endsAt: number }>()
  const refreshTokens = new Map<string, TokenGrant>()
  /** A configuration may hold the refresh token that each client begins with; it works once if they rotate. */
  const firstRefreshTokens = new Set(clientIds.map((id) => `${id}-refresh`))

  function newRefreshToken(grant: TokenGrant): string | undefined {
    if (refresh === 'none') return undefined
    const token = `srt_${random(16).toString('hex')}`
    refreshTokens.set(token, grant)
    const [oldest] = refreshTokens.keys()
    if (oldest !== undefined && refreshTokens.size > mostRefreshTokens) refreshTokens.delete(oldest)
    return token
  }

  return {
    issue(grant: TokenGrant, now: number) {
      // An expired token differs from an unknown one for another hour.
      for (const [token, { endsAt }] of accessTokens) {
        if (endsAt <= now - tokenSeconds * 1000) accessTokens.delete(token)
      }
      const accessToken = `sat_${random(16).toString('hex')}`
      accessTokens.set(accessToken, { ...grant, endsAt: now + tokenSeconds * 1000 })
      return { accessToken, refreshToken: newRefreshToken(grant) }
    },
    /** What a refresh token stands for; undefined if it is not the client's, or was used and rotates. */
    grantOf(refreshToken: string, client: Key): TokenGrant | undefined {
      if (refreshToken === `${client.name}-refresh` && firstRefreshTokens.has(refreshToken)) {
        return { client, scopes: client.scopes }
      }
      const grant = refreshTokens.get(refreshToken)
      return grant?.client.name === client.name ? grant : undefined
    },
    /** Ends a refresh token after its use, if they rotate. */
    endRefreshToken(refreshToken: string): void {
      if (refresh !== 'rotating') return
      refreshTokens.delete(refreshToken)
      firstRefreshTokens.delete(refreshToken)
    },
    /** The client behind an access token, with the scopes of that token. */
    find(accessToken: string, now: number): Key | 'expired' | undefined {
      const grant = accessTokens.get(accessToken)
      if (grant === undefined) return undefined
      return grant.endsAt <= now ? 'expired' : { ...grant.client, scopes: grant.scopes }
    },
    /** Ends all access tokens before their time. Returns how many. */
    expireAll(now: number): number {
      let ended = 0
      for (const grant of accessTokens.values()) {
        if (grant.endsAt > now) ended++
        grant.endsAt = Math.min(grant.endsAt, now)
      }
      return ended
    },
  }
}
