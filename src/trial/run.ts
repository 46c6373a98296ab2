import type { Channel } from '../channels/channel.ts'
import type { Config } from '../config/schema.ts'
import type { AlertEvent } from '../event/event.ts'
import { createMemoryBacking } from '../store/memory/backing.ts'
import { newestFirst } from '../store/newest-first.ts'
import type { StoredEntry } from '../store/store.ts'
import { createMovedClock } from './clock.ts'
import { trialPipeline } from './pipeline.ts'
import { type Recorded, recording } from './recording.ts'

/** What would have become of it all. */
export interface Outcomes {
  /** With the outcomes at the end, in no order. */
  rows: StoredEntry[]
  /** What the channels were given, in order. */
  recorded: Recorded[]
}

interface RunParts {
  config: Config
  /** Those of the configuration, open. Nothing is sent through them. */
  channels: readonly Channel[]
  /** As they came in, oldest first. */
  events: readonly AlertEvent[]
  /** Until when the time goes on; milliseconds since the epoch. */
  to: number
}

/**
 * Runs the whole pipeline of a configuration over what came in, each event at its own time, on a clock that is moved and
 * a store in memory. Rejects with whatever fails in it: nothing in it may.
 */
export async function runOver({ config, channels, events, to }: RunParts): Promise<Outcomes> {
  const clock = createMovedClock(timeOf(events[0]) ?? to)
  const store = createMemoryBacking(clock).open()
  const recorded: Recorded[] = []
  const failures: unknown[] = []
  const pipeline = trialPipeline(config, {
    store,
    clock,
    channels: channels.map((channel) => recording(channel, clock, (one) => void recorded.push(one))),
    onError: ({ error }) => void failures.push(error),
  })
  pipeline.send()
  for (const event of events) {
    await clock.passTo(timeOf(event) ?? 0)
    await clock.during(pipeline.take(event))
  }
  await clock.passTo(to)
  const rows: StoredEntry[] = []
  for await (const page of newestFirst(store)) rows.push(...page)
  await clock.during(pipeline.stop(0))
  if (failures.length > 0) throw new AggregateError(failures, `the trial itself failed: ${failures[0]}`)
  return { rows, recorded }
}

function timeOf(event: AlertEvent | undefined): number | undefined {
  return event && Date.parse(event.receivedAt)
}
