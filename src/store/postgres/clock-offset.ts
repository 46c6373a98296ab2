import type { RunQuery } from '../sql/database.ts'

/** How far the database's clock is ahead of this process's, in milliseconds: what is due goes by one clock, whoever wrote it. */
export interface ClockOffset {
  aheadMs(): number
  measure(): Promise<void>
}

/** Less than that may be the way there and back. */
const smallestMs = 50

const read = 'select (extract(epoch from clock_timestamp()) * 1000)::bigint as now'

export function createClockOffset(ask: RunQuery, now: () => number): ClockOffset {
  let aheadMs = 0
  return {
    aheadMs: () => aheadMs,
    async measure() {
      const before = now()
      const [row] = await ask<{ now: number }>(read)
      const measured = Math.round((row?.now ?? before) - (before + now()) / 2)
      aheadMs = Math.abs(measured) < smallestMs ? 0 : measured
    },
  }
}
