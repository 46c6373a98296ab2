import { dayMs, hourMs } from '../platform/durations.ts'

/** What is kept of the time from one call of `retain` to the next. Milliseconds since the epoch. */
export interface TrustedTime {
  /** Our clock when it was last believed. */
  believed: number
  /** Our clock at the last call. */
  last: number
  /** While it is not believed: for how long it has gone on steadily, in milliseconds. */
  steadyMs?: number
}

export interface TimeWitnesses {
  /** The time by the monitoring service's `Date` header, now. */
  serviceTime?: number | undefined
  /** The last alert that came from the service: when by our clock, and when the service says that it saw the change. */
  event?: { at: number; detectedAt: number } | undefined
}

/**
 * Whether our clock is to be believed when it says that time has passed, so that old events may go (decision 18).
 * `doubt`: a sentence for operators, once for each leap; null when the doubt has ended.
 */
export function judgeTime(
  seen: TrustedTime,
  now: number,
  { serviceTime, event }: TimeWitnesses,
): { seen: TrustedTime; doubt?: string | null } {
  const believed = {
    seen: { believed: now, last: now },
    ...(seen.steadyMs !== undefined && { doubt: null }),
  }
  const step = now - seen.last
  const isSteady = step >= -hourMs && step <= dayMs
  const doubted = (steadyMs: number) => ({ seen: { believed: seen.believed, last: now, steadyMs } })

  if (serviceTime !== undefined) {
    if (Math.abs(now - serviceTime) <= dayMs) return believed
    if (seen.steadyMs !== undefined) return doubted(0)
    return { ...doubted(0), doubt: differs(now, serviceTime) }
  }
  if (!isSteady && !isUndone(seen, now)) return { ...doubted(0), doubt: leapt(seen.last, now) }
  if (seen.steadyMs === undefined || isUndone(seen, now)) return believed
  if (event !== undefined && event.at > now - dayMs && event.at <= now + hourMs) {
    return Math.abs(event.at - event.detectedAt) <= dayMs ? believed : doubted(0)
  }
  // A call is due each hour: what lies between two that are further apart was not seen to pass.
  const steadyMs = seen.steadyMs + Math.min(Math.max(step, 0), 2 * hourMs)
  return steadyMs >= dayMs ? believed : doubted(steadyMs)
}

/** The clock is again where it was believed, or as much later as a doubt may have lasted. */
function isUndone({ believed, steadyMs }: TrustedTime, now: number): boolean {
  return steadyMs !== undefined && now >= believed - hourMs && now <= believed + 2 * dayMs
}

function leapt(from: number, to: number): string {
  return `the clock of this machine jumped from ${text(from)} to ${text(to)}. Check that it is right. Bluepencil deletes no old events until it is right again, or has run steadily for a day`
}

function differs(ours: number, theirs: number): string {
  return `the clock of this machine says ${text(ours)} and the monitoring service's ${text(theirs)}. Check that ours is right. Bluepencil deletes no old events while they differ by more than a day`
}

/** No `Date` holds more (ECMA-262, 21.4.1.1); what the service says may be the last one, and time goes on from there. */
const lastDate = 8.64e15

function text(time: number): string {
  return new Date(Math.min(time, lastDate)).toISOString()
}
