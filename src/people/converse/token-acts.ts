import type { Act } from '../../event/act.ts'
import { actId, type Doer } from './acts.ts'

/** A token, as the audit log names it: never the token itself. */
interface NamedToken {
  id: string
  name: string
  use: 'feeds' | 'api'
}

/** The same token made or revoked again is the same act. */
export function tokenAct(
  does: 'make-token' | 'revoke-token',
  { by }: Pick<Doer, 'by'>,
  { id: token, name, use }: NamedToken,
  now: number,
): Act {
  const receivedAt = new Date(now).toISOString()
  return { kind: 'act', id: actId(does, token), does, by, about: null, token, name, use, receivedAt }
}
