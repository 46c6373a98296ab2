import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Doer } from '../people/converse/acts.ts'
import { plain } from '../platform/text.ts'

/** The name of the account that runs the command; a container may run under a number that has no name. */
export function currentUser(): string {
  try {
    return plain(userInfo().username, 60) || 'somebody'
  } catch {
    return 'somebody'
  }
}

/** Who acts from a shell: the name of the account, or the one that --by gives. */
export function doer({ by }: { by?: string }): Doer {
  return { by: { name: by ?? currentUser(), via: 'command' }, key: randomUUID() }
}
