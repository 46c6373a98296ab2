import { addedTo } from '../event/earlier.ts'
import type { Store } from '../store/store.ts'

/**
 * Owes a stored event to a channel again. Recipients that have their copy of a message that did not reach
 * the others are not written to twice. What was decided and tried before is kept beside it. False where there is no such
 * event.
 */
export async function replay(
  store: Pick<Store, 'alter'>,
  eventId: string,
  channel: string,
  now: number,
): Promise<boolean> {
  const at = new Date(now).toISOString()
  return store.alter(eventId, channel, (before) => {
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
}
