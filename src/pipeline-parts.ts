import type { Channel } from './channels/channel.ts'
import type { Accepted } from './decide/accept/accept.ts'
import type { Seen } from './decide/accept/figures.ts'
import type { RoutingTable } from './decide/route/route.ts'
import type {
  Backoff,
  Edited,
  Pictured,
  Pictures,
  QueueFailure,
  Settled,
  Slow,
  ToRender,
} from './deliver/parts.ts'
import type { Replayed, Which } from './deliver/replay.ts'
import type { StandingSilence } from './event/act.ts'
import type { Entry, Notice } from './event/event.ts'
import type { Outcome } from './event/outcome.ts'
import type { Message } from './message/message.ts'
import type { Clock } from './platform/clock.ts'
import type { Store } from './store/store.ts'

/** What the flow is made of. */
export interface PipelineParts {
  store: Store
  /** Whether the published figures show a change that the service reports. */
  seen: Seen
  /** Open channels, and beside them, by name, what was configured for each. */
  channels: readonly Channel[]
  routing: RoutingTable
  /**
   * The newest event time that retention has dropped, in milliseconds since the epoch: what is dated then or before may be
   * a replay. Undefined where nothing was dropped.
   */
  horizon: () => Promise<number | undefined>
  /** The silences that are in force at a time, in milliseconds since the epoch. */
  silences: (now: number) => readonly StandingSilence[]
  /** Whether something that operators were told of is wrong still. */
  isOpen: (about: NonNullable<Notice['about']>) => boolean
  /** The picture of an alert, or none. Undefined where no channel asks for any. */
  picture?: Pictures | undefined
  /** What the service is called in a sentence. */
  service: string
  /** The address of the page of an alert or a digest, by its id. Undefined if the console has no public address. */
  pageOf?: ((id: string) => string) | undefined
  clock: Clock
  random: () => number
  onAccepted: (entry: Entry, outcomes: Record<string, Outcome>) => void
  /** The service uses one id for different things. */
  onReused: (reused: NonNullable<Accepted['reused']>) => void
  /** This process sends on the channel from now on; another may have done so until now. */
  onTaken: (channel: string) => void
  onSettled: (settled: Settled) => void
  onEdited: (edited: Edited) => void
  onPictured?: (pictured: Pictured) => void
  onSlow: (slow: Slow) => void
  onError: (failure: QueueFailure) => void
}

export interface Pipeline {
  /**
   * Begins to send. Only one pipeline at a time does: until then, what it takes in and owes waits in the store. Never
   * throws: a channel that fails reports it to `onError` and is tried again.
   */
  send(): void
  /** Takes one event in. When this resolves, it and what it owes are on disk; rejects with `StoreUnavailable`. */
  take(entry: Entry): Promise<'new' | 'duplicate'>
  /** Something is due on a channel. */
  wake(channel: string): void
  /** Owes a stored event to a channel again, and tries at once. */
  replay(eventId: string, channel: string, which?: Which): Promise<Replayed>
  /** What a channel is sent about an entry, by what is known now. */
  message(what: ToRender): Message
  backoff(channel: string): Backoff | undefined
  /** Ends within about so many milliseconds; what is still owed goes on after the next start. It never sends again. */
  stop(graceMs: number): Promise<void>
}
