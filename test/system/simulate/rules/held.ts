import { quietUntil } from '../../../../src/decide/route/hours.ts'
import type { Digest } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { isReplayed, leapNear, reloadsNear, wishesAt, wishOf } from './wishes.ts'

/** 4 and 6. What was held is sent once: in a digest that names it, or by itself. It never comes before its hour. */
export function heldOnce(run: Run): Breach[] {
  return [...nothingInTwo(run), ...quietIsQuiet(run)]
}

function digestsOf({ stored }: Run): Digest[] {
  return stored.flatMap(({ entry }) => (entry.kind === 'digest' ? [entry] : []))
}

function nothingInTwo(run: Run): Breach[] {
  const named = new Map<string, string>()
  return digestsOf(run).flatMap((digest) => {
    const { place } = wishOf(run, digest.channel) ?? {}
    return digest.of.flatMap((id): Breach[] => {
      const before = named.get(`${digest.channel} ${id}`)
      named.set(`${digest.channel} ${id}`, digest.id)
      if (isReplayed(run, id, digest.channel)) return []
      if (before !== undefined) return [{ rule: 4, what: `${id} is in ${before} and ${digest.id}` }]
      const isAlone = run.readers.shown.some((shown) => shown.place === place && shown.own === id)
      // A channel that was renamed is another one.
      const isRenamed =
        new Set(
          run.arrangements.flatMap(({ arrangement }) =>
            arrangement.wishes.filter((wish) => wish.place === place).map(({ name }) => name),
          ),
        ).size > 1
      return isAlone && !isRenamed
        ? [{ rule: 4, what: `${id} is in ${digest.id} and a message of its own` }]
        : []
    })
  })
}

function quietIsQuiet(run: Run): Breach[] {
  if (leapNear(run) || mayLack(run)) return []
  const sentNow = new Set(
    run.stored.flatMap(({ entry }) =>
      entry.kind === 'act' && entry.does === 'send-again' ? (entry.held ?? []) : [],
    ),
  )
  return alertsOf(run).flatMap(({ entry }) =>
    wishesAt(run, Date.parse(entry.receivedAt)).flatMap((wish): Breach[] => {
      const { quiet } = wish.hours
      if (sentNow.has(entry.id)) return []
      // A correction is as urgent as what it corrects.
      const size = Math.max(Math.abs(entry.delta ?? 0), Math.abs(entry.before?.delta ?? 0))
      if (size >= (quiet?.unless?.minDelta ?? Number.POSITIVE_INFINITY)) return []
      const until = quiet && quietUntil(quiet, 'UTC', Date.parse(entry.receivedAt))
      if (until === undefined || reloadsNear(run, entry) || isReplayed(run, entry.id, wish.name)) return []
      const early = run.readers.shown.find(
        ({ place, own, at }) => place === wish.place && own === entry.id && at < until - 1_000,
      )
      return early === undefined
        ? []
        : [{ rule: 6, what: `${entry.id} came to ${wish.name} in its quiet hours` }]
    }),
  )
}

/** Whether an alert is in a digest that was sent to the channel or given up. */
export function isInDigest(run: Run, id: string, outcome: Outcome, wish: Wish): boolean {
  if (outcome.state !== 'merged') return false
  const row = run.stored.find(({ entry }) => entry.id === outcome.in)
  if (row?.entry.kind !== 'digest' || !row.entry.of.includes(id)) return false
  const { state } = row.outcomes[wish.name] ?? {}
  const isShown = run.readers.shown.some(
    ({ place, own }) => place === wish.place && own?.startsWith(outcome.in),
  )
  return state === 'failed' || state === 'not_sent' || isShown
}
