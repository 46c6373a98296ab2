import { deskOf } from '../../../../src/event/desk.ts'
import type { Breach } from '../judge.ts'
import type { Run } from '../world.ts'
import { alertsOf, mayLack } from './stored.ts'
import { leapNear } from './wishes.ts'

const hourMs = 60 * 60_000

/** 7. What the desk does about an alert is not lost once it was answered, and its message says it as it is in the end. */
export function deskShown(run: Run): Breach[] {
  if (mayLack(run)) return []
  const stored = new Set(run.stored.map(({ entry }) => entry.id))
  const lost = run.noted.filter((id) => !stored.has(id))
  return [
    ...lost.map((id) => ({ rule: 7 as const, what: `${id} was noted, and is not stored` })),
    ...(leapNear(run) ? [] : shownWrong(run)),
  ]
}

/** The acts that count for an alert, in the order in which they were stored. */
function deskActsOf({ stored }: Run, { id, sameAs }: { id: string; sameAs: string | null }) {
  return stored.flatMap(({ entry }) =>
    entry.kind === 'act' &&
    (entry.does === 'set-desk' || entry.does === 'acknowledge') &&
    (entry.about === id || entry.about === sameAs)
      ? [entry]
      : [],
  )
}

/** The line of another alert in the same message, with what is done about that one. */
const ofAnother = /• .*?(?=\n|\\n|"|$)/g

const says = {
  new: /marked this as new/,
  checking: /has been checking this since/,
  published: /Published by /,
}

function shownWrong(run: Run): Breach[] {
  const wishes = run.arrangements.at(-1)?.arrangement.wishes ?? []
  return alertsOf(run).flatMap(({ entry, outcomes }) => {
    const acts = deskActsOf(run, entry)
    if (!acts.some(({ does }) => does === 'set-desk')) return []
    if (acts.some(({ receivedAt }) => run.end - Date.parse(receivedAt) < hourMs)) return []
    const { state } = deskOf(acts)
    return wishes.flatMap(({ name, place }): Breach[] => {
      const outcome = outcomes[name]
      if (!/^(slack #|discord)/.test(place) || outcome?.state !== 'sent' || outcome.unedited !== undefined)
        return []
      const shown = run.readers.shown.findLast(
        (one) =>
          one.place === place && (one.own === entry.id || one.own?.startsWith(`${entry.id}-again-`) === true),
      )
      const wrong = Object.entries(says).filter(
        ([one, text]) => shown && text.test(shown.text.replace(ofAnother, '')) !== (one === state),
      )
      return wrong.length === 0
        ? []
        : [{ rule: 7, what: `${entry.id} on ${name} does not say that it is ${state}` }]
    })
  })
}
