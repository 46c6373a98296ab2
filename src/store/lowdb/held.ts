import { type HeldNotification, heldUntil } from '../store.ts'
import type { Kept } from './kept.ts'

/** `[id, channel, until, by]`, as NNNNNN.ids has it. */
export type HeldRow = [id: string, channel: string, until: number, by: string]

/** Every notification that is held, whether its event is in memory or in a sealed file: none is read to know of it. */
export interface HeldNotifications {
  /** Brings it in line with the event's outcome: held, or no longer. */
  update(kept: Kept, channel: string): void
  /** Takes in those of a sealed segment. */
  add(rows: readonly HeldRow[]): void
  /** Their events are lost. */
  forget(isLost: (id: string) => boolean): void
  list(): HeldNotification[]
}

export function createHeld(): HeldNotifications {
  /** By event, then by channel. */
  const events = new Map<string, Map<string, HeldNotification>>()

  function set(one: HeldNotification): void {
    const channels = events.get(one.eventId)
    if (channels === undefined) events.set(one.eventId, new Map([[one.channel, one]]))
    else channels.set(one.channel, one)
  }

  return {
    update({ id, outcomes }, channel) {
      const outcome = outcomes[channel]
      if (outcome?.state === 'held') {
        return set({ eventId: id, channel, until: heldUntil(outcome), by: outcome.by })
      }
      const channels = events.get(id)
      channels?.delete(channel)
      if (channels?.size === 0) events.delete(id)
    },
    add(rows) {
      for (const [eventId, channel, until, by] of rows) set({ eventId, channel, until, by })
    },
    forget(isLost) {
      for (const id of events.keys()) if (isLost(id)) events.delete(id)
    },
    list: () => [...events.values()].flatMap((channels) => [...channels.values()]),
  }
}

/** What of these events is held. */
export function heldRows(events: readonly Kept[]): HeldRow[] {
  return events.flatMap(({ id, outcomes }) =>
    Object.entries(outcomes).flatMap(([channel, outcome]): HeldRow[] =>
      outcome.state === 'held' ? [[id, channel, heldUntil(outcome), outcome.by]] : [],
    ),
  )
}
