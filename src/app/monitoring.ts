import type { AlertEvent } from '../event/event.ts'
import type { Heard } from '../poll/heard.ts'
import type { Poller } from '../poll/poll.ts'
import type { Runtime } from './runtime.ts'

/** What asks the monitoring service: the keeper of the subscription and the poller, of one configuration at a time. */
export interface Monitoring {
  /** Begins to keep the subscription and to poll; does nothing after a stop. */
  begin(prepared: Runtime): void
  /** Ends both for the configuration before, then begins for the next. */
  move(next: Runtime): Promise<void>
  poller(): Poller | undefined
  /** Secrets of the subscription that is kept. While a configuration replaces another, it is still that of the one before. */
  secrets(): readonly string[]
  /** Ends whatever was begun. */
  stop(): Promise<void>
}

interface MonitoringParts {
  take(event: AlertEvent): Promise<'new' | 'duplicate'>
  heard: Heard
  /** Reports what fails, and goes on. */
  attempt(doing: string, work: () => Promise<unknown> | undefined): Promise<void>
}

export function createMonitoring({ take, heard, attempt }: MonitoringParts): Monitoring {
  /** The configuration whose keeper was started last. */
  let kept: Runtime | undefined
  let poller: Poller | undefined
  let isStopped = false

  function begin(prepared: Runtime): void {
    if (isStopped) return
    kept = prepared
    void attempt('beginning to keep the subscription', async () => prepared.keeper?.start())
    void attempt('beginning to poll', async () => {
      poller = prepared.poll(take, heard)
    })
    void attempt('saying what makes for silence', async () => prepared.speakUp())
  }

  async function end(): Promise<void> {
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
    secrets: () => kept?.keeper?.secrets() ?? [],
    stop() {
      isStopped = true
      return end()
    },
  }
}
