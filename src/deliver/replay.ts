import { addedTo, isUnreached } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'

/** `always`: also what stands there, which is then there twice. `unreached`: only what did not get there. */
export type ReplayScope = 'always' | 'unreached'

/** `stands`: it is there, or on its way there. */
export type ReplayResult = 'pending' | 'stands' | 'unknown'

/**
 * Sends a stored event to a channel again. If a message reached only some recipients, these don't get a second copy. What
 * was decided and tried before is kept beside it.
 */
export async function replay(
  store: Pick<Store, 'alter'>,
  eventId: string,
  channel: string,
  now: number,
  which: ReplayScope = 'always',
): Promise<ReplayResult> {
  const at = new Date(now).toISOString()
  let stands = false
  const isOwed = await store.alter(eventId, channel, (before) => {
    stands = which === 'unreached' && !isUnreached(before)
    if (stands) return undefined
    const progress = before !== undefined && 'progress' in before ? before.progress : undefined
    return {
      state: 'waiting',
      dueAt: at,
      why: 'sent again on request',
      attempts: 0,
      againAt: at,
      ...(progress !== undefined && { progress }),
      ...addedTo(before, at),
    }
  })
  if (isOwed) return 'pending'
  return stands ? 'stands' : 'unknown'
}
