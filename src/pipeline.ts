import type { Channel } from './channels/channel.ts'
import { type AcceptedEvent, accept, type CompareWithFigures, withFigures } from './decide/accept/accept.ts'
import { membersIn, shownLater } from './decide/accept/later.ts'
import type { DigestsParts } from './decide/digest/release.ts'
import { withEscalations } from './decide/route/escalation.ts'
import { heldBy } from './decide/route/holds.ts'
import { mentioning, mentionsOf } from './decide/route/mentions.ts'
import { isStandIn } from './decide/route/recipients.ts'
import { type RoutedChannel, type RoutingTable, route, storiesOf } from './decide/route/route.ts'
import { type Delivery, startDelivery } from './deliver/deliver.ts'
import { type Edits, startEdits } from './deliver/find-edits.ts'
import type { ChannelBackoff, DeliveryEvent, Pictures, QueueParts, ToRender } from './deliver/parts.ts'
import { retryPolicy } from './deliver/policy.ts'
import { type ReplayResult, type ReplayScope, replay } from './deliver/replay.ts'
import type { StandingSilence } from './event/act.ts'
import { shownOf } from './event/content.ts'
import { type Entry, isAboutOthers, isFinding, type Notice } from './event/event.ts'
import type { Outcome } from './event/outcome.ts'
import type { Message } from './message/message.ts'
import { type RenderContext, render, renderSummary } from './message/render/render.ts'
import { renderFollowUp } from './message/render/story.ts'
import { type Clock, within } from './platform/clock.ts'
import { type Store, StoreUnavailable } from './store/store.ts'

/** What the flow is made of. */
export interface PipelineParts {
  store: Store
  /** Whether the published figures show a change that the service reports. */
  seen: CompareWithFigures
  /** Open channels, and beside them, by name, what was configured for each. */
  channels: readonly Channel[]
  routing: RoutingTable
  /**
   * The newest event time that retention has dropped, in milliseconds since the epoch. What is dated then or before may be a
   * replay. Undefined if nothing was dropped.
   */
  horizon: () => Promise<number | undefined>
  /** The silences that are in force at a time, in milliseconds since the epoch. */
  silences: (now: number) => readonly StandingSilence[]
  /** Whether an incident is still open. */
  isOpen: (about: NonNullable<Notice['about']>) => boolean
  /** The picture of an alert, or none. Undefined if no channel asks for pictures. */
  picture?: Pictures | undefined
  /** What the service is called in a sentence. */
  service: string
  /** The address of the page of an alert or a digest, by its id. Undefined if the console has no public address. */
  pageOf?: ((id: string) => string) | undefined
  clock: Clock
  random: () => number
  onEvent: (event: PipelineEvent) => void
}

/** What happens on the way of an entry: telemetry, operators and the console listen. */
export type PipelineEvent =
  | { type: 'accepted'; entry: Entry; outcomes: Record<string, Outcome> }
  /** The service uses one id for different things. */
  | ({ type: 'id-reused' } & NonNullable<AcceptedEvent['reused']>)
  | Exclude<DeliveryEvent, { type: 'closed' }>

export interface Pipeline {
  /**
   * Begins to send. Only one pipeline at a time does; until then, what it accepts waits in the store. Never throws: a channel
   * that fails reports it to `onEvent` and is tried again.
   */
  send(): void
  /** When this resolves, the entry is on disk with its notifications. Rejects with `StoreUnavailable`. */
  accept(entry: Entry): Promise<'new' | 'duplicate'>
  /** Something is due on a channel. */
  wake(channel: string): void
  /** Makes a stored event pending on a channel again, and tries at once. */
  replay(eventId: string, channel: string, which?: ReplayScope): Promise<ReplayResult>
  /** What a channel is sent about an entry, by what is known now. */
  message(what: ToRender): Message
  backoff(channel: string): ChannelBackoff | undefined
  /** Ends within about so many milliseconds. What is pending goes on after the next start. It never sends again. */
  stop(graceMs: number): Promise<void>
}

/**
 * A manual resend waits this many milliseconds for a try in flight, which may record who has their copy. It does not wait for a
 * longer try.
 */
const replayWaitMs = 5_000

/** More are not remembered: a disk may fail for hours. */
const mostUnanswered = 1_000

