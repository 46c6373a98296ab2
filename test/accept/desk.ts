import { setImmediate as turn } from 'node:timers/promises'
import type { Seen } from '../../src/accept/figures.ts'
import { recallChanges } from '../../src/accept/recent.ts'
import type { Attempt, Channel, SendResult } from '../../src/channels/channel.ts'
import type { Message } from '../../src/channels/message.ts'
import { CommonSettings } from '../../src/channels/settings.ts'
import type { Settled } from '../../src/deliver/queue.ts'
import type { Entry } from '../../src/event/event.ts'
import { startPipeline } from '../../src/pipeline.ts'
import type { Store } from '../../src/store/store.ts'
import { createManualClock, type ManualClock } from '../fakes/manual-clock.ts'
import { createMemoryStore } from '../fakes/memory-store.ts'

const start = Date.parse('2026-11-21T13:10:00Z')

export interface DeskOptions {
  store?: Store
  clock?: ManualClock
  /** What it asks for, beside its name. */
  settings?: Partial<CommonSettings>
  seen?: Seen
  /** True where nobody can be asked whether a message arrived. */
  blind?: boolean
  /** How a try to send, or to complete, ends. */
  sends?: (message: Message, attempt: Attempt) => SendResult | Promise<SendResult>
  /** Null where the provider lets no message be changed. */
  completes?: (() => SendResult | Promise<SendResult>) | null
}

/** A whole pipeline with one channel `desk`, whose readers see `sent`, and then `completed` in its place. */
export async function openDesk(options: DeskOptions = {}) {
  const { store = createMemoryStore(), clock = createManualClock(start) } = options
  const sent: Message[] = []
  const attempts: (Attempt & { id: string; at: number })[] = []
  const completed: { receipt: string; message: Message }[] = []
  const desk: Channel = {
    name: 'desk',
    type: 'console',
    paceMs: 0,
    blind: options.blind ?? false,
    async send(message, attempt) {
      sent.push(message)
      attempts.push({ ...attempt, id: message.id, at: clock.now() })
      return (
        (await options.sends?.(message, attempt)) ?? { result: 'sent', receipt: `receipt of ${message.id}` }
      )
    },
    check: async () => [],
    close: async () => {},
  }
  if (options.completes !== null) {
    desk.complete = async (message, receipt) => {
      completed.push({ message, receipt })
      return (await options.completes?.()) ?? { result: 'sent', receipt }
    }
  }
  const settled: Settled[] = []
  const failures: unknown[] = []
  const onError = (failure: unknown) => void failures.push(failure)
  const pipeline = startPipeline({
    store,
    recent: await recallChanges({ store, now: clock.now(), onError }),
    seen: options.seen ?? (() => 'unknown'),
    channels: [desk],
    routing: {
      channels: [CommonSettings.parse({ name: 'desk', ...options.settings })],
      operators: [],
      retentionMs: 30 * 24 * 60 * 60_000,
    },
    service: 'Service',
    clock,
    random: () => 0,
    onAccepted: () => {},
    onSettled: (one) => void settled.push(one),
    onCompletion: () => {},
    onError,
  })
  await clock.advance(0)
  return {
    store,
    clock,
    sent,
    attempts,
    settled,
    completed,
    failures,
    pipeline,
    async take(...entries: Entry[]) {
      const verdicts: string[] = []
      for (const entry of entries) {
        verdicts.push(await pipeline.take(entry))
        await quiet()
      }
      return verdicts
    },
    quiet,
    outcome: async (id: string) => (await store.find(id))?.outcomes.desk,
    async stop() {
      const stopped = pipeline.stop(1_000)
      await clock.advance(2_000)
      await stopped
    },
  }

  /** Lets what is due now be done. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 5; turns++) {
      await clock.advance(0)
      await turn()
    }
  }
}
