import type { AlertEvent } from '../../event/event.ts'
import { type Held, longestFloodMs } from '../../event/outcome.ts'
import { minuteMs } from '../../platform/durations.ts'
import type { NearAlert, OnChannel } from '../../store/near.ts'

/** So many alerts a channel gets within ten minutes, each by itself. */
const mostAlone = 10
const why = `more than ${mostAlone} alerts came within ${longestFloodMs / minuteMs} minutes; the rest come as one message`

/**
 * What holds an alert that is one too many for a channel; undefined if it goes out at once. An alert that is larger than all before it
 * does. The rest of a flood has one end, so that it becomes one message. Pure; `now` is in milliseconds since the epoch.
 */
export function restOfFlood(
  event: AlertEvent,
  { messages, flooded }: OnChannel,
  now: number,
): Held | undefined {
  const recent = messages.flatMap(({ alert }) => {
    const at = alert === undefined || alert.revises !== undefined ? Number.NaN : Date.parse(alert.receivedAt)
    // The clock may have been set back since.
    return alert !== undefined && Math.abs(now - at) < longestFloodMs ? [{ alert, at }] : []
  })
  const rest = flooded.filter(({ until }) => until > now && until <= now + longestFloodMs)
  const tenth = recent.map(({ at }) => at).toSorted((one, other) => other - one)[mostAlone - 1]
  const end = rest[0]?.until ?? (tenth === undefined ? undefined : tenth + longestFloodMs)
  if (end === undefined || isLargest(event, [...recent, ...rest])) return undefined
  return {
    state: 'held',
    until: new Date(Math.min(end, now + longestFloodMs)).toISOString(),
    by: 'burst',
    why,
  }
}

function isLargest({ delta }: AlertEvent, before: readonly { alert?: NearAlert }[]): boolean {
  return delta !== null && before.every(({ alert }) => Math.abs(delta) > Math.abs(alert?.delta ?? 0))
}
