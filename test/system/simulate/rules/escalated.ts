import { deskOf } from '../../../../src/event/desk.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { deskActsOf } from './desk.ts'
import { alertsOf, mayLack } from './stored.ts'
import { isReplayed, leapNear, wishesAt, wishOf } from './wishes.ts'

const hourMs = 60 * 60_000
const units: Record<string, number> = { m: 60_000, h: hourMs }
/** The leader asks once a minute. */
const soonMs = 90_000

/** 6. An alert goes to the other channel if nobody had it when that was due, and only then. `noneTwice` sees that it goes once. */
export function escalatedIfAlone(run: Run): Breach[] {
  if (leapNear(run) || mayLack(run)) return []
  const place = wishOf(run, 'ops')?.place
  return alertsOf(run).flatMap(({ entry, outcomes }): Breach[] => {
    const outcome = outcomes.ops
    const broken = (what: string): Breach[] => [{ rule: 6, what: `${entry.id} on ops: ${what}` }]
    const stateAt = (at: number) =>
      deskOf(deskActsOf(run, entry).filter(({ receivedAt }) => Date.parse(receivedAt) <= at)).state
    const reason = /Escalated from/
    const shown = run.readers.shown.find((one) => one.place === place && one.own === entry.id)
    if (shown !== undefined && reason.test(shown.text) !== (outcome?.escalated !== undefined)) {
      return broken('its message does not have the reason that the outcome has')
    }
    if (outcome?.escalated !== undefined) {
      const at = Date.parse(outcome.escalated.at)
      return stateAt(at - 1) === 'new' || stateAt(at) === 'new'
        ? []
        : broken('it escalated, and somebody had it')
    }
    if (outcome?.state !== 'not_sent' || isReplayed(run, entry.id, 'ops')) return []
    if (outcome.rule === 'not-escalated') {
      const somebody = deskActsOf(run, entry).length > 0
      return outcome.why.endsWith(' has it') && !somebody ? broken('somebody had it, and nobody acted') : []
    }
    const due = dueOf(run, entry, outcomes)
    const isMissed = due !== undefined && outcome.rule === 'minDelta' && run.end > due + soonMs
    return isMissed ? broken('nobody asked whether it is to escalate') : []
  })
}

/** When it was surely due: it was sent to a channel that escalates such alerts, and nothing held it there. */
function dueOf(
  run: Run,
  { id, delta, receivedAt, revises, found, confirms }: ReturnType<typeof alertsOf>[number]['entry'],
  outcomes: ReturnType<typeof alertsOf>[number]['outcomes'],
): number | undefined {
  const isHeld = run.scenario.acts.some(({ act }) => ['silence', 'burst', 'reuse', 'send-held'].includes(act))
  if (isHeld || confirms !== undefined || (found === true && revises !== undefined)) return undefined
  const due = wishesAt(run, Date.parse(receivedAt)).flatMap(({ name, hours }) => {
    const { escalate, quiet, digest } = hours
    const isOpen = quiet === undefined && digest === undefined && outcomes[name]?.state === 'sent'
    if (escalate === undefined || !isOpen || isReplayed(run, id, name)) return []
    if (Math.abs(delta ?? 0) < (escalate.minDelta ?? 0)) return []
    return [
      Date.parse(receivedAt) + Number.parseInt(escalate.after, 10) * (units[escalate.after.slice(-1)] ?? 0),
    ]
  })
  return due.length === 0 ? undefined : Math.min(...due)
}
