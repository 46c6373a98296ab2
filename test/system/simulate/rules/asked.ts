import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { isReplayed, leapNear, namesAt } from './wishes.ts'

const minuteMs = 60_000
const floodMs = 10 * minuteMs
const mostAlone = 10
/** Of a channel's pace, and of what is read each minute. */
const slackMs = 90_000

/** 5 and 6. Nothing is held that nobody asked to hold, but the rest of a flood, for ten minutes at most. */
export function heldAsAsked(run: Run): Breach[] {
  return [...digestsAsked(run), ...restOfFloods(run), ...atOnce(run), ...noFlood(run)]
}

/** What a digest says held its alerts was asked for. */
function digestsAsked(run: Run): Breach[] {
  const acts = new Set(run.stored.flatMap(({ entry }) => (entry.kind === 'act' ? [entry.id] : [])))
  return run.stored.flatMap(({ entry }): Breach[] => {
    if (entry.kind !== 'digest' || entry.by === 'burst' || mayLack(run)) return []
    const { by, channel } = entry
    const wishes = run.arrangements
      .flatMap(({ arrangement }) => arrangement.wishes)
      .filter(({ name }) => name === channel)
    const isAsked =
      acts.has(by) ||
      (by === 'story' && wishes.some(({ hours, canEdit }) => canEdit && hours.stories !== undefined)) ||
      wishes.some(({ hours }) => (by === 'quiet' && hours.quiet) || (by === 'digest' && hours.digest))
    return isAsked
      ? []
      : [{ rule: 5, what: `${entry.id} was held for ${channel} by ${by}, which nobody asked for` }]
  })
}

/** It has ten alerts before it, none of its alerts is larger than all before, and none waited longer. */
function restOfFloods(run: Run): Breach[] {
  if (leapNear(run) || mayLack(run)) return []
  const alerts = new Map(alertsOf(run).map(({ entry }) => [entry.id, entry]))
  return run.stored.flatMap(({ entry: digest }): Breach[] => {
    if (digest.kind !== 'digest' || digest.by !== 'burst') return []
    const { channel } = digest
    return digest.of.flatMap((id): Breach[] => {
      const event = alerts.get(id)
      if (event === undefined || event.revises !== undefined) return []
      const at = Date.parse(event.receivedAt)
      if (Date.parse(digest.until) - at > floodMs) {
        return [{ rule: 5, what: `${id} waited on ${channel} for more than ten minutes, in ${digest.id}` }]
      }
      return before(run, event, channel).length >= mostAlone
        ? []
        : [{ rule: 5, what: `${id} waited on ${channel}, and was not the eleventh in ten minutes` }]
    })
  })
}

/** The alerts of the ten minutes before one that a channel was not refused, as far as their clocks agree. */
function before(run: Run, { id, receivedAt }: AlertEvent, channel: string): AlertEvent[] {
  const at = Date.parse(receivedAt)
  return alertsOf(run).flatMap(({ entry, outcomes }) => {
    const came = Date.parse(entry.receivedAt)
    const isNear = came <= at + minuteMs && came > at - floodMs - minuteMs
    const state = outcomes[channel]?.state
    return isNear && entry.id !== id && state !== undefined && state !== 'not_sent' ? [entry] : []
  })
}

/** If nothing is wrong with the machine or the way: what waited for either comes when it can. */
function isCalm(run: Run): boolean {
  const disturbing = ['weather', 'disk', 'kill', 'restart', 'rot', 'reload', 'leap']
  return !leapNear(run) && !run.scenario.acts.some(({ act }) => disturbing.includes(act))
}

/** A channel that asks for nothing else gets each alert at once. */
function atOnce(run: Run): Breach[] {
  if (!isCalm(run) || run.scenario.acts.some(({ act }) => act === 'silence')) return []
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(outcomes).flatMap(([channel, outcome]): Breach[] => {
      const wish = run.arrangements[0]?.arrangement.wishes.find(({ name }) => name === channel)
      if (outcome.state !== 'sent' || wish === undefined || Object.keys(wish.hours).length > 0) return []
      // An escalation comes in the time that people have, on the channel before.
      if (outcome.escalated !== undefined) return []
      const shown = run.readers.shown.find(({ place, own }) => place === wish.place && own === entry.id)
      if (shown === undefined || isReplayed(run, entry.id, channel)) return []
      const longest = before(run, entry, channel).length < mostAlone ? 0 : floodMs
      if (shown.at - Date.parse(entry.receivedAt) <= longest + slackMs) return []
      return [{ rule: 5, what: `${entry.id} waited on ${channel}, which asks for everything at once` }]
    }),
  )
}

/** Ten alerts in ten minutes come by themselves, besides those that are larger than all before them. */
function noFlood(run: Run): Breach[] {
  if (!isCalm(run)) return []
  const events = new Map(alertsOf(run).map(({ entry }) => [entry.id, entry]))
  const places = Map.groupBy(run.readers.shown, ({ place }) => place)
  return [...places].flatMap(([place, all]): Breach[] => {
    const [name = ''] = namesAt(run, place).keys()
    const counted = all.filter((shown) => isCounted(run, shown, name, events.get(shown.own ?? '')))
    const flood = counted.find(({ at }, index) => {
      const eleventh = counted[index + mostAlone]
      return eleventh !== undefined && eleventh.at - at < floodMs - slackMs
    })
    return flood === undefined ? [] : [{ rule: 4, what: `${place} has more than ten alerts in ten minutes` }]
  })
}

/** No correction, nothing that was sent again, that was held, or that is larger than all before it. */
function isCounted(
  run: Run,
  { own = '', at }: Shown,
  channel: string,
  event: AlertEvent | undefined,
): boolean {
  if (event === undefined || event.revises !== undefined || isReplayed(run, own, channel)) return false
  if (at - Date.parse(event.receivedAt) > slackMs) return false
  const sizes = before(run, event, channel).map(({ delta }) => Math.abs(delta ?? 0))
  return sizes.some((size) => size >= Math.abs(event.delta ?? 0))
}
