import type { Logger } from 'pino'
import { after, type Clock } from '../platform/clock.ts'

/**
 * So many deliveries a second have a line each. A line costs 10 µs of the thread that answers: at this rate that is a thousandth of
 * its time, at 5,000 a second it was a twentieth.
 */
const mostLines = 100
const windowMs = 1_000

export function createDeliveryLines(log: Logger, clock: Clock) {
  let lines = 0
  let counts = { accepted: 0, duplicate: 0 }
  /** Ends the second in which deliveries come. */
  let cancel: (() => void) | undefined

  function flush(): void {
    cancel?.()
    cancel = undefined
    if (counts.accepted + counts.duplicate > 0) log.info({ ...counts }, 'more deliveries within a second')
    lines = 0
    counts = { accepted: 0, duplicate: 0 }
  }

  return {
    /** Writes a line, or counts it if this second has had its lines. */
    write(outcome: keyof typeof counts, message: string, fields: () => Record<string, unknown>): void {
      cancel ??= after(clock, windowMs, flush)
      lines += 1
      if (lines > mostLines) counts[outcome] += 1
      else log.info(fields(), message)
    },
    /** Writes what was counted. */
    flush,
  }
}
