import type { ChatReply } from '../channels/interaction.ts'
import type { Config } from '../config/schema.ts'
import type { TryFilters } from '../console/parts.ts'
import type { TryAnswers } from '../console/setup-trials.ts'
import type { Words } from '../message/words/words.ts'
import { serveControl } from '../people/control/socket.ts'
import type { FiguresQuestion } from '../people/converse/commands.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import { listen } from '../platform/server/listen.ts'
import type { ReadFigures } from '../record/figures/reader.ts'
import type { MonitorClient } from '../service/client/client.ts'
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

/** The service as people's questions are put to it, within the budget that is kept for people. */
export interface PeopleService {
  client: MonitorClient
  /** From what is stored, if it is known. */
  history: ReadFigures
  /** `monitor.rates`. */
  rates: NonNullable<Config['monitor']>['rates']
}

/** What the application gets from outside: the machine, its log and its output. */
export interface AppEnvironment extends Environment {
  /** Where log lines go. */
  writeLog(line: string): void
  /** Where console channels write. */
  out: { write(text: string): void; width: number; colour: boolean }
  /** Asks the service for a person in a chat. Says if the service does not answer. Rejects with what operators have to mend. */
  consult?(question: FiguresQuestion, words: Words, service: PeopleService): Promise<ChatReply>
  /** What other filters of a channel would have meant for recent alerts. */
  tryFilters?: TryFilters
  /** Tries what somebody answers while they set up a channel, the service or our address. */
  tryAnswers?: TryAnswers
  /** Called when the state of the subscription changes: `active`, `missing`, … */
  onSubscription?(state: string): void
}

/** The machine itself. */
export const realEnvironment: Environment = {
  clock: systemClock,
  random: Math.random,
  async openStore(place, options) {
    const { onDoubt, onMustEnd } = options
    if (place.is === 'folder') return openSqliteStore(place.folder, { ...options, onLost: onMustEnd })
    // Loaded only if it is used.
    const { openPostgresStore } = await import('../store/postgres/open.ts')
    return openPostgresStore(place.url, { onDoubt, onTooOld: onMustEnd })
  },
  listen,
  serveControl,
  showsProcess: true,
}
