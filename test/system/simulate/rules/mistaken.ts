import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Failed, Outcome } from '../../../../src/event/outcome.ts'
import { retentionMs, type Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Delivery, Report } from '../service.ts'
import type { Run } from '../world.ts'
import { isInDigest } from './held.ts'
import { alertsOf, mayLack, meaning, meaningOf } from './stored.ts'
import { isInStory } from './stories.ts'
import { leapNear, reloadsNear, wants, wishesAt } from './wishes.ts'

const dayMs = 24 * 60 * 60_000

/** 7. Nothing different is taken for something known. */
export function noneMistaken(run: Run): Breach[] {
  return [...asItCame(run), ...everyContentTold(run), ...nothingOfOurs(run), ...rulesHold(run)]
}

/** What is stored and shown is what was signed, to the digit. */
function asItCame(run: Run): Breach[] {
  const bodies = new Map(run.service.deliveries.map(({ body, report }) => [meaning(body), report]))
  return alertsOf(run)
    .filter(({ entry }) => entry.source === 'webhook')
    .flatMap(({ entry }) => {
      const report = bodies.get(meaningOf(entry.body.text))
      const isSame = report !== undefined && report.delta === entry.delta && report.model === entry.model
      return isSame
        ? []
        : [{ rule: 7 as const, what: `${entry.id} is stored otherwise than it came: ${entry.delta}` }]
    })
}

/** When it was routed, by a clock that does not leap: a repeat is not routed again. */
function firstAccepted({ service }: Run, { body }: Delivery): number {
  const alike = service.deliveries.filter((one) => meaning(one.body) === meaning(body))
  return Math.min(...alike.flatMap(({ accepted }) => accepted?.at ?? []))
}

/** Each report of the service reached every channel that wants it, or the channel's outcome gives the true rule why not. */
function everyContentTold(run: Run): Breach[] {
  if (mayLack(run)) return []
  const breaches: Breach[] = []
  const alerts = alertsOf(run)
  for (const delivery of run.service.deliveries) {
    if (delivery.accepted === undefined) continue
    const rows = alerts.filter(({ entry }) => meaningOf(entry.body.text) === meaning(delivery.body))
    if (rows.length === 0) continue
    const at =
      run.leaps.length > 0
        ? firstAccepted(run, delivery)
        : Math.min(...rows.map(({ entry }) => Date.parse(entry.receivedAt)))
    for (const wish of wishesAt(run, at)) {
      if (!wants(wish, delivery.report)) continue
      const excuse = rows.some(({ entry, outcomes }) =>
        isTold(run, entry, outcomes[wish.name], wish, delivery),
      )
      if (!excuse) {
        const outcome = rows.map(({ outcomes }) => JSON.stringify(outcomes[wish.name])).join('; ')
        breaches.push({
          rule: 7,
          what: `${delivery.report.id} (${delivery.report.delta}) did not reach ${wish.name}: ${outcome}`,
        })
      }
    }
  }
  return breaches
}

function isTold(
  run: Run,
  entry: AlertEvent,
  outcome: Outcome | undefined,
  wish: Wish,
  { report }: Delivery,
): boolean {
  if (outcome === undefined) return leapNear(run) || reloadsNear(run, entry)
  if (outcome.state === 'sent') return true
  if (outcome.state === 'failed') {
    const isKnown = hasNotice(run, entry.id) || isCutOff(run, outcome.at)
    return isKnown && isGivenUpRightly(run, entry, outcome)
  }
  if (outcome.state === 'merged') {
    return (
      isInDigest(run, entry.id, outcome, wish) ||
      isInStory(run, entry, outcome.in, wish) ||
      isInRevised(run, entry, outcome.in, wish) ||
      isInItsFinding(run, entry, outcome.in, wish) ||
      isOneChange(run, entry, wish, report)
    )
  }
  if (outcome.state !== 'not_sent') return false
  if (isRemoved(run, outcome)) return true
  if (outcome.rule === 'stale')
    return (
      (isOld(run, report) || leapNear(run)) && (hasNotice(run, entry.id) || isCutOff(run, entry.receivedAt))
    )
  if (outcome.rule === 'nothing-new') return isOvertakenInVain(run, entry, wish)
  return outcome.rule === 'same-change' && isOneChange(run, entry, wish, report)
}

/** What waited for a channel that the configuration no longer has. Operators were notified. */
function isRemoved({ arrangements }: Run, outcome: Outcome | undefined): boolean {
  return outcome?.state === 'not_sent' && outcome.rule === 'channel-removed' && arrangements.length > 1
}

