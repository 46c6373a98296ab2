import { serveControl } from '../people/control/socket.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { listen } from '../platform/server/listen.ts'
import type { StorePlace } from '../store/place.ts'
import { openSqliteStore, type SqliteOptions } from '../store/sqlite/open.ts'
import type { Store } from '../store/store.ts'

type StoreOptions = Pick<SqliteOptions, 'now' | 'onTrouble' | 'onDoubt'> & {
  /** Gets a sentence, perhaps more than once, if this process must end: it is too old for what is stored by now, or its store is lost. */
  onMustEnd(sentence: string): void
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
    const { onDoubt, onMustEnd } = options
    if (place.is === 'folder') return openSqliteStore(place.folder, { ...options, onLost: onMustEnd })
    // Loaded where it is used, and nowhere else.
    const { openPostgresStore } = await import('../store/postgres/open.ts')
    return openPostgresStore(place.url, { onDoubt, onTooOld: onMustEnd })
  },
  listen,
  serveControl,
  showsProcess: true,
}
