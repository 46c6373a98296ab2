import { type Accepted, accept } from './accept/accept.ts'
import { type Seen, withFigures } from './accept/figures.ts'
import { shownLater } from './accept/later.ts'
import type { Channel } from './channels/channel.ts'
import type { Message } from './channels/message.ts'
import { type Clock, within } from './clock.ts'
import { type Delivery, type DeliveryParts, startDelivery } from './deliver/deliver.ts'
import { type Edits, startEdits } from './deliver/edits.ts'
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
import { retryPolicy } from './deliver/policy.ts'
import { replay } from './deliver/replay.ts'
import type { StandingSilence } from './event/act.ts'
import type { Entry, Notice } from './event/event.ts'
import type { Outcome } from './event/outcome.ts'
import { type RenderContext, render, renderSummary } from './render/render.ts'
import { mentioning, mentionsOf } from './route/mentions.ts'
import { isStandIn } from './route/recipients.ts'
import { type RoutedChannel, type RoutingTable, route } from './route/route.ts'
import type { Store } from './store/store.ts'

/**
 * What a person asks for waits so long for a try that is under way, in milliseconds: it may note which recipients have
 * their copy. A try that takes longer has lost its say.
 */
const replayWaitMs = 5_000

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
  /** Owes a stored event to a channel again, and tries at once. False where there is no such event. */
  replay(eventId: string, channel: string): Promise<boolean>
  /** What a channel is sent about an entry, by what is known now. */
  message(what: ToRender): Message
  backoff(channel: string): Backoff | undefined
  /** Ends within about so many milliseconds; what is still owed goes on after the next start. It never sends again. */
  stop(graceMs: number): Promise<void>
}

/** The flow: accept → route → (store) → render → deliver. Events come from receive, poll and watch. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { store, clock, routing } = parts
  const editable = parts.channels.filter(({ edit }) => edit !== undefined).map(({ name }) => name)
  const heard = new Set(parts.channels.filter(({ isHeard }) => isHeard === true).map(({ name }) => name))
  const settings = new Map<string, RoutedChannel>(routing.channels.map((channel) => [channel.name, channel]))

  const under = new Set<Promise<unknown>>()
  let sending: { delivery: Delivery; edits: Edits } | undefined
  let isStopped = false
  let endChanges = () => {}
  let comparing: Promise<void> | undefined

  const delivering: DeliveryParts = {
    store,
    clock,
    random: parts.random,
    policy: retryPolicy,
    render({ entry, channel, againAt, later }) {
      const isOver = entry.kind === 'notice' && entry.about !== undefined && !parts.isOpen(entry.about)
      const message = render(entry, {
        ...contextOf(channel),
        again: againAt,
        isHeard: heard.has(channel),
        ...shownLater(later),
        isStandIn: entry.kind === 'notice' && isStandIn(entry, channel, routing.operators),
        isOver,
      })
      // What is sent again has rung before, and what is over need not.
      const mentions =
        againAt === undefined && !isOver ? mentionsOf(entry, settings.get(channel)?.mentions) : []
      return mentioning(message, mentions)
    },
    renderSummary: ({ channel, ...missed }) => renderSummary(missed, contextOf(channel)),
    onSettled: parts.onSettled,
    onTaken(channel) {
      void compareAll()
      parts.onTaken(channel)
    },
    picture: parts.picture,
    onEdited: parts.onEdited,
    ...(parts.onPictured && { onPictured: parts.onPictured }),
    onSlow: parts.onSlow,
    onError: parts.onError,
  }

  /** A channel that is configured no more may have an edit to come. */
  function contextOf(channel: string): RenderContext {
    const { timeZone = 'UTC', language = 'en' } = settings.get(channel) ?? {}
    return { service: parts.service, timeZone, language }
  }

  /** What is under way when it stops is waited for, so that the next pipeline finds all of it in the store. */
  function waitedFor<T>(work: Promise<T>): Promise<T> {
    const done = work.finally(() => under.delete(done))
    under.add(done)
    return done
  }

  async function take(came: Entry): Promise<'new' | 'duplicate'> {
    const horizonMs = came.kind === 'alert' ? await parts.horizon() : undefined
    const { verdict, entry, outcomes, reused } = await accept(
      withFigures(came, parts.seen),
      (one, corrects) => {
        const now = clock.now()
        return route(one, routing, now, { horizonMs, corrects, silences: parts.silences(now) })
      },
      { store, canEdit: (channel) => editable.includes(channel) },
    )
    if (verdict === 'new') {
      parts.onAccepted(entry, outcomes)
      if (reused !== undefined) parts.onReused(reused)
      sending?.delivery.wake(Object.keys(outcomes).filter((name) => outcomes[name]?.state === 'waiting'))
      if (!isStopped) sending?.edits.compare(entry.id)
    }
    return verdict
  }

  /** A process that ended may not have made the edits that it owed. Once for all lanes that are taken together. */
  function compareAll(): Promise<void> {
    comparing ??= Promise.resolve().then(() => {
      comparing = undefined
      sending?.edits.compare()
    })
    return comparing
  }

  async function sendAgain(eventId: string, channel: string): Promise<boolean> {
    if (sending !== undefined) await within(clock, replayWaitMs, sending.delivery.idle(channel, eventId))
    const known = await replay(store, eventId, channel, clock.now())
    if (known) sending?.delivery.tryNow(channel)
    return known
  }

  return {
    send() {
      if (isStopped || sending !== undefined) return
      const delivery = startDelivery(parts.channels, delivering)
      sending = { delivery, edits: startEdits(parts.channels, { ...delivering, delivery }) }
      endChanges = store.changes((change) => {
        if (change.of === 'outcome' && change.isAsked) sending?.delivery.tryNow(change.channel)
        else if (change.of === 'outcome') sending?.delivery.wake([change.channel])
        if (change.of !== 'event') return
        sending?.delivery.wake(change.channels)
        sending?.edits.compare(change.id)
      })
    },
    take: (came) => waitedFor(take(came)),
    wake: (channel) => sending?.delivery.wake([channel]),
    replay: (eventId, channel) => waitedFor(sendAgain(eventId, channel)),
    message: delivering.render,
    backoff: (channel) => sending?.delivery.backoff(channel),
    async stop(graceMs) {
      isStopped = true
      endChanges()
      await sending?.delivery.stop(graceMs)
      await Promise.allSettled(under)
      await sending?.edits.stop()
    },
  }
}
