import { type Clock, systemClock } from '../clock.ts'
import { serveControl } from '../control/socket.ts'
import { listen } from '../server/listen.ts'
import { type LowdbOptions, openLowdbStore } from '../store/lowdb/open.ts'
import type { StorePlace } from '../store/place.ts'
import type { Store } from '../store/store.ts'

type StoreOptions = Pick<LowdbOptions, 'now' | 'onTrouble' | 'onDoubt'> & {
  /** Told in one sentence, perhaps more than once, that this Bluepencil is too old for what is stored by now. */
  onTooOld(sentence: string): void
}

/** What the application takes from the machine that it runs on. A test gives its own, and may run several at once. */
export interface Environment {
  clock: Clock
  /** From 0 up to, not including, 1, as `Math.random`. */
  random(): number
  /** Rejects with `StoreRefused`. */
  openStore(place: StorePlace, options: StoreOptions): Promise<Store>
  /** Serves HTTP. Rejects with `CannotListen`. */
  listen: typeof listen
  /** Lets commands beside this process ask it, until the function that it answers is called. */
  serveControl: typeof serveControl
  /** Whether /metrics also shows this process (memory, event loop); of several applications in it, one should at most. */
  showsProcess: boolean
}

/** The machine itself. */
export const realEnvironment: Environment = {
  clock: systemClock,
  random: Math.random,
  async openStore(place, options) {
    if (place.is === 'folder') return openLowdbStore(place.folder, options)
    // Loaded where it is used, and nowhere else.
    const { openPostgresStore } = await import('../store/postgres/open.ts')
    return openPostgresStore(place.url, { onDoubt: options.onDoubt, onTooOld: options.onTooOld })
  },
  listen,
  serveControl,
  showsProcess: true,
}