/** The flow: accept → route → (store) → render → deliver. Entries come from receive, poll, converse, digest and operators. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { store, clock, routing } = parts
  const stories = storiesOf(routing)
  const editable = parts.channels.filter(({ edit }) => edit !== undefined).map(({ name }) => name)

  const inFlight = new Set<Promise<unknown>>()
  /** Ids of entries that may be stored: the answer was lost. */
  const unanswered = new Set<string>()
  let sending: { delivery: Delivery; edits: Edits } | undefined
  let isStopped = false
  let endChanges = () => {}
  let comparing: Promise<void> | undefined

  const delivering: QueueParts = {
    store,
    clock,
    random: parts.random,
    policy: retryPolicy,
    ...rendering(parts),
    onEvent(event) {
      if (event.type === 'closed') return sending?.edits.closed(event.eventId)
      if (event.type === 'lane-acquired') void compareAll()
      parts.onEvent(event)
    },
  }

  /** The stop waits for it: the next pipeline finds all of it in the store. */
  function waitedFor<T>(work: Promise<T>): Promise<T> {
    const end = () => inFlight.delete(work)
    inFlight.add(work)
    work.then(end, end)
    return work
  }

  async function acceptEntry(received: Entry): Promise<'new' | 'duplicate'> {
    const horizonMs = received.kind === 'alert' ? await parts.horizon() : undefined
    const shown = received.kind === 'alert' && !isFinding(received) ? parts.seen(received) : undefined
    const { verdict, entry, reused, ...decided } = await accept(
      // Awaiting a plain value would let a later event overtake this one.
      withFigures(received, shown instanceof Promise ? await shown : shown),
      (entry, corrects) => {
        const now = clock.now()
        return route(entry, routing, now, { horizonMs, corrects, silences: parts.silences(now) })
      },
      {
        store,
        now: clock.now,
        stories,
        canEdit: (name) => editable.includes(name),
        withEscalations: (event, outcomes) => withEscalations(event, outcomes, routing.channels, clock.now()),
      },
    ).catch((error: unknown) => {
      if (error instanceof StoreUnavailable && error.mayBeStored) unanswered.add(received.id)
      const [oldest = ''] = unanswered
      if (unanswered.size > mostUnanswered) unanswered.delete(oldest)
      throw error
    })
    // It was stored, and the answer was lost: nobody has been notified of it yet.
    const kept =
      verdict === 'duplicate' && unanswered.has(received.id) ? await store.find(entry.id) : undefined
    unanswered.delete(received.id)
    const isKept = kept !== undefined && isSameContent(kept.entry, entry)
    const outcomes = isKept ? kept.outcomes : decided.outcomes
    if (verdict === 'new' || isKept) {
      parts.onEvent({ type: 'accepted', entry, outcomes })
      if (reused !== undefined) parts.onEvent({ type: 'id-reused', ...reused })
      sending?.delivery.wake(Object.keys(outcomes).filter((name) => outcomes[name]?.state === 'waiting'))
      if (!isStopped && isAboutOthers(entry)) sending?.edits.compare(entry.id)
    }
    return verdict
  }

  /** A process that ended may have left edits undone. Once for all lanes that are acquired together. */
  function compareAll(): Promise<void> {
    comparing ??= Promise.resolve().then(() => {
      comparing = undefined
      sending?.edits.compare()
    })
    return comparing
  }

  async function sendAgain(eventId: string, channel: string, which?: ReplayScope): Promise<ReplayResult> {
    if (sending !== undefined) await within(clock, replayWaitMs, sending.delivery.idle(channel, eventId))
    const replayed = await replay(store, eventId, channel, clock.now(), which)
    if (replayed === 'pending') sending?.delivery.wakeOnRequest(channel)
    return replayed
  }

  return {
    send() {
      if (isStopped || sending !== undefined) return
      const delivery = startDelivery(parts.channels, delivering)
      sending = { delivery, edits: startEdits(parts.channels, { ...delivering, delivery }) }
      endChanges = store.changes((change) => {
        if (change.of === 'outcome' && change.isAsked) sending?.delivery.wakeOnRequest(change.channel)
        else if (change.of === 'outcome') sending?.delivery.wake([change.channel])
        if (change.of !== 'event') return
        sending?.delivery.wake(change.channels)
        if (change.isAbout) sending?.edits.compare(change.id)
      })
    },
    accept: (entry) => waitedFor(acceptEntry(entry)),
    wake: (channel) => sending?.delivery.wake([channel]),
    replay: (eventId, channel, which) => waitedFor(sendAgain(eventId, channel, which)),
    message: delivering.render,
    backoff: (channel) => sending?.delivery.backoff(channel),
    async stop(graceMs) {
      isStopped = true
      endChanges()
      await sending?.delivery.stop(graceMs)
      await Promise.allSettled(inFlight)
      await sending?.edits.stop()
    },
  }
}

