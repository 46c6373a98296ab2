import type { ReplayResult, ReplayScope } from '../deliver/replay.ts'
import { type AlertEvent, type Entry, isFinding } from '../event/event.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import type { SubscriptionStatus } from '../intake/subscribe/service.ts'
import type { Pipeline } from '../pipeline.ts'
import { after, type Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { oneAtATime } from '../platform/one-at-a-time.ts'
import { type Store, type StoreChange, StoreUnavailable } from '../store/store.ts'
import { createPollingLeader } from './leader.ts'
import type { OpenedConfig } from './opened-config.ts'

export type RunningApp = ReturnType<typeof createRunningApp>

/** A configuration came after the stop. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

interface RunningAppParts {
  first: OpenedConfig
  store: Pick<Store, 'acquireLease' | 'find'>
  clock: Clock
  deliveryLog: DeliveryLog
  /** Something failed that does not change which configuration is in force. */
  onError(error: unknown, doing: string): void
}

/**
 * Messages in flight have this long to end before a new configuration begins to send. That is longer than any request to Slack
 * or Discord: a message that is cut off may have arrived, and would be sent again. A mail that takes longer is cut off.
 */
const swapGraceMs = 140_000
const retryMs = minuteMs

/** The effective configuration, and what runs by it. Another can take its place while events come in. */
export function createRunningApp({ first, store, clock, deliveryLog, onError }: RunningAppParts) {
  let current = first
  /** Routes what comes in. It sends when the pipeline before has ended. */
  let pipeline = current.pipeline()
  const begun = Promise.withResolvers<void>()
  /** One reload after the other, and none before all has begun. */
  const inTurn = oneAtATime()
  void inTurn(() => begun.promise)
  /** While nothing sends: the pipeline before ends, the next has not begun. */
  let handingOver: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  /** Configurations whose channels are open, with the work that still uses them. */
  const lentTo = new Map<OpenedConfig, Set<Promise<unknown>>>([[first, new Set()]])
  /** Those that may send or record what they sent. */
  const pipelines = new Set<Pipeline>([pipeline])
  const stopping = new AbortController()
  const cutting = new AbortController()
  const pollingLeader = createPollingLeader({ store, clock, accept, deliveryLog, attempt })

  /** Reports what fails, and goes on. */
  async function attempt(doing: string, work: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await work()
    } catch (error) {
      onError(error, doing)
    }
  }

  async function close(opened: OpenedConfig): Promise<void> {
    const borrowers = lentTo.get(opened)
    if (borrowers === undefined) return
    lentTo.delete(opened)
    await Promise.allSettled(borrowers)
    await attempt('closing the channels of a configuration', () => opened.close())
  }

  async function end(ending: Pipeline, graceMs: number): Promise<void> {
    await attempt('stopping the sending', () => ending.stop(graceMs))
    pipelines.delete(ending)
  }

  function refuseWhenStopping(): void {
    if (stopping.signal.aborted) throw new Stopping('the service is being stopped')
  }

  async function swap(open: () => Promise<OpenedConfig>): Promise<void> {
    refuseWhenStopping()
    const next = await open()
    lentTo.set(next, new Set())
    const before = current
    try {
      refuseWhenStopping()
      await handOver(next)
    } catch (error) {
      await close(next)
      throw error
    }
    await pollingLeader.move(next)
    await close(before)
    await keepSettlingRemoved(next)
  }

  /** Rejects with `Stopping` if the service is being stopped: nothing will send any more. */
  async function handOver(next: OpenedConfig): Promise<void> {
    const before = pipeline
    const handedOver = Promise.withResolvers<void>()
    handingOver = handedOver.promise
    try {
      pipeline = next.pipeline()
      current = next
      pipelines.add(pipeline)
      await end(before, swapGraceMs)
      refuseWhenStopping()
      pipeline.send()
    } finally {
      handingOver = undefined
      handedOver.resolve()
    }
  }

  async function keepSettlingRemoved(opened: OpenedConfig): Promise<void> {
    if (current !== opened || stopping.signal.aborted) return
    try {
      if (await opened.settleRemovedIfAlone()) return
    } catch (error) {
      onError(error, 'recording the results of removed channels')
    }
    void clock.sleep(retryMs, stopping.signal).then(() => inTurn(() => keepSettlingRemoved(opened)))
  }

  async function accept(entry: Entry): Promise<'new' | 'duplicate'> {
    try {
      const verdict = await pipeline.accept(entry)
      if (verdict === 'new') readFiguresSoon(entry)
      return verdict
    } catch (error) {
      if (error instanceof StoreUnavailable || entry.kind !== 'alert') throw error
      return current.storeUnprocessed(entry, error)
    }
  }

  /** Sending does not wait for them. If another process polls, it sees the alert in the store. */
  function readFiguresSoon(entry: Entry): void {
    if (entry.kind === 'alert' && !isFinding(entry)) pollingLeader.poller()?.readSoon(entry.model)
  }

  function delivered(event: AlertEvent): void {
    deliveryLog.add(event, clock.now())
    current.keeper?.delivered()
    pollingLeader.poller()?.delivered(event)
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort()
    begun.resolve()
    const ended = after(clock, graceMs, () => cutting.abort())
    await Promise.all([pollingLeader.stop(), ...[...pipelines].map((each) => end(each, graceMs))])
    await Promise.all([...lentTo.keys()].map(close))
    await inTurn(async () => {})
    ended()
  }

  return {
    current: () => current,
    send: () => pipeline.send(),
    /** Begins to keep the subscription and to poll, once the webhook listens. */
    subscribe(): void {
      pollingLeader.begin(current)
      begun.resolve()
    },
    /** Settles what is pending for channels that were removed. If that fails, it is reported and tried again in a minute. */
    settleRemoved: () => keepSettlingRemoved(current),
    accept,
    /** A delivery of this event was verified. */
    delivered,
    /** Secrets that a delivery may be signed with. */
    secrets(): readonly string[] {
      const { keeper, config } = current
      const inForce = keeper?.secrets() ?? config.webhook.secrets
      return [...new Set([...inForce, ...pollingLeader.secrets()])]
    },
    /** Something is due on a channel. */
    wake: (channel: string) => pipeline.wake(channel),
    async replay(eventId: string, channel: string, which?: ReplayScope): Promise<ReplayResult> {
      // Only the pipeline that sends knows whether the event is being sent at this moment.
      while (handingOver !== undefined) await handingOver
      return pipeline.replay(eventId, channel, which)
    },
    /** Channels that wait after a failure, and until when (ISO 8601). */
    backingOff: () =>
      current.channels.flatMap(({ name }) => {
        const backoff = pipeline.backoff(name)
        if (backoff === undefined) return []
        return [{ channel: name, until: new Date(backoff.until).toISOString(), why: backoff.why }]
      }),
    polling: pollingLeader.poller,
    /** The state of the subscription; undefined if there is none to keep. */
    subscription(): SubscriptionStatus | { state: 'kept by another process' } | undefined {
      const status = current.keeper?.status()
      return status && pollingLeader.isElsewhere() ? { state: 'kept by another process' } : status
    },
    /** Another process changed what is stored. */
    async changed(change: StoreChange): Promise<void> {
      if (change.of === 'state' && change.key === 'subscription') await current.keeper?.ready()
      // The poller needs what was delivered to other processes. The next poller reads it when it begins.
      if (change.of !== 'event' || pollingLeader.poller() === undefined) return
      const entry = (await store.find(change.id))?.entry
      if (entry?.kind !== 'alert' || entry.source !== 'webhook') return
      delivered(entry)
      readFiguresSoon(entry)
    },
    /**
     * Lends the channels to work that does not go through a queue. They stay open until it is done; the signal aborts when the
     * process must end. Undefined while they are being closed.
     */
    async lend<T>(work: (opened: OpenedConfig, cut: AbortSignal) => Promise<T>): Promise<T | undefined> {
      const borrowers = lentTo.get(current)
      if (borrowers === undefined || stopping.signal.aborted) return undefined
      const done = work(current, cutting.signal)
      borrowers.add(done)
      try {
        return await done
      } finally {
        borrowers.delete(done)
      }
    },
    /**
     * Opens another configuration and puts it in force, one after the other. What is in flight is finished first: no notification
     * is sent by both, and the order within each channel stays. What is pending waits in the store. Rejects only if the
     * configuration before is still in force; with `Stopping` if none will follow.
     */
    reload: (open: () => Promise<OpenedConfig>) => inTurn(() => swap(open)),
    /** Nothing is sent afterwards and every channel is closed. What is in flight has so many milliseconds to end. */
    stop(graceMs: number): Promise<void> {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}
