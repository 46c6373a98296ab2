import type { CommonSettings } from '../../channels/settings.ts'
import { shownPoints } from '../../event/delta.ts'
import { type AlertEvent, isFinding } from '../../event/event.ts'
import { escalationBy, type Outcome, type RoutingRule } from '../../event/outcome.ts'
import { isoTime } from '../../platform/clock.ts'

/** What a channel's own filters keep from it. Nothing else is undone by an escalation. */
const filters: readonly RoutingRule[] = ['models', 'events', 'categories', 'minDelta', 'direction']

/**
 * With what goes to another channel if nobody acknowledges the alert in time: it is held there until then. A channel that gets the alert
 * anyway keeps its outcome. Of two channels that escalate to one, the first that is due counts. Pure; `now` in milliseconds since the epoch.
 */
export function withEscalations(
  event: AlertEvent,
  outcomes: Record<string, Outcome>,
  channels: readonly CommonSettings[],
  now: number,
): Record<string, Outcome> {
  if (event.confirms !== undefined || (isFinding(event) && event.revises !== undefined)) return outcomes
  const due = channels
    .flatMap(({ name, escalate }) => {
      const start = startOf(outcomes[name], now)
      if (escalate === undefined || start === undefined || !isLarge(event, escalate.minDelta)) return []
      return [{ from: name, ...escalate, start, at: start + escalate.after }]
    })
    .toSorted((one, other) => one.at - other.at)
  const escalated = { ...outcomes }
  for (const { from, to, after, start, at } of due) {
    const outcome = escalated[to]
    if (outcome?.state !== 'not_sent' || !filters.includes(outcome.rule)) continue
    const why = `it goes here then if nobody has acknowledged it in ${from}`
    escalated[to] = {
      state: 'held',
      until: isoTime(at),
      by: escalationBy,
      from,
      since: isoTime(start),
      after,
      why,
    }
  }
  return escalated
}

/** From when on people can acknowledge it there; undefined if a flood, a story or a silence keeps it. */
function startOf(outcome: Outcome | undefined, now: number): number | undefined {
  if (outcome?.state === 'waiting') return Math.max(now, Date.parse(outcome.dueAt))
  const isPut = outcome?.state === 'held' && (outcome.by === 'quiet' || outcome.by === 'digest')
  return isPut ? Date.parse(outcome.until) : undefined
}

/** What cannot be measured is not known to be large. */
function isLarge({ delta }: AlertEvent, minDelta: number | undefined): boolean {
  if (minDelta === undefined) return true
  return delta !== null && Math.abs(shownPoints(delta)) >= minDelta
}
