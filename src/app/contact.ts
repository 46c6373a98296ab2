import type { PollingState } from '../intake/poll/state.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'

/** When the monitoring service last showed that it works. */
export interface ServiceContact {
  /** It has just done what it was asked, or a delivery was verified. */
  noted(): void
  /** Milliseconds since the epoch; undefined before the first time. */
  lastAt(): Promise<number | undefined>
}

/** Of earlier and of other processes, what polling remembers counts, if the store can be read. */
export function createContact(store: Pick<Store, 'readState'>, clock: Pick<Clock, 'now'>): ServiceContact {
  let here: number | undefined
  return {
    noted() {
      here = clock.now()
    },
    async lastAt() {
      const stored = await polled(store, clock.now()).catch(() => undefined)
      const remembered = [stored?.succeededAt, stored?.webhooks.deliveredAt]
      const times = [here, ...remembered].filter((time) => typeof time === 'number')
      return times.length === 0 ? undefined : Math.max(...times)
    },
  }
}

/** As polling, in whichever process, remembers it. It is loaded only where somebody asks. */
export async function polled(store: Pick<Store, 'readState'>, now: number): Promise<PollingState> {
  const { pollingStateFrom } = await import('../intake/poll/state.ts')
  return pollingStateFrom(await store.readState('polling'), now)
}