/** While it was held, its correction was sent and refused. Operators were notified of that, and the old figure goes to nobody. */
function isOvertakenInVain(run: Run, { id, receivedAt }: AlertEvent, wish: Wish): boolean {
  return alertsOf(run).some(({ entry, outcomes }) => {
    const isLater =
      reportedId(entry.id) === reportedId(id) && entry.id !== id && entry.receivedAt >= receivedAt
    const outcome = outcomes[wish.name]
    return isLater && outcome?.state === 'failed' && (hasNotice(run, entry.id) || isCutOff(run, outcome.at))
  })
}

/** It was held together with what it corrects, or overtaken by its correction: one message has both, or all. */
function isInRevised(run: Run, event: AlertEvent, other: string, wish: Wish, met: string[] = []): boolean {
  const row = alertsOf(run).find(({ entry }) => entry.id === other)
  const outcome = row?.outcomes[wish.name]
  if (row === undefined || outcome === undefined || reportedId(event.id) !== reportedId(other)) return false
  if (event.id === other || met.includes(other)) return false
  if (outcome.state === 'not_sent') return isRemoved(run, outcome)
  if (outcome.state !== 'merged') return outcome.state === 'sent' || outcome.state === 'failed'
  if (isInDigest(run, other, outcome, wish)) return true
  return isInRevised(run, row.entry, outcome.in, wish, [...met, event.id])
}

/** While it was held, polling found the same change, which went out: one message has both. */
function isInItsFinding(run: Run, { id }: AlertEvent, other: string, wish: Wish): boolean {
  const row = alertsOf(run).find(({ entry }) => entry.id === other)
  const state = row?.outcomes[wish.name]?.state
  return row?.entry.sameAs === id && (state === 'sent' || state === 'failed' || state === 'merged')
}

/** The id that the service gave it. */
function reportedId(id: string): string {
  return id.replace(/~\w+$/, '')
}

function isOneChange(run: Run, entry: AlertEvent, wish: Wish, report: Delivery['report']): boolean {
  const first = alertsOf(run).find((row) => row.entry.id === entry.sameAs)
  const outcome = first?.outcomes[wish.name]
  const state = outcome?.state
  // On the same day, two sizes are two measurements of one change.
  const isNear = Math.abs(Date.parse(first?.entry.detectedAt ?? '') - report.detectedAt) <= dayMs
  const isOne = isNear || Math.abs((first?.entry.delta ?? 0) - report.delta) < 10
  if (isOne && isRemoved(run, outcome)) return true
  return isOne && (state === 'sent' || state === 'failed' || state === 'merged' || state === undefined)
}

/** It was refused, was tried for a day, or may be there four times. */
function isGivenUpRightly(
  run: Run,
  { receivedAt }: AlertEvent,
  { at, why, unanswered = 0 }: Failed,
): boolean {
  if (!why.startsWith('gave up')) return run.scenario.acts.some(({ act }) => act === 'weather')
  const hasLasted = Date.parse(at) - Date.parse(receivedAt) >= dayMs
  return hasLasted || unanswered >= 4 || leapNear(run)
}

function isOld(run: Run, { detectedAt }: Report): boolean {
  return run.end - detectedAt > retentionMs
}

/** Operators got something that names it, or that counts it among others of its kind within the hour. */
function hasNotice({ readers }: Run, id: string): boolean {
  const counted = /more within the hour|An old event was stored/
  return readers.shown.some(
    ({ own, text }) => own?.startsWith('ntc_') && (text.includes(id) || counted.test(text)),
  )
}

/** The process was killed between storing this, at that time, and storing what operators were to get of it. */
function isCutOff({ kills, leaps }: Run, storedAt: string): boolean {
  const wrong = [0, ...leaps.map(({ by }) => by)]
  return kills.some((at) => wrong.some((by) => Math.abs(at + by - Date.parse(storedAt)) < 1_000))
}

/** What comes from outside is never shown as our own finding. */
function nothingOfOurs(run: Run): Breach[] {
  return run.service.deliveries
    .filter(({ report }) => !report.id.startsWith('evt_'))
    .flatMap(({ report }) =>
      run.readers.shown
        .filter(
          ({ text }) =>
            text.includes(report.id) && /Found in the published figures|From Bluepencil itself/.test(text),
        )
        .map(({ place }) => ({ rule: 7 as const, what: `${report.id} is shown as ours on ${place}` })),
    )
}

/** A filter that is given as the reason is one that the channel had. */
function rulesHold(run: Run): Breach[] {
  const filters = ['models', 'events', 'categories', 'minDelta', 'direction']
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(outcomes).flatMap(([channel, outcome]) => {
      if (outcome.state !== 'not_sent' || !filters.includes(outcome.rule)) return []
      const had = run.arrangements.flatMap(({ arrangement }) =>
        arrangement.wishes.filter(({ name }) => name === channel),
      )
      const refuses = had.some((wish) => !wants(wish, entry))
      return refuses
        ? []
        : [{ rule: 7 as const, what: `${entry.id} on ${channel}: ${outcome.why}, and it passes` }]
    }),
  )
}
