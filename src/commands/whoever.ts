import { userInfo } from 'node:os'
import { plain } from '../text/plain.ts'

/** The person who is logged in; a container may run under a number that has no name. */
export function whoever(): string {
  try {
    return plain(userInfo().username, 60) || 'somebody'
  } catch {
    return 'somebody'
  }
}
