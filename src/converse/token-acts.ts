import type { Act } from '../event/act.ts'
import { actId, type Doer } from './acts.ts'

/** A token, as it is put down: never the token itself. */
interface NamedToken {
  id: string
  name: string
  use: 'feeds' | 'api'
}

/** What people do about tokens, put down before it takes effect. `already`: the same was put down before. */
export interface TokenActs {
  made(doer: Doer, token: NamedToken): Promise<'done' | 'already'>
  revoked(doer: Doer, token: NamedToken): Promise<'done' | 'already'>
}

export function createTokenActs({
  now,
  take,
}: {
  now(): number
  take(act: Act): Promise<'new' | 'duplicate'>
}): TokenActs {
  async function put(
    does: 'make-token' | 'revoke-token',
    { by }: Doer,
    { id: token, name, use }: NamedToken,
  ): Promise<'done' | 'already'> {
    const receivedAt = new Date(now()).toISOString()
    const act: Act = {
      kind: 'act',
      id: actId(does, token),
      does,
      by,
      about: null,
      token,
      name,
      use,
      receivedAt,
    }
    return (await take(act)) === 'new' ? 'done' : 'already'
  }

  return {
    made: (doer, token) => put('make-token', doer, token),
    revoked: (doer, token) => put('revoke-token', doer, token),
  }
}
