import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Wish } from '../configuration.ts'
import type { Run } from '../world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Whether the channel asks for such a thing, by its filters alone. */
export function wants({ filters }: Wish, { model, type, category, delta }: Wanted): boolean {
  const { models, events, categories, minDelta = 0, direction = 'both' } = filters
  if (models !== undefined && !models.includes(model ?? '')) return false
  if (events !== undefined && !events.includes(type ?? '')) return false
  if (categories !== undefined && !categories.includes(category ?? '')) return false
  // To two digits, as it is shown.
  const points = Math.round((delta ?? 0) * 100) / 100
  if (Math.abs(points) < minDelta) return false
  return direction === 'both' || (direction === 'rise' ? points > 0 : points < 0)
}

type Wanted = Pick<AlertEvent, 'model' | 'type' | 'category' | 'delta'>

/** The channels that were configured in each of the last arrangements. */
export function wishesAt(run: Run, at: number): Wish[] {
  const possible = possibleAt(run, at)
  const [first] = possible
  return (first?.wishes ?? []).filter((wish) =>
    possible.every(({ wishes }) => wishes.some((other) => JSON.stringify(other) === JSON.stringify(wish))),
  )
}

/** A reload takes a while, and one that failed or was cut off leaves the one before in force. */
function possibleAt(run: Run, at: number) {
  const past = run.arrangements.filter(({ from }) => from <= at + minuteMs)
  const sure = past.findLastIndex(({ from }) => from <= at - hourMs)
  return past.slice(Math.max(sure, 0)).map(({ arrangement }) => arrangement)
}

export function reloadsNear(run: Run, entry: AlertEvent): boolean {
  const at = Date.parse(entry.receivedAt)
  return run.arrangements.some(({ from }) => Math.abs(from - at) < hourMs && from !== run.start)
}

export function leapNear(run: Run): boolean {
  return run.leaps.length > 0
}

export function wishOf(run: Run, channel: string): Wish | undefined {
  return run.arrangements
    .flatMap(({ arrangement }) => arrangement.wishes)
    .find(({ name }) => name === channel)
}

/** The channels that ever went to a place, by name. */
export function namesAt(run: Run, place: string | undefined): Map<string, Wish> {
  const all = run.arrangements.flatMap(({ arrangement }) => arrangement.wishes)
  return new Map(all.filter((wish) => wish.place === place).map((wish) => [wish.name, wish]))
}

/** Whether a person asked for it again: to this channel, or to another of the same place: it may have been renamed. */
export function isReplayed(run: Run, id: string, on: string): boolean {
  const place = wishOf(run, on)?.place
  return run.replays.some((replay) => replay.id === id && wishOf(run, replay.channel)?.place === place)
}
