import type { AlertEvent } from '../event/event.ts'
import type { DeliveryLog } from '../intake/poll/mode.ts'
import type { Poller } from '../intake/poll/poll.ts'
import type { Clock } from '../platform/clock.ts'
import type { Store } from '../store/store.ts'
import { type Leadership, startDuty } from './leadership.ts'
import type { OpenedConfig } from './opened-config.ts'

/** What asks the monitoring service: the keeper of the subscription and the poller, of one configuration at a time. */
export interface PollingLeader {
  /** Begins to keep the subscription and to poll; does nothing after a stop. */
  begin(prepared: OpenedConfig): void
  /** Ends both for the configuration before, then begins for the next. */
  move(next: OpenedConfig): Promise<void>
  poller(): Poller | undefined
  /** Another process does it. */
  isElsewhere(): boolean
  /** Secrets of the subscription that is kept. While a configuration replaces another, it is still that of the one before. */
  secrets(): readonly string[]
  /** Ends whatever was begun. */
  stop(): Promise<void>
}

interface PollingLeaderParts {
  store: Pick<Store, 'hold'>
  clock: Clock
  take(event: AlertEvent): Promise<'new' | 'duplicate'>
  heard: DeliveryLog
  /** Reports what fails, and goes on. */
  attempt(doing: string, work: () => Promise<unknown> | undefined): Promise<void>
}

export function createMonitoring({ store, clock, take, heard, attempt }: PollingLeaderParts): PollingLeader {
  /** The configuration whose keeper was started last. */
  let kept: OpenedConfig | undefined
  let poller: Poller | undefined
  let duty: Leadership | undefined
  let isOnDuty = false
  let isStopped = false

  function begin(prepared: OpenedConfig): void {
    if (isStopped) return
    kept = prepared
    duty = startDuty({
      // One process does both: how to poll depends on how the subscription stands.
      role: 'monitoring',
      store,
      clock,
      async begin(takenOver) {
        // The process before may have made a subscription since this one read of it.
        if (takenOver) {
          await attempt('reading of the subscription', () => prepared.keeper?.ready())
          await attempt('reading what was delivered', heard.recall)
        }
        isOnDuty = true
        await attempt('beginning to keep the subscription', async () => prepared.keeper?.start())
        await attempt('beginning to poll', async () => {
          poller = prepared.poll(take, heard)
        })
        return leave
      },
      onError: (error) => void attempt('asking the service', () => Promise.reject(error)),
    })
    void attempt('saying what makes for silence', async () => prepared.speakUp())
  }

  async function end(): Promise<void> {
    await duty?.stop()
    duty = undefined
  }

  async function leave(): Promise<void> {
    isOnDuty = false
    const before = poller
    poller = undefined
    await Promise.all([
      attempt('ending the care of the subscription', () => kept?.keeper?.stop()),
      attempt('ending the polling', () => before?.stop()),
    ])
  }

  return {
    begin,
    async move(next) {
      await end()
      // The one before may have made a subscription since this one read of it.
      await attempt('reading of the subscription', () => next.keeper?.ready())
      begin(next)
    },
    poller: () => poller,
    isElsewhere: () => duty !== undefined && !isOnDuty,
    secrets: () => kept?.keeper?.secrets() ?? [],
    stop() {
      isStopped = true
      return end()
    },
  }
}
