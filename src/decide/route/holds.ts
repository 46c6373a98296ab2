import type { CommonSettings } from '../../channels/settings.ts'
import type { Scope, StandingSilence } from '../../event/act.ts'
import { shownPoints } from '../../event/delta.ts'
import type { AlertEvent } from '../../event/event.ts'
import type { Held } from '../../event/outcome.ts'
import { isoTime } from '../../platform/clock.ts'
import { nextDigest, quietUntil } from './hours.ts'

/** How many waits may follow one another, such as a silence, then quiet hours: after the eighth the alert goes out. */
const mostWaits = 8

/**
 * What holds an alert on a channel at `now`, and until when: an active silence, the time of a digest, or quiet hours. If one
 * ends while another applies, the other follows. Undefined if the alert may go out at once. Pure.
 */
export function heldBy(
  event: AlertEvent,
  channel: CommonSettings,
  known: HoldCircumstances,
): Held | undefined {
  const { silences = [], now, isHad = false } = known
  // It corrects what readers of the channel have: silences and digests do not hold it, only quiet hours do.
  if (isHad) return asHeld(quietAt(event, channel, now))
  const covering = silences.filter(({ scope }) => isCovered(event, channel.name, scope))
  const first = holdAt(event, channel, covering, now)
  if (first === undefined) return undefined
  let { until } = first
  for (let waits = 1; waits < mostWaits; waits += 1) {
    const next = silenceAt(covering, until) ?? quietAt(event, channel, until)
    if (next === undefined) break
    until = next.until
  }
  return asHeld({ ...first, until })
}

function asHeld(wait: HoldWait | undefined): Held | undefined {
  return wait && { state: 'held', until: isoTime(wait.until), by: wait.by, why: wait.why }
}

interface HoldCircumstances {
  /** Milliseconds since the epoch. */
  now: number
  silences?: readonly StandingSilence[] | undefined
  /** It corrects what the channel's readers have. */
  isHad?: boolean
}

interface HoldWait {
  /** Milliseconds since the epoch. */
  until: number
  by: string
  why: string
}

function holdAt(
  event: AlertEvent,
  channel: CommonSettings,
  covering: readonly StandingSilence[],
  now: number,
): HoldWait | undefined {
  return silenceAt(covering, now) ?? digestAt(event, channel, now) ?? quietAt(event, channel, now)
}

/** The one that lasts longest. */
function silenceAt(covering: readonly StandingSilence[], at: number): HoldWait | undefined {
  const [longest] = covering
    .filter(({ until }) => Date.parse(until) > at)
    .toSorted((one, other) => Date.parse(other.until) - Date.parse(one.until))
  if (longest === undefined) return undefined
  const { id, by, why, until } = longest
  return { until: Date.parse(until), by: id, why: `silenced by ${by.name}: ${why}` }
}

function digestAt(event: AlertEvent, { digest, timeZone }: CommonSettings, at: number): HoldWait | undefined {
  if (digest === undefined || isUrgent(event, digest.unless)) return undefined
  return {
    until: nextDigest(digest, timeZone, at),
    by: 'digest',
    why: `it waits for the digest, which goes out every ${digest.every}`,
  }
}

function quietAt(event: AlertEvent, { quiet, timeZone }: CommonSettings, at: number): HoldWait | undefined {
  if (quiet === undefined || isUrgent(event, quiet.unless)) return undefined
  const until = quietUntil(quiet, timeZone, at)
  const why = `quiet hours from ${quiet.from} to ${quiet.to}, ${timeZone}`
  return until === undefined ? undefined : { until, by: 'quiet', why }
}

/** What cannot be measured waits: it is not known to be large. A correction is as urgent as what it corrects. */
function isUrgent({ delta, before, revises }: AlertEvent, unless: { minDelta: number } | undefined): boolean {
  if (unless === undefined) return false
  const corrected = revises === undefined ? null : (before?.delta ?? null)
  return [delta, corrected].some((size) => size !== null && Math.abs(shownPoints(size)) >= unless.minDelta)
}

/** Whether a silence of that scope keeps an alert from a channel. What cannot be read is not silenced by name. */
function isCovered(
  event: Pick<AlertEvent, 'model' | 'category'>,
  channelName: string,
  { model, category, channel }: Scope,
): boolean {
  if (channel !== undefined && channel !== channelName) return false
  if (model !== undefined && model.toLowerCase() !== event.model?.toLowerCase()) return false
  return category === undefined || category.toLowerCase() === event.category?.toLowerCase()
}
