import { join } from 'node:path'
import * as z from 'zod'
import type { Seen } from '../trusted-time.ts'
import { type Disk, realDisk } from './disk.ts'
import type { Memory } from './memory.ts'
import { joined, type Range } from './ranges.ts'
import { openState, type State } from './state.ts'

const Ranges = z.array(z.tuple([z.int(), z.int()]))

const HistoryData = z.object({
  /** Events, by `seq`, that are past retention, and those whose loss has been reported. */
  gone: Ranges,
  lost: Ranges,
  /** The highest `seq` and segment that are known to have been on disk. */
  last: z.int(),
  segment: z.int(),
  /** The newest time of an event that is past retention. */
  horizon: z.number().nullable(),
  time: z.object({ believed: z.number(), last: z.number(), steadyMs: z.number().exactOptional() }),
})
type HistoryData = z.infer<typeof HistoryData>

/**
 * What the segments do not say: what is no longer there, by right or by damage, and which times were believed. By it a
 * missing file is told from one that was dropped.
 */
export interface History {
  /** False where the store is new, or was written before there was a history, or where that is lost. */
  isKnown: boolean
  data: Readonly<HistoryData>
  /** Rejects where it is not on disk; what was asked for is then not part of it. */
  save(change: Partial<HistoryData>): Promise<void>
  /** Puts down how far the store has come, or what is lost of it, soon; where that fails, the next time. */
  note(change?: { lost: Range[] }): void
}

export function openHistory(state: State, memory: Memory, now: number): History {
  const stored = HistoryData.safeParse(state.read('history'))
  let data: HistoryData = stored.success
    ? stored.data
    : { gone: [], lost: [], last: 0, segment: 0, horizon: null, time: { believed: now, last: now } }

  async function save(change: Partial<HistoryData>): Promise<void> {
    const before = data
    const next = {
      ...data,
      ...change,
      last: Math.max(data.last, memory.nextSeq - 1),
      segment: Math.max(data.segment, memory.nextSegment - 1),
    }
    data = next
    try {
      await state.change('history', () => next)
    } catch (error) {
      // The time has passed all the same.
      if (data === next) data = { ...before, time: next.time }
      throw error
    }
  }

  return {
    isKnown: stored.success,
    get data() {
      return data
    },
    save,
    note(change) {
      const lost = joined([...data.lost, ...(change?.lost ?? [])])
      void save({ lost }).catch(() => undefined)
    },
  }
}

/**
 * Of a store that was copied, whose process has ended: what the other had dropped is not new here, and the time that has passed
 * since its events came was no leap. `now`: milliseconds since the epoch.
 */
export async function carryHorizon(folder: string, horizon: number | undefined, now: number): Promise<void> {
  const state = await openState(realDisk, folder, () => undefined)
  await state.change('history', (before) => {
    const known = HistoryData.safeParse(before)
    if (!known.success) return undefined
    const time = { believed: now, last: now }
    return { ...known.data, time, horizon: horizon ?? known.data.horizon } satisfies HistoryData
  })
}

/** Where nothing is remembered of the time: the newest of the times that files and events have, as far as there are any. */
export async function lastSign(disk: Disk, folder: string, memory: Memory): Promise<Seen | undefined> {
  const times = memory.segments.map(({ newestAt }) => newestAt)
  for (const name of await disk.list(folder)) {
    const file = await disk.stat(join(folder, name))
    if (file !== undefined) times.push(file.modifiedAt)
  }
  if (times.length === 0) return undefined
  const newest = times.reduce((one, other) => Math.max(one, other))
  return { believed: newest, last: newest }
}
