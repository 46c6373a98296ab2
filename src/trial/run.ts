import type { Channel } from '../channels/channel.ts'
import type { Config } from '../config/schema.ts'
import { keepDigests } from '../decide/digest/release.ts'
import type { Act } from '../event/act.ts'
import type { AlertEvent, Entry } from '../event/event.ts'
import type { Outcome } from '../event/outcome.ts'
import type { Message } from '../message/message.ts'
import { recallSilences } from '../people/converse/silences.ts'
import { holdsOf } from '../pipeline.ts'
import type { Clock } from '../platform/clock.ts'
import { observed } from '../store/observed.ts'
import { openStoreInMemory } from '../store/sqlite/open.ts'
import { type HeldNotification, type Store, type StoredEntry, stateOf } from '../store/store.ts'
import { createMovedClock } from './clock.ts'
import { trialPipeline } from './pipeline.ts'

/** What would have become of it all. */
export interface TrialOutcomes {
  /** With the outcomes at the end, in no order. */
  rows: StoredEntry[]
  /** By event, what was decided when it came in. */
  first: Map<string, Record<string, Outcome>>
  /** What the channels were given, in order. */
  recorded: RecordedMessage[]
}

interface RunParts {
  config: Config
  /** Those of the configuration, open. Nothing is sent through them. */
  channels: readonly Channel[]
  /** What the service reported, polling found and people did, as it came in, oldest first. */
  history: readonly (AlertEvent | Act)[]
  /** Until when the time goes on; milliseconds since the epoch. */
  to: number
}

/**
 * Runs the whole pipeline of a configuration over what came in, each event at its own time, with a clock that is moved and a store
 * in memory. Rejects with the first failure: nothing in a trial may fail.
 */
export async function runOver({ config, channels, history, to }: RunParts): Promise<TrialOutcomes> {
  const clock = createMovedClock(timeOf(history[0]) ?? to)
  const inMemory = openStoreInMemory(clock)
  /** Digests ask each minute of the ninety days. */
  let held: Promise<HeldNotification[]> | undefined
  const store: Store = {
    ...observed(inMemory, () => {
      held = undefined
    }),
    held: () => (held ??= inMemory.held()),
  }
  const silences = await recallSilences({ state: stateOf(store, 'silences') })
  const recorded: RecordedMessage[] = []
  const first: TrialOutcomes['first'] = new Map()
  const failures: unknown[] = []
  const ending = new AbortController()
  let digesting: Promise<void> | undefined

  const pipeline = trialPipeline(config, {
    store,
    clock,
    silences: (now) => silences.inForce(now),
    channels: channels.map((channel) => recording(channel, clock, (one) => void recorded.push(one))),
    onEvent(event) {
      if (event.type === 'failed') failures.push(event.error)
      if (event.type !== 'accepted') return
      first.set(event.entry.id, event.outcomes)
      // It looks each minute, which is most of the work if nothing is held.
      if (Object.values(event.outcomes).some(({ state }) => state === 'held')) digesting ??= digest()
    },
  })

  function digest(): Promise<void> {
    return keepDigests(
      {
        store,
        clock,
        channels: () => channels.map(({ name }) => name),
        onSilences: silences.onChange,
        ...holdsOf({ silences, now: clock.now, channels: () => config.channels }),
        accept: pipeline.accept,
        wake: pipeline.wake,
        onError: (error) => void failures.push(error),
      },
      ending.signal,
    )
  }

  pipeline.send()
  for (const entry of history) {
    await clock.passTo(timeOf(entry) ?? 0)
    await clock.during(pipeline.accept(entry))
    if (entry.kind === 'act' && (entry.does === 'silence' || entry.does === 'end-silence')) {
      await silences.apply(entry)
    }
  }
  await clock.passTo(to)
  const rows = await store.list({ limit: Number.MAX_SAFE_INTEGER })
  ending.abort()
  await clock.during(Promise.all([digesting, pipeline.stop(0)]))
  await inMemory.close()
  if (failures.length > 0) throw new AggregateError(failures, 'the trial failed')
  return { rows, first, recorded }
}

function timeOf(entry: Entry | undefined): number | undefined {
  return entry && Date.parse(entry.receivedAt)
}

/** What a channel was given. */
interface RecordedMessage {
  channel: string
  /** Milliseconds since the epoch. */
  at: number
  message: Message
  isEdit: boolean
}

/**
 * The channel at its own pace and with its own abilities, but everything that it is given goes to `record` and nowhere
 * else, and is accepted at once.
 */
function recording(
  channel: Channel,
  clock: Pick<Clock, 'now'>,
  record: (recorded: RecordedMessage) => void,
): Channel {
  const { name, type, paceMs, destination, edit } = channel
  const recordMessage = (message: Message, isEdit: boolean) =>
    record({ channel: name, at: clock.now(), message, isEdit })
  return {
    name,
    type,
    paceMs,
    destination,
    async send(message) {
      recordMessage(message, false)
      return { result: 'sent', receipt: { place: name, id: message.id, text: 'recorded' } }
    },
    ...(edit !== undefined && {
      async edit(message, receipt) {
        recordMessage(message, true)
        return { result: 'sent', receipt }
      },
    }),
    check: async () => [],
    async close() {},
  }
}
