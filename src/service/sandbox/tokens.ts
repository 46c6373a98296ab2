import type { ServiceDialect } from './dialect.ts'
import { clientIds, type Key, type KeyScope } from './keys.ts'

/** Seconds that an access token lasts. */
export const tokenSeconds = 3600

interface TokenGrant {
  client: Key
  scopes: readonly KeyScope[]
}

export interface IssuedTokens {
  accessToken: string
  refreshToken: string | undefined
  scopes: readonly KeyScope[]
}

/** A client holds so many refresh tokens; the oldest end. */
const heldRefreshTokens = 1_000

/** OAuth tokens of all clients. They last as long as the sandbox runs, at most. */
export class Tokens {
  readonly #random: (bytes: number) => Buffer
  readonly #refresh: ServiceDialect['refresh-token']
  readonly #access = new Map<string, TokenGrant & { endsAt: number }>()
  readonly #refreshable = new Map<string, TokenGrant>()
  /** Refresh tokens that each client was given on paper, so that a configuration can hold one: each works once where they rotate. */
  readonly #given = new Set(clientIds.map((id) => `${id}-refresh`))

  constructor(random: (bytes: number) => Buffer, refresh: ServiceDialect['refresh-token']) {
    this.#random = random
    this.#refresh = refresh
  }

  /** `now` is milliseconds since the epoch. */
  issue(grant: TokenGrant, now: number): IssuedTokens {
    this.#forget(now)
    const accessToken = `sat_${this.#random(16).toString('hex')}`
    this.#access.set(accessToken, { ...grant, endsAt: now + tokenSeconds * 1000 })
    return { accessToken, refreshToken: this.#newRefreshToken(grant), scopes: grant.scopes }
  }

  /** What the refresh token stands for; undefined where it is not the client's, or was used and rotates. */
  grantOf(refreshToken: string, client: Key): TokenGrant | undefined {
    if (refreshToken === `${client.name}-refresh` && this.#given.has(refreshToken)) {
      return { client, scopes: client.scopes }
    }
    const grant = this.#refreshable.get(refreshToken)
    return grant?.client.name === client.name ? grant : undefined
  }

  /** Ends a refresh token that was used, where they rotate. */
  used(refreshToken: string): void {
    if (this.#refresh !== 'rotating') return
    this.#refreshable.delete(refreshToken)
    this.#given.delete(refreshToken)
  }

  /** The client behind an access token, with the scopes of that token. */
  find(accessToken: string, now: number): Key | 'expired' | undefined {
    const grant = this.#access.get(accessToken)
    if (grant === undefined) return undefined
    return grant.endsAt <= now ? 'expired' : { ...grant.client, scopes: grant.scopes }
  }

  /** Ends all access tokens before their time. Answers how many. */
  expireAll(now: number): number {
    let ended = 0
    for (const grant of this.#access.values()) {
      if (grant.endsAt > now) ended++
      grant.endsAt = Math.min(grant.endsAt, now)
    }
    return ended
  }

  #newRefreshToken(grant: TokenGrant): string | undefined {
    if (this.#refresh === 'none') return undefined
    const token = `srt_${this.#random(16).toString('hex')}`
    this.#refreshable.set(token, grant)
    const [oldest] = this.#refreshable.keys()
    if (oldest !== undefined && this.#refreshable.size > heldRefreshTokens) this.#refreshable.delete(oldest)
    return token
  }

  /** An expired token is told apart from an unknown one for another hour. */
  #forget(now: number): void {
    for (const [token, { endsAt }] of this.#access) {
      if (endsAt <= now - tokenSeconds * 1000) this.#access.delete(token)
    }
  }
}
