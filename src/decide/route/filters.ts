import { type CommonSettings, isForTroubleAlone } from '../../channels/settings.ts'
import { shownPoints } from '../../event/delta.ts'
import { type AlertEvent, isFinding, type Unrecognised } from '../../event/event.ts'
import type { NotSent, RoutingRule } from '../../event/outcome.ts'

/** What an event must pass. */
type EventFilters = Pick<CommonSettings, 'models' | 'events' | 'categories' | 'minDelta' | 'direction'>

/**
 * The first filter of a channel that an event does not pass, or undefined if it passes them all. A filter
 * that is not set passes everything, also what could not be read: that is how an unrecognised event reaches
 * those who watch everything. A filter that is set passes nothing that it cannot judge.
 */
export function refusal(event: AlertEvent, channel: EventFilters): NotSent | undefined {
  if (isForTroubleAlone(channel)) return not('events', 'this channel gets only notices about problems')
  return (
    outside('models', isOfMeasurement(event) ? undefined : channel.models, event.model, 'model', event) ??
    outside('events', channel.events, event.type, 'type', event) ??
    outside('categories', channel.categories, event.category, 'category', event) ??
    tooSmall(channel.minDelta, event) ??
    otherWay(channel.direction, event)
  )
}

/** Polling found that other models moved alike. It is one alert, named by the first, and about all of them. */
function isOfMeasurement(event: AlertEvent): boolean {
  return isFinding(event) && event.figures?.levels?.alike !== undefined
}

function outside(
  rule: RoutingRule,
  wanted: readonly string[] | undefined,
  value: string | null,
  field: Unrecognised['field'],
  event: AlertEvent,
): NotSent | undefined {
  if (wanted === undefined) return undefined
  const limit = `the channel gets only ${wanted.join(', ')}`
  if (value === null) return not(rule, `${limit}; the ${field} ${problem(event, field)}`)
  if (wanted.some((one) => one.toLowerCase() === value.toLowerCase())) return undefined
  return not(rule, `${limit}; the ${field} is ${value}`)
}

function tooSmall(minDelta: number | undefined, event: AlertEvent): NotSent | undefined {
  if (minDelta === undefined || minDelta === 0) return undefined
  const limit = `the channel gets only changes of at least ${minDelta} percentage points`
  if (event.delta === null) return not('minDelta', `${limit}; the delta ${problem(event, 'delta')}`)
  const change = Math.abs(shownPoints(event.delta))
  if (change >= minDelta) return undefined
  return not('minDelta', `${limit}; the change is ${change}`)
}

function otherWay(direction: CommonSettings['direction'], event: AlertEvent): NotSent | undefined {
  if (direction === 'both') return undefined
  const limit = `the channel gets only changes that ${direction}`
  if (event.delta === null) return not('direction', `${limit}; the delta ${problem(event, 'delta')}`)
  const way = event.delta > 0 ? 'rise' : event.delta < 0 ? 'fall' : 'none'
  if (way === direction) return undefined
  return not('direction', `${limit}; this is ${way === 'none' ? 'no change' : `a ${way}`}`)
}

function problem(event: AlertEvent, field: Unrecognised['field']): string {
  if (event.version !== undefined) return 'is missing: only the version changed'
  const row = event.unrecognised.find((one) => one.field === field)
  return row === undefined ? 'is missing' : `could not be read: ${row.problem}`
}

function not(rule: RoutingRule, why: string): NotSent {
  return { state: 'not_sent', rule, why }
}
