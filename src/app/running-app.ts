import type { ReplayResult, ReplayScope } from '../deliver/replay.ts'
import { type AlertEvent, type Entry, isFinding } from '../event/event.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import type { Poller } from '../intake/poll/poll.ts'
import type { SubscriptionStatus } from '../intake/subscribe/status.ts'
import type { Pipeline } from '../pipeline.ts'
import { after, type Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import { type Store, type StoreChange, StoreUnavailable } from '../store/store.ts'
import type { OpenedConfig } from './opened-config.ts'
import { createMonitoring } from './polling-leader.ts'

/** The configuration in force, and what it runs. Another can take its place while events come in. */
export interface RunningApp {
  /** Whose channels, filters and secrets are in force. */
  current(): OpenedConfig
  /** Begins to send. */
  send(): void
  /** Begins to keep the subscription and to poll, once the webhook listens. */
  subscribe(): void
  /** Accounts for what belongs to channels that are no longer there. What fails is reported, and done again in a minute. */
  settleIn(): Promise<void>
  take(entry: Entry): Promise<'new' | 'duplicate'>
  /** A delivery was verified and has this in it. */
  delivered(event: AlertEvent): void
  /** Secrets that a delivery may be signed with. */
  secrets(): readonly string[]
  /** Something is due on a channel. */
  wake(channel: string): void
  replay(eventId: string, channel: string, which?: ReplayScope): Promise<ReplayResult>
  /** Channels that rest after a failure, and until when (ISO 8601). */
  backingOff(): { channel: string; until: string; why: string }[]
  polling(): Poller | undefined
  /** How the subscription stands, where this process keeps it; undefined where there is none to keep. */
  subscription(): SubscriptionStatus | { state: 'kept by another process' } | undefined
  /** Another process changed what is stored. */
  changed(change: StoreChange): Promise<void>
  /**
   * Lends the channels for what does not go through a queue; they stay open until it is done, and the signal aborts when
   * the process must end. Undefined where they are being closed.
   */
  lend<T>(work: (from: OpenedConfig, cut: AbortSignal) => Promise<T>): Promise<T | undefined>
  /**
   * Opens another configuration and puts it in force. What is in flight is finished first, so that no notification is
   * sent by both and the order within each channel stays: what is pending is in the store and waits there. One after
   * the other. Rejects only where the configuration before is still in force, with `Stopping` where none will follow.
   */
  reload(open: () => Promise<OpenedConfig>): Promise<void>
  /** Nothing is sent afterwards and every channel is closed. What is in flight has so many milliseconds to end. */
  stop(graceMs: number): Promise<void>
}

/** A configuration came too late. */
export class Stopping extends Error {
  override readonly name = 'Stopping'
}

export interface RunningAppParts {
  first: OpenedConfig
  store: Pick<Store, 'hold' | 'find'>
  clock: Clock
  heard: DeliveryLog
  /** Something of a configuration failed that does not change which one is in force. */
  onError(error: unknown, doing: string): void
}

/**
 * What is in flight gets this long to end before a new configuration begins to send: longer than any request to Slack or
 * Discord may take, since what is cut off may have arrived and would be sent again. A mail that takes longer is cut off.
 */
const swapGraceMs = 140_000
/** Until what was left of a configuration is tried again. */
const againMs = minuteMs

export function createReloadable({ first, store, clock, heard, onError }: RunningAppParts): RunningApp {
  let current = first
  /** Routes what comes in, and sends it once the one before has ended. */
  let pipeline = current.pipeline()
  const begun = Promise.withResolvers<void>()
  /** One change after the other, and none before all has begun. */
  let turn: Promise<void> = begun.promise
  /** While nothing sends: the one before ends, the next has not begun. */
  let handingOver: Promise<void> | undefined
  let stopped: Promise<void> | undefined
  /** By configuration whose channels are open, what they are lent to. */
  const open = new Map<OpenedConfig, Set<Promise<unknown>>>([[first, new Set()]])
  /** Those that may send, or write down what they sent. */
  const pipelines = new Set<Pipeline>([pipeline])
  const stopping = new AbortController()
  const cutting = new AbortController()
  const monitoring = createMonitoring({ store, clock, take, heard, attempt })

  function inTurn(work: () => Promise<void>): Promise<void> {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  /** What fails here changes nothing of what follows. */
  async function attempt(doing: string, work: () => Promise<unknown> | undefined): Promise<void> {
    try {
      await work()
    } catch (error) {
      onError(error, doing)
    }
  }

  async function close(prepared: OpenedConfig): Promise<void> {
    const lent = open.get(prepared)
    if (lent === undefined) return
    open.delete(prepared)
    await Promise.allSettled(lent)
    await attempt('closing the channels of a configuration', () => prepared.close())
  }

  async function end(one: Pipeline, graceMs: number): Promise<void> {
    await attempt('ending what sends', () => one.stop(graceMs))
    pipelines.delete(one)
  }

  function refuseWhenStopping(): void {
    if (stopping.signal.aborted) throw new Stopping('the service is being stopped')
  }

  async function swap(opening: () => Promise<OpenedConfig>): Promise<void> {
    refuseWhenStopping()
    const next = await opening()
    open.set(next, new Set())
    const old = current
    try {
      refuseWhenStopping()
      await handOver(next)
    } catch (error) {
      await close(next)
      throw error
    }
    await monitoring.move(next)
    await close(old)
    await accountFor(next)
  }

  /** Rejects with `Stopping` where nothing will send any more, since the service is being stopped. */
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

  async function accountFor(prepared: OpenedConfig): Promise<void> {
    if (current !== prepared || stopping.signal.aborted) return
    try {
      if (await prepared.forgetRemoved()) return
    } catch (error) {
      onError(error, 'accounting for channels that are no longer there')
    }
    void clock.sleep(againMs, stopping.signal).then(() => inTurn(() => accountFor(prepared)))
  }

  async function take(entry: Entry): Promise<'new' | 'duplicate'> {
    try {
      const verdict = await pipeline.take(entry)
      if (verdict === 'new') askForFigures(entry)
      return verdict
    } catch (error) {
      if (error instanceof StoreUnavailable || entry.kind !== 'alert') throw error
      return current.keep(entry, error)
    }
  }

  /** Sending does not wait for them. If another process polls, it sees the alert in the store. */
  function askForFigures(entry: Entry): void {
    if (entry.kind === 'alert' && !isFinding(entry)) monitoring.poller()?.readSoon(entry.model)
  }

  function delivered(event: AlertEvent): void {
    heard.add(event, clock.now())
    current.keeper?.delivered()
    monitoring.poller()?.delivered(event)
  }

  async function stop(graceMs: number): Promise<void> {
    stopping.abort()
    begun.resolve()
    const ended = after(clock, graceMs, () => cutting.abort())
    await Promise.all([monitoring.stop(), ...[...pipelines].map((one) => end(one, graceMs))])
    await Promise.all([...open.keys()].map(close))
    await turn
    ended()
  }

  return {
    current: () => current,
    send: () => pipeline.send(),
    subscribe() {
      monitoring.begin(current)
      begun.resolve()
    },
    settleIn: () => accountFor(current),
    take,
    delivered,
    secrets() {
      const { keeper, config } = current
      const own = keeper?.secrets() ?? config.webhook.secrets
      return [...new Set([...own, ...monitoring.secrets()])]
    },
    wake: (channel) => pipeline.wake(channel),
    async replay(eventId, channel, which) {
      // Whether the event is in the middle of being sent is known to who sends.
      while (handingOver !== undefined) await handingOver
      return pipeline.replay(eventId, channel, which)
    },
    backingOff: () =>
      current.channels.flatMap(({ name }) => {
        const backoff = pipeline.backoff(name)
        if (backoff === undefined) return []
        return [{ channel: name, until: new Date(backoff.until).toISOString(), why: backoff.why }]
      }),
    polling: monitoring.poller,
    subscription() {
      const status = current.keeper?.status()
      return status && monitoring.isElsewhere() ? { state: 'kept by another process' } : status
    },
    async changed(change) {
      if (change.of === 'state' && change.key === 'subscription') await current.keeper?.ready()
      // Who polls is to know what was delivered to others; whoever polls next reads it then.
      if (change.of !== 'event' || monitoring.poller() === undefined) return
      const entry = (await store.find(change.id))?.entry
      if (entry?.kind !== 'alert' || entry.source !== 'webhook') return
      delivered(entry)
      askForFigures(entry)
    },
    async lend(work) {
      const [from, lent] = [current, open.get(current)]
      if (lent === undefined || stopping.signal.aborted) return undefined
      const done = work(from, cutting.signal)
      lent.add(done)
      try {
        return await done
      } finally {
        lent.delete(done)
      }
    },
    reload: (opening) => inTurn(() => swap(opening)),
    stop(graceMs) {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}
