import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Doer } from '../people/converse/acts.ts'
import { plain } from '../platform/text.ts'

/** The person who is logged in; a container may run under a number that has no name. */
export function whoever(): string {
  try {
    return plain(userInfo().username, 60) || 'somebody'
  } catch {
    return 'somebody'
  }
}

/** Who works in a shell is known by the name of their account, or by what they say. */
export function doer({ by }: { by?: string }): Doer {
  return { by: { name: by ?? whoever(), via: 'command' }, key: randomUUID() }
}
