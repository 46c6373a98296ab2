import type { AlertEvent } from '../../../../src/event/event.ts'
import type { Outcome } from '../../../../src/event/outcome.ts'
import type { Wish } from '../configuration.ts'
import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { isReplayed, leapNear, namesAt, wishOf } from './wishes.ts'

const minuteMs = 60_000
const mostInMinute = 5
/** A story names so many of its alerts, the largest. */
const mostNamed = 15

/** 4 and 6. What belongs together is told in one message, and no minute has more than five. */
export function storiesTold(run: Run): Breach[] {
  return [...allTold(run), ...onlyWhereAsked(run), ...noFlood(run)]
}

/** What is told in another's message stands there. */
function allTold(run: Run): Breach[] {
  if (mayLack(run)) return []
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(entry.story ?? {}).flatMap(([channel, leader]): Breach[] => {
      const [outcome, wish] = [outcomes[channel], wishOf(run, channel)]
      if (outcome?.state !== 'told' || outcome.in !== leader || wish === undefined) return []
      if (run.end - Date.parse(entry.receivedAt) < 30 * minuteMs || isInStory(run, entry, leader, wish))
        return []
      return [{ rule: 6, what: `${entry.id} is to be told in ${leader} on ${channel}, and is not` }]
    }),
  )
}

/** Whether the message about the first alert of a story tells of another, as far as it names them. */
export function isInStory(run: Run, event: AlertEvent, leader: string, wish: Wish): boolean {
  if (event.story?.[wish.name] !== leader) return false
  const outcome = alertsOf(run).find(({ entry }) => entry.id === leader)?.outcomes[wish.name]
  if (outcome?.state === 'not_sent') return outcome.rule === 'channel-removed' && run.arrangements.length > 1
  // What was owed an edit when its channel left the configuration stays as it was.
  const isThere = run.arrangements.at(-1)?.arrangement.wishes.some(({ name }) => name === wish.name)
  if (outcome?.state === 'sent' && isThere === false) return true
  if (outcome?.state !== 'sent' || outcome.alsoTells?.includes(event.id) !== true) return false
  const shown = shownOf(run, leader, outcome, wish)
  if (shown === undefined) return false
  const [, count = '0'] = /(\d+) alerts in one/.exec(shown.text) ?? []
  const isNamed = Number(count) > mostNamed || says(shown.text, event)
  return Number(count) > 1 && isNamed
}

/** Of several, what a person asked for last. */
function shownOf(
  { readers }: Run,
  id: string,
  { againAt }: Extract<Outcome, { state: 'sent' }>,
  { place }: Wish,
): Shown | undefined {
  const own = againAt === undefined ? id : `${id}-again-${Date.parse(againAt).toString(36)}`
  return readers.shown.findLast((shown) => shown.place === place && shown.own === own)
}

function says(text: string, { model, delta }: AlertEvent): boolean {
  const size = String(Math.abs(Math.round((delta ?? 0) * 100) / 100))
  const name = model === null ? '' : `${model.charAt(0).toUpperCase()}${model.slice(1)}`
  return text.includes(name) && text.includes(size)
}

/** A channel that asks for no stories gets each alert by itself. */
function onlyWhereAsked(run: Run): Breach[] {
  return alertsOf(run).flatMap(({ entry, outcomes }) =>
    Object.entries(outcomes).flatMap(([channel, outcome]): Breach[] => {
      const isOne =
        entry.story?.[channel] !== undefined ||
        (outcome.state === 'held' && (outcome.by === 'story' || outcome.by === 'burst'))
      const asks = run.arrangements.some(({ arrangement }) =>
        arrangement.wishes.some(({ name, hours }) => name === channel && hours.stories !== undefined),
      )
      return isOne && !asks
        ? [{ rule: 6, what: `${entry.id} is in a story on ${channel}, which asks for none` }]
        : []
    }),
  )
}

/** Where nothing is wrong with the machine or the way: what waited for either comes when it can. */
function noFlood(run: Run): Breach[] {
  const disturbing = ['weather', 'disk', 'kill', 'restart', 'rot', 'reload', 'leap']
  if (leapNear(run) || run.scenario.acts.some(({ act }) => disturbing.includes(act))) return []
  const places = Map.groupBy(run.readers.shown, ({ place }) => place)
  return [...places].flatMap(([place, all]): Breach[] => {
    const wishes = [...namesAt(run, place).values()]
    if (!wishes.every(({ hours }) => hours.stories !== undefined)) return []
    const counted = all.filter(({ own = '' }) => /^(evt|dgs|poll)_/.test(own) && !isFree(run, own, wishes))
    const flood = counted.find(({ at }, index) => {
      const sixth = counted[index + mostInMinute]
      return sixth !== undefined && sixth.at - at < minuteMs - 5_000
    })
    return flood === undefined ? [] : [{ rule: 4, what: `${place} has more than five messages in a minute` }]
  })
}

/** A correction, a withdrawal, what is sent again. */
function isFree(run: Run, own: string, wishes: readonly Wish[]): boolean {
  if (own.includes('-again-') || own.includes('~')) return true
  if (wishes.some(({ name }) => isReplayed(run, own, name))) return true
  const entry = alertsOf(run).find((row) => row.entry.id === own)?.entry
  return entry?.revises !== undefined
}