/** Other content under a known id is an entry of its own, under another id. */
function isSameContent(kept: Entry, entry: Entry): boolean {
  if (kept.kind !== 'alert' || entry.kind !== 'alert') return true
  return shownOf(kept) === shownOf(entry)
}

type RenderingParts = Pick<
  PipelineParts,
  'channels' | 'routing' | 'isOpen' | 'service' | 'pageOf' | 'picture'
>

/** Makes the message of an entry for a channel, and its picture, by what is configured for it and by what is known now. */
function rendering({
  channels,
  routing,
  isOpen,
  service,
  pageOf,
  picture,
}: RenderingParts): Pick<QueueParts, 'render' | 'renderFollowUp' | 'renderSummary' | 'picture'> {
  const listening = new Set(channels.filter(({ isHeard }) => isHeard === true).map(({ name }) => name))
  const settings = new Map<string, RoutedChannel>(routing.channels.map((channel) => [channel.name, channel]))

  const languageOf = (channel: string) => settings.get(channel)?.language ?? 'en'

  /** A channel that is configured no more may have an edit to come. */
  function contextOf(channel: string): RenderContext {
    const { timeZone = 'UTC' } = settings.get(channel) ?? {}
    return { service, timeZone, language: languageOf(channel), pageOf }
  }

  return {
    render({ entry, channel, againAt, later, escalated }) {
      const isOver = entry.kind === 'notice' && entry.about !== undefined && !isOpen(entry.about)
      const message = render(entry, {
        ...contextOf(channel),
        again: againAt,
        escalated,
        isHeard: listening.has(channel),
        ...shownLater(later),
        members: membersIn(entry.id, later, channel),
        isStandIn: entry.kind === 'notice' && isStandIn(entry, channel, routing.operators),
        isOver,
      })
      // A resend has mentioned people before, and a resolved notice need not.
      const mentions =
        againAt === undefined && !isOver ? mentionsOf(entry, settings.get(channel)?.mentions) : []
      return mentioning(message, mentions)
    },
    renderFollowUp({ entry, channel, later, ids }) {
      const grown = membersIn(entry.id, later, channel).filter(({ alert }) => ids.includes(alert.id))
      return renderFollowUp(entry.id, grown, contextOf(channel))
    },
    picture: picture && ((alert, { channel, look }) => picture(alert, look, languageOf(channel))),
    renderSummary: ({ channel, ...missed }) => renderSummary(missed, contextOf(channel)),
  }
}

interface HoldsParts {
  silences: {
    find(id: string): (StandingSilence & { ended?: { at: string } }) | undefined
    inForce(now: number): readonly StandingSilence[]
  }
  now(): number
  channels(): readonly RoutedChannel[]
}

/** What holds alerts back, for digests: silences, and what channels are configured to wait for. Here because no stage imports another. */
export function holdsOf({
  silences,
  now,
  channels,
}: HoldsParts): Pick<DigestsParts, 'silence' | 'stillHeld' | 'holdsNow'> {
  const settingsOf = (name: string) => channels().find((channel) => channel.name === name)
  return {
    silence(id) {
      const silence = silences.find(id)
      if (silence === undefined) return undefined
      const { by, why, scope, ended } = silence
      return { endedAt: ended && Date.parse(ended.at), silence: { by, why, scope } }
    },
    stillHeld(event, channel) {
      const settings = settingsOf(channel)
      return settings && heldBy(event, settings, { silences: silences.inForce(now()), now: now() })
    },
    holdsNow(event, channel) {
      const settings = settingsOf(channel)
      if (settings === undefined) return { silence: undefined, quiet: undefined }
      const always = { ...settings, quiet: undefined, digest: undefined }
      return {
        silence: heldBy(event, always, { silences: silences.inForce(now()), now: now() }),
        quiet: heldBy(event, settings, { now: now(), isHad: true }),
      }
    },
  }
}
