import type { AlertEvent } from '../../../../src/event/event.ts'
import type { StoredEntry } from '../../../../src/store/store.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'

export function alertsOf({ stored }: Run): (StoredEntry & { entry: AlertEvent })[] {
  return stored.filter((row): row is StoredEntry & { entry: AlertEvent } => row.entry.kind === 'alert')
}

/** Whether damage was done to what was on disk already: then what is missing must have been said. */
export function mayLack({ damage }: Run): boolean {
  return damage.length > 0
}

/** 1. What was answered with 2xx is on disk, with the body that was signed. */
export function noneLost(run: Run): Breach[] {
  const bodies = new Set(alertsOf(run).map(({ entry }) => meaningOf(entry.body.text)))
  return run.service.deliveries
    .filter(({ accepted, body }) => accepted !== undefined && !bodies.has(meaning(body)))
    .filter(() => !mayLack(run))
    .map(({ report, accepted }) => ({
      rule: 1,
      what: `${report.id} (${report.delta}) was answered ${accepted?.status} and is not in the store`,
    }))
}

/** White space and the order of keys aside. */
export function meaning(body: string): string {
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : Object.entries(value)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, member]) => [key, sorted(member)])
  return JSON.stringify(sorted(JSON.parse(body)))
}

/** Of what may be no JSON. */
export function meaningOf(text: string): string {
  try {
    return meaning(text)
  } catch {
    return text
  }
}

/** 2. What was forged is neither stored nor shown. */
export function noneForged(run: Run): Breach[] {
  return run.forged
    .filter(
      (id) =>
        run.stored.some(({ entry }) => entry.id.includes(id)) ||
        run.readers.shown.some(({ text }) => text.includes(id)),
    )
    .map((id) => ({ rule: 2, what: `${id} was forged, and believed` }))
}

/** 3. What is authentic is taken in the end. */
export function noneDropped(run: Run): Breach[] {
  return (
    run.service.deliveries
      // Without a try, nobody had subscribed to it.
      .filter(({ accepted, attempts }) => accepted === undefined && attempts > 0)
      .map(({ report, statuses }) => ({ rule: 3, what: `${report.id} was never taken: ${statuses.join()}` }))
  )
}
