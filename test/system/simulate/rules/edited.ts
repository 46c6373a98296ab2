import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { leapNear } from './wishes.ts'

const hourMs = 60 * 60_000

/** 7. If messages can be edited, one that was corrected, withdrawn or seen by the other way too says so. */
export function messagesEdited(run: Run): Breach[] {
  // What is remembered of a pair goes by the clock, and by what can be read of it.
  if (mayLack(run) || leapNear(run)) return []
  return alertsOf(run).flatMap(({ entry }) => {
    const first = alertsOf(run).find((row) => row.entry.id === changedBy(entry))
    if (first === undefined || run.end - Date.parse(entry.receivedAt) < hourMs) return []
    return Object.entries(first.outcomes)
      .filter(([channel, outcome]) => !reads(run, first.entry.id, channel, outcome, entry))
      .map(([channel]) => ({
        rule: 7 as const,
        what: `${first.entry.id} on ${channel} does not say what ${entry.id} says of it`,
      }))
  })
}

/** The event whose message is to read otherwise. */
function changedBy({ sameAs, revises, confirms, before }: AlertEvent): string | undefined {
  return sameAs ?? confirms ?? (before === undefined ? undefined : revises)
}

function reads(run: Run, id: string, channel: string, outcome: Outcome, later: AlertEvent): boolean {
  const wish = run.arrangements.at(-1)?.arrangement.wishes.find(({ name }) => name === channel)
  if (wish === undefined || !/^(slack #|discord)/.test(wish.place)) return true
  if (outcome.state !== 'sent' || outcome.unedited !== undefined) return true
  const shown = run.readers.shown.findLast(
    ({ place, own }) => place === wish.place && (own === id || own?.startsWith(`${id}-again-`) === true),
  )
  const says =
    later.sameAs === null ? /Corrected on|Withdrawn on|Confirmed on/ : /Also (found in|reported by)/
  return shown === undefined || says.test(shown.text)
}
