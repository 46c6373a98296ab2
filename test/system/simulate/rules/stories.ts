import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { wishOf } from './wishes.ts'

const minuteMs = 60_000
/** A story names so many of its alerts, the largest. */
const mostNamed = 15

/** 4, 6 and 7. What belongs together, and nothing else, is in one message. */
export function storiesTold(run: Run): Breach[] {
  return [...allTold(run), ...onlyWhereAsked(run)]
}

/** What was merged into another's message is in it. */
function allTold(run: Run): Breach[] {
  if (mayLack(run)) return []
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(entry.story ?? {}).flatMap(([channel, leader]): Breach[] => {
      const [outcome, wish] = [outcomes[channel], wishOf(run, channel)]
      if (outcome?.state !== 'merged' || outcome.in !== leader || wish === undefined) return []
      if (run.end - Date.parse(entry.receivedAt) < 30 * minuteMs || isInStory(run, entry, leader, wish))
        return []
      return [{ rule: 6, what: `${entry.id} belongs in ${leader} on ${channel}, and is not there` }]
    }),
  )
}

/** Whether the message about the first alert of a story includes another, as far as it names them. */
export function isInStory(run: Run, event: AlertEvent, leader: string, wish: Wish): boolean {
  if (event.story?.[wish.name] !== leader) return false
  const outcome = alertsOf(run).find(({ entry }) => entry.id === leader)?.outcomes[wish.name]
  if (outcome?.state === 'not_sent') return outcome.rule === 'channel-removed' && run.arrangements.length > 1
  // A message with a pending edit stays as it was if its channel left the configuration.
  const isThere = run.arrangements.at(-1)?.arrangement.wishes.some(({ name }) => name === wish.name)
  if (outcome?.state === 'sent' && isThere === false) return true
  if (outcome?.state !== 'sent' || outcome.alsoTells?.includes(event.id) !== true) return false
  const shown = shownOf(run, leader, outcome, wish)
  if (shown === undefined) return false
  const [, count = '0'] = /(\d+) alerts in one/.exec(shown.text) ?? []
  const isNamed = Number(count) > mostNamed || says(run, shown.text, event)
  return Number(count) > 1 && isNamed
}

/** Of several, what a person asked for last. */
function shownOf(
  { readers }: Run,
  id: string,
  { againAt }: Extract<Outcome, { state: 'sent' }>,
  { place }: Wish,
): Shown | undefined {
  const shownId = againAt === undefined ? id : `${id}-again-${Date.parse(againAt).toString(36)}`
  return readers.shown.findLast((shown) => shown.place === place && shown.own === shownId)
}

/** With its size, or the level after it: "42.8%", "43%". */
function says(run: Run, text: string, { id, model, delta, sameAs, figures }: AlertEvent): boolean {
  const size = String(Math.abs(Math.round((delta ?? 0) * 100) / 100))
  const name = model === null ? '' : `${model.charAt(0).toUpperCase()}${model.slice(1)}`
  const others = alertsOf(run).filter(({ entry }) => entry.sameAs === id || entry.id === sameAs)
  const levels = [figures, ...others.map(({ entry }) => entry.figures)].flatMap((one) => {
    const rate = one?.levels?.now.rate
    return rate === undefined ? [] : [`${Math.round(rate)}%`, `${Math.round(rate * 10) / 10}%`]
  })
  return text.includes(name) && [size, ...levels].some((number) => text.includes(number))
}

/** A channel that asks for no stories, or whose messages cannot be edited, gets each alert by itself; and a story is of one thing. */
function onlyWhereAsked(run: Run): Breach[] {
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(entry.story ?? {}).flatMap(([channel, id]): Breach[] => {
      const asks = run.arrangements
        .flatMap(({ arrangement }) => arrangement.wishes)
        .filter(({ name, hours, canEdit }) => name === channel && hours.stories !== undefined && canEdit)
      if (asks.length === 0) {
        return [{ rule: 6, what: `${entry.id} is in a story on ${channel}, which asks for none` }]
      }
      const worse = Math.max(...asks.map(({ hours }) => hours.stories?.worse ?? usualWorse))
      const leader = alertsOf(run).find((row) => row.entry.id === id)?.entry
      if (leader === undefined) return []
      // In the order in which they were decided.
      const before = alertsOf(run).slice(
        0,
        alertsOf(run).findIndex((row) => row.entry.id === entry.id),
      )
      const members = [
        leader,
        ...before.flatMap((row) => (row.entry.story?.[channel] === id ? [row.entry] : [])),
      ]
      const isTold = outcomes[channel]?.state === 'merged' && outcomes[channel].in === id
      if (belongs(entry, leader) && !(isTold && isWorse(entry, members, worse))) return []
      return [{ rule: 7, what: `${entry.id} is in the story of ${id} on ${channel}, and is something else` }]
    }),
  )
}

const usualWorse = 5

function belongs(event: AlertEvent, leader: AlertEvent): boolean {
  if (event.category !== leader.category) return false
  if (Math.sign(event.delta ?? 0) * Math.sign(leader.delta ?? 0) !== 1) return false
  const apart = Math.abs(Date.parse(event.receivedAt) - Date.parse(leader.receivedAt))
  // The commit is decided some moments after it came.
  return event.model === leader.model || apart <= 11 * minuteMs
}

function isWorse({ delta }: AlertEvent, members: readonly AlertEvent[], worse: number): boolean {
  return Math.abs(delta ?? 0) >= Math.max(...members.map((one) => Math.abs(one.delta ?? 0))) + worse
}
