import { deskOf, isOfDesk } from '../../../../src/event/desk.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { isReplayed, leapNear, wishesAt, wishOf } from './wishes.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
const units: Record<string, number> = { m: 60_000, h: hourMs }
/** The leader asks once a minute. */
const soonMs = 90_000

type AlertRow = ReturnType<typeof alertsOf>[number]

/** 6. An alert goes to the other channel if nobody had it when that was due, and only then. `noneTwice` sees that it goes once. */
export function escalatedIfAlone(run: Run): Breach[] {
  if (leapNear(run) || mayLack(run)) return []
  const place = wishOf(run, 'ops')?.place
  return alertsOf(run).flatMap((row): Breach[] => {
    const { entry, outcomes } = row
    const outcome = outcomes.ops
    const broken = (what: string): Breach[] => [{ rule: 6, what: `${entry.id} on ops: ${what}` }]
    const reason = /Escalated from/
    const shown = run.readers.shown.find((one) => one.place === place && one.own === entry.id)
    if (shown !== undefined && reason.test(shown.text) !== (outcome?.escalated !== undefined)) {
      return broken('its message does not have the reason that the outcome has')
    }
    if (outcome?.escalated !== undefined) {
      const wrong = wronglyEscalated(run, row, outcome.escalated)
      return wrong === undefined ? [] : broken(wrong)
    }
    const isOverdue = outcome?.state === 'held' && Date.parse(outcome.until) + soonMs < run.end
    if (isOverdue && outcome.by === 'escalation') return broken('nobody asked whether it is to escalate')
    if (outcome?.state !== 'not_sent' || isReplayed(run, entry.id, 'ops')) return []
    if (outcome.rule === 'not-escalated') {
      return hasCause(run, row, outcome.why)
        ? []
        : broken(`it did not escalate without cause: ${outcome.why}`)
    }
    const due = dueOf(run, row)
    const isMissed = due !== undefined && outcome.rule === 'minDelta' && run.end > due + soonMs
    // What is merged with a report of the same change goes there as that report.
    return isMissed && !alertsOf(run).some((one) => isSame(one.entry, entry) && cameToOps(one))
      ? broken('nobody asked whether it is to escalate')
      : []
  })
}

function wronglyEscalated(
  run: Run,
  row: AlertRow,
  { from, at, isUnsent }: NonNullable<Outcome['escalated']>,
): string | undefined {
  const stateAt = (time: number) =>
    deskOf(actsOf(run, row).filter(({ receivedAt }) => Date.parse(receivedAt) <= time)).state
  const time = Date.parse(at)
  if (stateAt(time - 1) !== 'new' && stateAt(time) !== 'new') return 'it escalated, and somebody had it'
  const { digest, message } = messageOn(run, row, from)
  if (isReplayed(run, row.entry.id, from) || (digest && isReplayed(run, digest.id, from))) return undefined
  const wasSent = message?.state === 'sent' && Date.parse(message.at) <= time
  return wasSent === (isUnsent === undefined) ? undefined : 'it does not say rightly whether it could be sent'
}

/** Whether what kept it from escalating is so. */
function hasCause(run: Run, row: AlertRow, why: string): boolean {
  const { entry, outcomes } = row
  const [, person] = /^(.+) has it$/.exec(why) ?? []
  if (person !== undefined) return actsOf(run, row).some(({ by }) => by.name === person)
  const [, correction] = /^(.+) has replaced it$/.exec(why) ?? []
  if (correction !== undefined) {
    const corrects = chainOf(run, correction)
    return alertsOf(run).some(
      (one) => corrects.includes(one.entry.id) && (one === row || isSame(one.entry, entry)),
    )
  }
  const [, other] = /^the same change came here as (.+)$/.exec(why) ?? []
  if (other !== undefined) {
    const there = alertsOf(run).find((one) => one.entry.id === other)
    return there !== undefined && isSame(there.entry, entry) && cameToOps(there)
  }
  if (why === 'it is more than a day late') return run.end - Date.parse(entry.receivedAt) > dayMs
  const isSilence = run.stored.some(
    ({ entry: act }) =>
      act.kind === 'act' && act.does === 'silence' && why === `silenced by ${act.by.name}: ${act.why}`,
  )
  if (isSilence) return true
  return Object.keys(outcomes).some((name) => {
    const { message } = messageOn(run, row, name)
    const all = message === undefined ? [] : [message, ...(message.earlier ?? [])]
    return name !== 'ops' && all.some((one) => one.state === 'not_sent' && one.why === why)
  })
}

function cameToOps({ outcomes }: AlertRow): boolean {
  return outcomes.ops !== undefined && outcomes.ops.state !== 'not_sent'
}

function isSame(one: AlertRow['entry'], other: AlertRow['entry']): boolean {
  return one.sameAs === other.id || other.sameAs === one.id
}

/** An alert and what it corrects, one after the other. */
function chainOf(run: Run, id: string): string[] {
  const ids = [id]
  for (const link of ids) {
    const { revises } = alertsOf(run).find(({ entry }) => entry.id === link)?.entry ?? {}
    if (revises !== undefined && !ids.includes(revises)) ids.push(revises)
  }
  return ids
}

/** What people did about its change, what it corrects, and the digests that it is in. */
function actsOf(run: Run, { entry, outcomes }: AlertRow) {
  const chain = chainOf(run, entry.id)
  const same = alertsOf(run).flatMap((one) => (chain.includes(one.entry.id) ? [one.entry.sameAs] : []))
  const messages = Object.values(outcomes).map((one) => (one.state === 'merged' ? one.in : null))
  const subjects = new Set([...chain, ...same, ...messages])
  return run.stored.flatMap(({ entry: act }) =>
    act.kind === 'act' && isOfDesk(act) && act.about !== null && subjects.has(act.about) ? [act] : [],
  )
}

/** What became of its message on a channel, which may be a digest. */
function messageOn(run: Run, { outcomes }: AlertRow, channel: string) {
  let message = outcomes[channel]
  let row: Run['stored'][number] | undefined
  for (let steps = 0; message?.state === 'merged' && steps < 5; steps += 1) {
    const id = message.in
    row = run.stored.find(({ entry }) => entry.id === id)
    message = row?.outcomes[channel]
  }
  return { message, digest: row?.entry }
}

/** When it was surely due: it was sent to a channel that escalates such alerts, by itself or after its quiet hours. */
function dueOf(run: Run, row: AlertRow): number | undefined {
  const { id, delta, receivedAt, revises, found, confirms, story } = row.entry
  const isHeld = run.scenario.acts.some(({ act }) => ['silence', 'burst', 'reuse', 'send-held'].includes(act))
  if (isHeld || confirms !== undefined || (found === true && revises !== undefined)) return undefined
  const due = wishesAt(run, Date.parse(receivedAt)).flatMap(({ name, hours: { escalate } }) => {
    if (escalate === undefined || isReplayed(run, id, name)) return []
    // The rest of a story does not escalate, also if its message can be edited no more and it comes by itself.
    if (story?.[name] !== undefined) return []
    if (Math.abs(delta ?? 0) < (escalate.minDelta ?? 0)) return []
    const { message, digest } = messageOn(run, row, name)
    const isOfHours = digest === undefined || (digest.kind === 'digest' && /^(quiet|digest)$/.test(digest.by))
    if (message?.state !== 'sent' || !isOfHours) return []
    const after = Number.parseInt(escalate.after, 10) * (units[escalate.after.slice(-1)] ?? 0)
    return [Math.max(Date.parse(receivedAt), Date.parse(message.at)) + after]
  })
  return due.length === 0 ? undefined : Math.min(...due)
}
