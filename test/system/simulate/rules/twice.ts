import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { alertsOf } from './stored.ts'
import { isReplayed, namesAt } from './wishes.ts'

const dayMs = 24 * 60 * 60_000

/** 4. Nobody gets the same message twice, except after an attempt without an answer on a channel that cannot be searched. */
export function noneTwice(run: Run): Breach[] {
  const breaches: Breach[] = []
  const byMessage = Map.groupBy(
    run.readers.shown.filter(({ own, place }) => own !== undefined && !place.startsWith('others')),
    ({ place, own }) => `${place} ${own}`,
  )
  for (const [message, copies] of byMessage) {
    const [first] = copies
    if (first === undefined || copies.length === 1) continue
    const names = namesAt(run, first.place)
    // A renamed channel counts as another channel, and may get again what it did not have.
    if (names.size > 1) continue
    const canLook = [...names.values()].some((wish) => wish.canLook)
    const why = canLook ? `stands there ${copies.length} times` : wrongRepeat(run, copies, first.own ?? '')
    if (why !== undefined) breaches.push({ rule: 4, what: `${message} ${why}` })
  }
  return [...breaches, ...noFalseDoubt(run), ...oneChangeOnce(run)]
}

/** Where nobody can be asked: what is wrong with the copies of one message. */
function wrongRepeat(run: Run, copies: readonly Shown[], own: string): string | undefined {
  const isSick = run.scenario.acts.some(({ act }) => act === 'disk')
  // Of a store that cannot be written, what was reported cannot be written down.
  if (own.startsWith('ntc_') && isSick) return undefined
  if (copies.some((copy, index) => wasKnown(run, copy, copies[index + 1]))) {
    return 'was sent again though it was answered'
  }
  if (!own.startsWith('evt_')) return undefined
  if (copies.length > 4) return `was sent ${copies.length} times`
  const isMarked = copies.slice(1).every(({ text }) => mayBeRepeat.test(text))
  return isMarked ? undefined : 'came again without saying that it may be a duplicate'
}

/** Whether the process knew that a copy had arrived when the next was sent: its answer came, and it lived to write that down. */
function wasKnown({ kills, scenario, start }: Run, { answeredAt }: Shown, next: Shown | undefined): boolean {
  if (answeredAt === undefined || next === undefined) return false
  const sick = scenario.acts.filter((one) => one.act === 'disk')
  return !kills.some((at) => {
    const isBetween = at >= answeredAt && at <= next.at
    const isSick = sick.some((one) => start + one.at <= at && start + one.until + 120_000 >= answeredAt)
    return isBetween && (at - answeredAt <= 6_000 || isSick)
  })
}

const mayBeRepeat = /may be a (duplicate|copy)|may have reached|twice/i

/** A message is called a possible repeat only if an earlier attempt may have arrived. */
function noFalseDoubt(run: Run): Breach[] {
  return (
    run.readers.shown
      .filter(({ own, text, tries }) => own?.startsWith('evt_') && tries === 1 && mayBeRepeat.test(text))
      // A process that is killed between noting that it begins and beginning does not know.
      .filter(({ at }) => !run.kills.some((kill) => kill <= at && at - kill < dayMs))
      // A Discord channel in which nothing stands looks like one that may not be read.
      .filter((shown) => !shown.place.startsWith('discord ') || !wasEmpty(run, shown))
      .map(({ place, own }) => ({
        rule: 4,
        what: `${place} ${own} says that it may be a duplicate, and was tried once`,
      }))
  )
}

/** Whether nothing stood there when the alert came: it may have been searched for then. */
function wasEmpty({ readers, stored }: Run, { place, own = '' }: Shown): boolean {
  const first = readers.shown.find((shown) => shown.place === place)
  const row = stored.find(({ entry }) => own === entry.id || own.startsWith(`${entry.id}-again-`))
  return row === undefined || first === undefined || Date.parse(row.entry.receivedAt) <= first.at
}

/** One change that came by both ways, in two messages of one channel. */
function oneChangeOnce(run: Run): Breach[] {
  return alertsOf(run).flatMap(({ entry, outcomes }) => {
    if (entry.sameAs === null || entry.revises !== undefined) return []
    const first = alertsOf(run).find((row) => row.entry.id === entry.sameAs)
    if (first === undefined) return []
    return Object.entries(outcomes)
      .filter(([channel, outcome]) => outcome.state === 'sent' && first.outcomes[channel]?.state === 'sent')
      .filter(([channel]) => !isReplayed(run, entry.id, channel))
      .map(([channel]) => ({
        rule: 4 as const,
        what: `${entry.id} and ${first.entry.id} are one change, and ${channel} has both`,
      }))
  })
}
