import type { Waiting } from '../event/outcome.ts'
import type { Store } from '../store/store.ts'

/**
 * Owes a stored event to a channel again. Recipients that have their copy of a message that did not reach
 * the others are not written to twice. False where there is no such event.
 */
export async function replay(
  store: Pick<Store, 'find' | 'settle'>,
  eventId: string,
  channel: string,
  now: number,
): Promise<boolean> {
  const before = (await store.find(eventId))?.outcomes[channel]
  const at = new Date(now).toISOString()
  const waiting: Waiting = {
    state: 'waiting',
    dueAt: at,
    why: 'sent again on request',
    attempts: 0,
    againAt: at,
  }
  const progress = before !== undefined && 'progress' in before ? before.progress : undefined
  return store.settle(eventId, channel, progress === undefined ? waiting : { ...waiting, progress })
}
