import type { Channel, SendResult } from '../channels/channel.ts'
import type { Message } from '../channels/message.ts'
import type { Clock } from '../clock.ts'
import type { Outcome, Waiting } from '../event/outcome.ts'
import type { Owed, Store } from '../store/store.ts'
import { judge, type RetryPolicy } from './policy.ts'

/** One try took longer than any provider's own time-out: it is cut off and its end is uncertain. */
const tryMs = 60_000
/** Outlasts every try, so that none is given out twice. */
const leaseMs = 5 * 60_000
/** Between two tries to write down an outcome that the store did not take. */
const settleAgainMs = 1_000

export interface Settled {
  channel: string
  owed: Owed
  result: SendResult
  outcome: Outcome
}

export interface QueueParts {
  store: Store
  clock: Clock
  random: () => number
  policy: RetryPolicy
  render: (owed: Owed) => Message
  onSettled: (settled: Settled) => void
  onError: (channel: string, error: unknown) => void
}

/** Why a channel rests, and until when; milliseconds since the epoch. */
export interface Rest {
  until: number
  why: string
}

/** The notifications of one channel, oldest first, one at a time: a slow channel holds up itself alone. */
export interface Queue {
  readonly channel: string
  /** Something may be due. `atOnce` ends a rest: a person asked for it. */
  wake(atOnce?: boolean): void
  rest(): Rest | undefined
  /** Takes nothing more; what is in flight has until the signal aborts. */
  stop(cutOff: AbortSignal): Promise<void>
}

export function startQueue(channel: Channel, parts: QueueParts): Queue {
  const { store, clock } = parts
  const stopping = new AbortController()
  const cutting = new AbortController()
  let nudge = new AbortController()
  let rest: Rest | undefined
  let lastTry = Number.NEGATIVE_INFINITY
  let failingSince: number | undefined
  /** Those that failed since the last success. More than one: the channel was out, not the message. */
  const failing = new Map<string, Waiting>()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await turn()
      } catch (error) {
        parts.onError(channel.name, error)
        await clock.sleep(settleAgainMs, stopping.signal)
      }
    }
  }

  async function turn(): Promise<void> {
    const woken = nudge.signal
    const wait = Math.max(rest?.until ?? 0, lastTry + channel.paceMs) - clock.now()
    if (wait > 0) return clock.sleep(wait, AbortSignal.any([stopping.signal, woken]))
    const [owed] = await store.take(channel.name, { now: clock.now(), limit: 1, leaseMs })
    if (owed !== undefined) return attempt(owed)
    const due = await store.nextDue(channel.name)
    const idle = due === undefined ? Number.POSITIVE_INFINITY : due - clock.now()
    return clock.sleep(idle, AbortSignal.any([stopping.signal, woken]))
  }

  async function attempt(owed: Owed): Promise<void> {
    lastTry = clock.now()
    const result = await send(owed)
    const now = clock.now()
    const verdict = judge(
      {
        result,
        before: { ...owed.waiting, uncertain: owed.uncertain },
        acceptedAt: Date.parse(owed.entry.receivedAt),
        now,
        failingSince: failingSince ?? now,
        random: parts.random(),
      },
      parts.policy,
    )
    await settle(owed, verdict.outcome)
    parts.onSettled({ channel: channel.name, owed, result, outcome: verdict.outcome })
    if (result.result === 'sent') return succeeded(owed)
    rest = verdict.pauseMs > 0 ? { until: now + verdict.pauseMs, why: result.why } : undefined
    if (result.result === 'permanent') return
    failingSince ??= now
    if (verdict.outcome.state === 'waiting') failing.set(owed.eventId, verdict.outcome)
    else failing.delete(owed.eventId)
  }

  async function send(owed: Owed): Promise<SendResult> {
    const message = tryToRender(owed)
    if (message === undefined)
      return { result: 'permanent', why: 'the message could not be made; see the log' }
    const timeOut = new AbortController()
    const done = new AbortController()
    void clock.sleep(tryMs, done.signal).then(() => timeOut.abort())
    try {
      return await channel.send(message, {
        uncertain: owed.uncertain,
        since: Date.parse(owed.entry.receivedAt),
        progress: owed.waiting.progress ?? [],
        signal: AbortSignal.any([timeOut.signal, cutting.signal]),
      })
    } catch (error) {
      parts.onError(channel.name, error)
      return { result: 'retry', why: 'an unexpected error; see the log', uncertain: true }
    } finally {
      done.abort()
    }
  }

  function tryToRender(owed: Owed): Message | undefined {
    try {
      return parts.render(owed)
    } catch (error) {
      parts.onError(channel.name, error)
      return undefined
    }
  }

  /** What was sent must be written down before anything else is, or it would be sent again. */
  async function settle(owed: Owed, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        await store.settle(owed.eventId, channel.name, outcome)
        return
      } catch (error) {
        if (cutting.signal.aborted) throw error
        parts.onError(channel.name, error)
        await clock.sleep(settleAgainMs, cutting.signal)
      }
    }
  }

  /** After an outage the messages that were let past one another are due at once, so that they go in order. */
  async function succeeded(owed: Owed): Promise<void> {
    rest = undefined
    failingSince = undefined
    failing.delete(owed.eventId)
    const behind = [...failing]
    failing.clear()
    if (behind.length < 2) return
    const dueAt = new Date(clock.now()).toISOString()
    for (const [eventId, waiting] of behind) await store.settle(eventId, channel.name, { ...waiting, dueAt })
  }

  const running = run()
  return {
    channel: channel.name,
    wake(atOnce = false) {
      if (atOnce) rest = undefined
      const before = nudge
      nudge = new AbortController()
      before.abort()
    },
    rest: () => (rest !== undefined && rest.until > clock.now() ? rest : undefined),
    async stop(cutOff) {
      stopping.abort()
      const cut = () => cutting.abort()
      if (cutOff.aborted) cut()
      else cutOff.addEventListener('abort', cut, { once: true })
      await running
    },
  }
}
