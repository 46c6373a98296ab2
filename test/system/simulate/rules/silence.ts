import type { Entry } from '../../../../src/event/event.ts'
import type { Breach } from '../judge.ts'
import type { Shown } from '../readers.ts'
import type { Run } from '../world.ts'
import { alertsOf } from './stored.ts'

/** Attempts of one message before those behind it skip ahead. */
const patience = 5

/** 5. What is wrong is reported when it begins and when it is over, each once and in this order. */
export function noSilence(run: Run): Breach[] {
  const breaches: Breach[] = []
  for (const title of lastingTitles(run)) {
    const phases = noticesAbout(run.readers.shown, title)
    if (phases.includes('late') && phases.findLast((phase) => phase !== 'late') === 'ends') continue
    if (wasLetPast(run, title) && phases.filter((phase) => phase === 'ends').length * 2 === phases.length)
      continue
    const rest = withoutLate(phases)
    // A notice of a failing store bypasses the queues and may overtake what is in them. A process that is
    // killed then could not store what it had sent.
    if (title.includes('The store') && phases.includes('ends')) continue
    if (wentWithItsChannel(run, title)) continue
    if (!alternates(rest) && !alternatesInEachPlace(run, title) && !alternatesInStore(run, title))
      breaches.push({ rule: 5, what: `"${title}" was reported as ${phases.join(', ')}` })
    // The service goes on publishing too few readings to judge, or never delivers a report of a change.
    else if (rest.at(-1) === 'begins' && !title.startsWith('The figures of ') && !lacksReport(run, title))
      breaches.push({ rule: 5, what: `"${title}" is over, and nobody said so` })
  }
  for (const what of run.crashes) breaches.push({ rule: 1, what: `nobody caught: ${what}` })
  for (const what of run.afterStop) breaches.push({ rule: 4, what: `after its stop: ${what}` })
  if (!run.hasStopped) breaches.push({ rule: 5, what: 'the desk did not end within its time' })
  return breaches
}

/** Webhooks are in doubt as long as a change that was found in the figures has no report. */
function lacksReport(run: Run, title: string): boolean {
  if (title !== 'Webhooks are not reliable') return false
  const alerts = alertsOf(run).map(({ entry }) => entry)
  const paired = new Set(alerts.flatMap(({ id, sameAs }) => (sameAs === null ? [] : [id, sameAs])))
  return alerts.some(({ id, found, revises, confirms }) => {
    const isFirst = found === true && revises === undefined && confirms === undefined
    return isFirst && !paired.has(id)
  })
}

function alternates(phases: readonly Phase[]): boolean {
  return phases.every((phase, index) => phase === (index % 2 === 0 ? 'begins' : 'ends'))
}

/** A place that is slow, or became the operators' later, gets a report when others have the next: each has its order. */
function alternatesInEachPlace({ readers }: Run, title: string): boolean {
  const places = Map.groupBy(readers.shown, ({ place }) => place)
  return [...places.values()].every((shown) => alternates(withoutLate(noticesAbout(shown, title))))
}

/** A store that accepts nothing does not know after a kill what was reported past it: then the trouble begins again. */
function alternatesInStore({ readers, stored }: Run, title: string): boolean {
  const ids = new Set(stored.map(({ entry }) => entry.id))
  const shown = readers.shown.filter(({ own }) => own !== undefined && ids.has(own))
  return alternates(withoutLate(noticesAbout(shown, title)))
}

/** One of its reports failed so often that others skipped ahead. */
function wasLetPast({ stored }: Run, title: string): boolean {
  const reports = stored.filter(({ entry }) => isReportOf(entry, title))
  return reports.some(({ outcomes }) =>
    Object.values(outcomes).some((outcome) => outcome.state === 'sent' && outcome.attempts > patience),
  )
}

/** What operators got late may have been overtaken by its end: both are left out. */
function withoutLate(phases: readonly Phase[]): Phase[] {
  let late = phases.filter((phase) => phase === 'late').length
  return phases.filter((phase) => {
    if (phase !== 'ends' || late === 0) return phase !== 'late'
    late -= 1
    return false
  })
}

/** What is called wrong until it is right again. */
function lastingTitles({ stored }: Run): Set<string> {
  const notices = stored.flatMap(({ entry }) =>
    entry.kind === 'notice' && entry.about !== undefined && entry.phase === 'trouble' ? [entry] : [],
  )
  return new Set(notices.map(({ title }) => title))
}

/** Whether it says that this is wrong, or that it is over. */
function isReportOf(entry: Entry, title: string): boolean {
  return entry.kind === 'notice' && (entry.title === title || entry.text === endOf(title))
}

function endOf(title: string): string {
  return `Resolved: ${title}.`
}

/** The report waited for a channel that then left the configuration, or reached one that its end does not go to any more. */
function wentWithItsChannel({ stored, arrangements }: Run, title: string): boolean {
  const last = new Set(arrangements.at(-1)?.arrangement.wishes.map(({ name }) => name))
  const reports = stored.filter(({ entry }) => isReportOf(entry, title))
  return reports.some(({ outcomes }) =>
    Object.entries(outcomes).some(
      ([channel, outcome]) =>
        (outcome.state === 'not_sent' && outcome.rule === 'channel-removed') ||
        (outcome.state === 'sent' && !last.has(channel)),
    ),
  )
}

/** What a report says. `late`: that it had begun, when it was over. */
type Phase = 'begins' | 'late' | 'ends'

/** What was reported of it, each report where it came first. */
function noticesAbout(shown: readonly Shown[], title: string): Phase[] {
  const seen = new Set<string>()
  return shown.flatMap(({ own, text }) => {
    if (own === undefined || !own.startsWith('ntc_') || own.includes('-again-') || seen.has(own)) return []
    // A mail breaks its lines.
    const line = text.replace(/\s+/g, ' ')
    if (!isAbout(line, title)) return []
    seen.add(own)
    if (line.includes(endOf(title))) return ['ends' as const]
    return [line.includes('This has been resolved.') ? ('late' as const) : ('begins' as const)]
  })
}

/** What else was wrong when it was written. */
const besides = /Other problems at that time:.*/v

/** The title stands in it, and not as the end of another: of `dhook` where `hook` is asked for. */
function isAbout(whole: string, title: string): boolean {
  const text = whole.replace(besides, '')
  const at = text.indexOf(title)
  return at === 0 || (at > 0 && !/[\w\-]/v.test(text.charAt(at - 1)))
}
