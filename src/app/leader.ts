import type { AlertEvent } from '../event/event.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import type { Poller } from '../intake/poll/poll.ts'
import type { Clock } from '../platform/clock.ts'
import { minuteMs } from '../platform/durations.ts'
import type { Store } from '../store/store.ts'
import type { OpenedConfig } from './opened-config.ts'

interface LeaderParts {
  store: Pick<Store, 'acquireLease'>
  clock: Clock
  /** Works until the signal aborts. `takenOver`: another process did it until now. */
  lead(signal: AbortSignal, takenOver: boolean): Promise<unknown>
  onError(error: unknown): void
}

/** After a failure. */
const retryMs = minuteMs

/** Does what one process does for all, whenever no other process does it. Begins at once; answers what ends it. */
export function runAsLeader(role: string, { store, clock, lead, onError }: LeaderParts): () => Promise<void> {
  const stopping = new AbortController()

  async function keep(): Promise<void> {
    for (let isOpen = true; isOpen && !stopping.signal.aborted; ) {
      try {
        isOpen = await leadOnce()
      } catch (error) {
        onError(error)
        await clock.sleep(retryMs, stopping.signal)
      }
    }
  }

  /** False if the store is closed or this was stopped: to ask again would have the same answer at once, for ever. */
  async function leadOnce(): Promise<boolean> {
    const lease = await store.acquireLease(role, stopping.signal)
    if (lease === undefined) return false
    try {
      const signal = AbortSignal.any([lease.signal, stopping.signal])
      if (!signal.aborted) await lead(signal, lease.takenOver)
      return true
    } finally {
      lease.release()
    }
  }

  const kept = keep()
  return async () => {
    stopping.abort()
    await kept
  }
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}

interface PollingLeaderParts {
  store: Pick<Store, 'acquireLease'>
  clock: Clock
  accept(event: AlertEvent): Promise<'new' | 'duplicate'>
  deliveryLog: DeliveryLog
  /** Reports what fails, and goes on. */
  attempt(doing: string, work: () => Promise<unknown> | undefined): Promise<void>
}

/** Keeps the subscription and polls, for one configuration at a time. */
export function createPollingLeader({ store, clock, accept, deliveryLog, attempt }: PollingLeaderParts) {
  /** The configuration whose keeper was started last. */
  let latest: OpenedConfig | undefined
  let poller: Poller | undefined
  let stopLeading: (() => Promise<void>) | undefined
  let isLeading = false
  let isStopped = false

  async function lead(opened: OpenedConfig, signal: AbortSignal, takenOver: boolean): Promise<void> {
    // The leader before may have made a subscription after this process read its state.
    if (takenOver) {
      await attempt('reading of the subscription', () => opened.keeper?.ready())
      await attempt('reading what was delivered', deliveryLog.recall)
    }
    isLeading = true
    await attempt('starting the subscription checks', async () => opened.keeper?.start())
    await attempt('starting polling', async () => {
      poller = opened.poll(accept, deliveryLog)
    })
    await aborted(signal)
    isLeading = false
    const before = poller
    poller = undefined
    await Promise.all([
      attempt('stopping the subscription checks', () => opened.keeper?.stop()),
      attempt('stopping polling', () => before?.stop()),
    ])
  }

  /** Does nothing after a stop. */
  function begin(opened: OpenedConfig): void {
    if (isStopped) return
    latest = opened
    // One role for both: how to poll depends on how the subscription stands.
    stopLeading = runAsLeader('monitoring', {
      store,
      clock,
      lead: (signal, takenOver) => lead(opened, signal, takenOver),
      onError: (error) => void attempt('asking the service', () => Promise.reject(error)),
    })
    void attempt('warning of missing alerts', async () => opened.warnOfSilence())
  }

  async function end(): Promise<void> {
    await stopLeading?.()
    stopLeading = undefined
  }

  return {
    begin,
    /** Ends for the configuration before, then begins for the next. */
    async move(next: OpenedConfig): Promise<void> {
      await end()
      // The configuration before may have made a subscription since this one read its state.
      await attempt('reading of the subscription', () => next.keeper?.ready())
      begin(next)
    },
    poller: () => poller,
    isElsewhere: () => stopLeading !== undefined && !isLeading,
    /** Secrets of the subscription that is kept. During a reload, it is still that of the configuration before. */
    secrets: (): readonly string[] => latest?.keeper?.secrets() ?? [],
    stop(): Promise<void> {
      isStopped = true
      return end()
    },
  }
}
