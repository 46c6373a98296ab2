import type { Entry } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { isReplayed, leapNear, wishesAt, wishOf } from './wishes.ts'

const hourMs = 60 * 60_000

/** 6. One outcome for each entry and channel, and it is true. */
export function allAccounted(run: Run): Breach[] {
  const breaches: Breach[] = []
  if (!run.isSettled) breaches.push({ rule: 6, what: 'something waits still, after more than a day of calm' })
  breaches.push(...replaysCame(run))
  const pick = (wish: Wish) => run.readers.shown.filter(({ place }) => place === wish.place)
  for (const { entry, outcomes } of run.stored) {
    // What people did is sent to nobody, and a digest to one channel.
    const isForAll = entry.kind === 'alert' || entry.kind === 'notice'
    // What came at the very end had no time.
    if (run.end - Date.parse(entry.receivedAt) < hourMs / 2) continue
    for (const [channel, outcome] of Object.entries(outcomes)) {
      const wish = wishOf(run, channel)
      if (wish === undefined) {
        breaches.push({ rule: 6, what: `${entry.id} has an outcome on ${channel}, which there never was` })
        continue
      }
      const shown = pick(wish).filter(({ own }) => own === entry.id || own?.startsWith(`${entry.id}-again-`))
      const wrong = untrue(run, entry, channel, outcome, shown)
      if (wrong !== undefined) breaches.push({ rule: 6, what: `${entry.id} on ${channel}: ${wrong}` })
    }
    for (const { name } of wishesAt(run, Date.parse(entry.receivedAt))) {
      if (isForAll && !(name in outcomes) && leapNear(run) === false && !wasTakenOutBefore(run, entry, name))
        breaches.push({ rule: 6, what: `${entry.id} has no outcome on ${name}` })
    }
  }
  return breaches
}

/** A report of a store that took nothing is stored when it does again: a reload may have taken the channel out by then. */
function wasTakenOutBefore({ arrangements, scenario, start }: Run, entry: Entry, channel: string): boolean {
  const at = Date.parse(entry.receivedAt)
  const isSick = scenario.acts.some(
    (one) => one.act === 'disk' && start + one.at <= at + hourMs && start + one.until >= at,
  )
  const isTakenOut = arrangements.some(
    ({ from, arrangement: { wishes } }) =>
      from >= at && from <= at + hourMs && wishes.every(({ name }) => name !== channel),
  )
  return entry.kind === 'notice' && isSick && isTakenOut
}

/** What a person asked for again came again, unless the channel left meanwhile. */
function replaysCame(run: Run): Breach[] {
  return run.replays.flatMap(({ id, channel, queued }) => {
    const wish = run.arrangements.at(-1)?.arrangement.wishes.find(({ name }) => name === channel)
    if (wish === undefined || !queued) return []
    const came = run.readers.shown.some(
      ({ place, own }) => place === wish.place && own?.startsWith(`${id}-again-`),
    )
    // Refused for good, it is accounted for as that.
    const isRefused = run.stored.find(({ entry }) => entry.id === id)?.outcomes[channel]?.state === 'failed'
    if (came || isRefused) return []
    return [{ rule: 6 as const, what: `${id} was to be sent again to ${channel}, and did not come` }]
  })
}

/** A report that went past a failing store, to a place that another configuration has under another name. */
function wentPast(run: Run, entry: Entry): boolean {
  return entry.kind === 'notice' && entry.uncertain === true && run.arrangements.length > 1
}

function untrue(
  run: Run,
  entry: Entry,
  channel: string,
  outcome: Outcome,
  shown: readonly Shown[],
): string | undefined {
  const isThere = shown.length > 0
  switch (outcome.state) {
    case 'sent':
      return isThere ? undefined : 'sent, and it is not there'
    case 'not_sent':
      // It may have been sent before the channel was removed or the event was replayed.
      if (wentPast(run, entry)) return undefined
      if (isThere && outcome.rule !== 'channel-removed' && !isReplayed(run, entry.id, channel)) {
        return `not sent (${outcome.rule}), and it is there`
      }
      return undefined
    case 'failed':
      return undefined
    case 'merged':
      return isThere && !isReplayed(run, entry.id, channel)
        ? `merged into ${outcome.in}, and it is there`
        : undefined
    case 'held':
      return isThere ? 'held, and it is there' : undefined
    case 'waiting':
      return run.isSettled ? 'still waiting' : undefined
    default:
      return undefined
  }
}
