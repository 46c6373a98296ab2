import type { AlertEvent, Said } from '../event/event.ts'
import { saidBy } from './correlate.ts'

/** What was said in place of an earlier event: the service corrects it, or the figures after it do not bear it out. */
export interface Revision extends Said {
  /** When it reached us; ISO 8601, UTC. */
  receivedAt: string
}

/** Which events correct or withdraw which. */
export interface Revisions {
  /** Of any event: one that revises none changes nothing. */
  note(event: AlertEvent): void
  /** What holds now in place of this event; undefined where it holds itself. */
  lastOf(id: string): Revision | undefined
  /** The events in whose place this one stands, newest first. */
  before(id: string): string[]
  /** All events in whose place another stands. */
  revised(): Iterable<string>
}

/** So many are remembered, the newest. */
const most = 5_000

export function createRevisions(): Revisions {
  /** By the event that is revised. */
  const next = new Map<string, Revision>()
  /** By the event that revises it. */
  const previous = new Map<string, string>()

  return {
    note(event) {
      // Without `before` it says nothing new.
      if (event.revises === undefined || event.before === undefined) return
      next.set(event.revises, { ...saidBy(event), receivedAt: event.receivedAt })
      previous.set(event.id, event.revises)
      const [oldest] = next.keys()
      if (next.size <= most || oldest === undefined) return
      previous.delete(next.get(oldest)?.id ?? '')
      next.delete(oldest)
    },
    lastOf(id) {
      let last: Revision | undefined
      for (let one = next.get(id); one !== undefined; one = next.get(one.id)) last = one
      return last
    },
    before(id) {
      const all: string[] = []
      for (let one = previous.get(id); one !== undefined; one = previous.get(one)) all.push(one)
      return all
    },
    revised: () => next.keys(),
  }
}
