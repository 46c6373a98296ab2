import type { Request } from 'express'
import { hasSignIn } from '../../config/console.ts'
import type { ConsoleTokens, TokenUse } from '../../people/converse/tokens.ts'
import { type ConsoleRequestParts, cookieFrom } from '../request.ts'
import { whoIs } from './who.ts'

export interface ReadingParts extends Pick<ConsoleRequestParts, 'book' | 'console' | 'now'> {
  tokens: ConsoleTokens
}

/** What a program is told that may not read. */
export interface ReadingRefused {
  status: 401 | 403
  why: string
}

/**
 * Whether a program may read: with a token for this use, or as a browser does, with the session of somebody who may look.
 * Where nobody has to sign in, nothing is open to other machines, whatever they hold.
 */
export async function notToRead(
  request: Request,
  given: string | undefined,
  { use, console, book, tokens, now }: ReadingParts & { use: TokenUse },
): Promise<ReadingRefused | undefined> {
  const inForce = console()
  const came = { address: request.socket.remoteAddress ?? '', headers: request.headers }
  if (hasSignIn(inForce) && given !== undefined) {
    const known = await tokens.find(given, use)
    return known === undefined ? { status: 401, why: 'This token is not known, or was revoked.' } : undefined
  }
  const who = await whoIs({ ...came, cookie: cookieFrom(request) }, { console: inForce, book, now: now() })
  if ('role' in who) return undefined
  if ('refused' in who) return { status: 403, why: who.refused }
  return { status: 401, why: 'Sign in, or come with a token.' }
}

/** Of the header `Authorization: Bearer …`. */
export function bearerOf({ headers }: Pick<Request, 'headers'>): string | undefined {
  return /^Bearer +([\w-]+)$/i.exec(headers.authorization ?? '')?.[1]
}
