import { accept } from './decide/accept/accept.ts'
import { withFigures } from './decide/accept/figures.ts'
import { route, storiesOf } from './decide/route/route.ts'
import { type Delivery, type DeliveryParts, startDelivery } from './deliver/deliver.ts'
import { type Edits, startEdits } from './deliver/edits.ts'
import { retryPolicy } from './deliver/policy.ts'
import { type Replayed, replay, type Which } from './deliver/replay.ts'
import { isAboutOthers } from './event/about.ts'
import { type Entry, isFinding } from './event/event.ts'
import type { Pipeline, PipelineParts } from './pipeline-parts.ts'
import { within } from './platform/clock.ts'
import { rendering } from './rendering.ts'

/**
 * What a person asks for waits so long for a try that is under way, in milliseconds: it may note which recipients have
 * their copy. A try that takes longer has lost its say.
 */
const replayWaitMs = 5_000

/** The flow: accept → route → (store) → render → deliver. Entries come from receive, poll, converse, digest and operators. */
export function createPipeline(parts: PipelineParts): Pipeline {
  const { store, clock, routing } = parts
  const stories = storiesOf(routing)
  const editable = parts.channels.filter(({ edit }) => edit !== undefined).map(({ name }) => name)

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
    ...rendering(parts),
    onSettled: parts.onSettled,
    onTaken(channel) {
      void compareAll()
      parts.onTaken(channel)
    },
    onEdited: parts.onEdited,
    onClosed: (eventId) => sending?.edits.closed(eventId),
    ...(parts.onPictured && { onPictured: parts.onPictured }),
    onSlow: parts.onSlow,
    onError: parts.onError,
  }

  /** What is under way when it stops is waited for, so that the next pipeline finds all of it in the store. */
  function waitedFor<T>(work: Promise<T>): Promise<T> {
    const end = () => under.delete(work)
    under.add(work)
    work.then(end, end)
    return work
  }

  async function take(came: Entry): Promise<'new' | 'duplicate'> {
    const horizonMs = came.kind === 'alert' ? await parts.horizon() : undefined
    const shown = came.kind === 'alert' && !isFinding(came) ? parts.seen(came) : undefined
    const { verdict, entry, outcomes, reused } = await accept(
      // Of two that come at the same moment, the first is accepted first: it waits only if it must.
      withFigures(came, shown instanceof Promise ? await shown : shown),
      (one, corrects) => {
        const now = clock.now()
        return route(one, routing, now, { horizonMs, corrects, silences: parts.silences(now) })
      },
      { store, now: clock.now, stories, canEdit: (name) => editable.includes(name) },
    )
    if (verdict === 'new') {
      parts.onAccepted(entry, outcomes)
      if (reused !== undefined) parts.onReused(reused)
      sending?.delivery.wake(Object.keys(outcomes).filter((name) => outcomes[name]?.state === 'waiting'))
      if (!isStopped && isAboutOthers(entry)) sending?.edits.compare(entry.id)
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

  async function sendAgain(eventId: string, channel: string, which?: Which): Promise<Replayed> {
    if (sending !== undefined) await within(clock, replayWaitMs, sending.delivery.idle(channel, eventId))
    const replayed = await replay(store, eventId, channel, clock.now(), which)
    if (replayed === 'owed') sending?.delivery.tryNow(channel)
    return replayed
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
        if (change.isAbout) sending?.edits.compare(change.id)
      })
    },
    take: (came) => waitedFor(take(came)),
    wake: (channel) => sending?.delivery.wake([channel]),
    replay: (eventId, channel, which) => waitedFor(sendAgain(eventId, channel, which)),
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
