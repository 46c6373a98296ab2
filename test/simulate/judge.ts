import type { AlertEvent, Entry } from '../../src/event/event.ts'
import type { Outcome } from '../../src/event/outcome.ts'
import type { StoredEntry } from '../../src/store/store.ts'
import { retentionMs, type Wish } from './configuration.ts'
import type { Shown } from './readers.ts'
import type { Delivery, Report } from './service.ts'
import type { Run } from './world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** One rule that was broken, by its number in the plan ("What may never happen"), and how. */
export interface Breach {
  rule: 1 | 2 | 3 | 4 | 5 | 6 | 7
  what: string
}

/** Holds a run against the seven rules. Looks only at what left the process, and at what is on disk. */
export function judge(run: Run): Breach[] {
  return [
    ...noneLost(run),
    ...noneForged(run),
    ...noneDropped(run),
    ...noneTwice(run),
    ...noSilence(run),
    ...allAccounted(run),
    ...noneMistaken(run),
  ]
}

function alertsOf({ stored }: Run): (StoredEntry & { entry: AlertEvent })[] {
  return stored.filter((row): row is StoredEntry & { entry: AlertEvent } => row.entry.kind === 'alert')
}

/** Whether damage was done to what was on disk already: then what is missing must have been said. */
function mayLack({ damage }: Run): boolean {
  return damage.length > 0
}

/** 1. What was answered with 2xx is on disk, with the body that was signed. */
function noneLost(run: Run): Breach[] {
  const bodies = new Set(alertsOf(run).map(({ entry }) => meaningOf(entry.body.text)))
  return run.service.deliveries
    .filter(({ accepted, body }) => accepted !== undefined && !bodies.has(meaning(body)))
    .filter(() => !mayLack(run))
    .map(({ report, accepted }) => ({
      rule: 1,
      what: `${report.id} (${report.delta}) was answered ${accepted?.status} and is not in the store`,
    }))
}

/** White space and the order of keys aside. */
function meaning(body: string): string {
  const sorted = (value: unknown): unknown =>
    typeof value !== 'object' || value === null
      ? value
      : Object.entries(value)
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, member]) => [key, sorted(member)])
  return JSON.stringify(sorted(JSON.parse(body)))
}

/** 2. */
function noneForged(run: Run): Breach[] {
  return run.forged
    .filter(
      (id) =>
        run.stored.some(({ entry }) => entry.id.includes(id)) ||
        run.readers.shown.some(({ text }) => text.includes(id)),
    )
    .map((id) => ({ rule: 2, what: `${id} was forged, and believed` }))
}

/** 3. What is authentic is taken in the end. */
function noneDropped(run: Run): Breach[] {
  return (
    run.service.deliveries
      // Without a try, nobody had subscribed to it.
      .filter(({ accepted, attempts }) => accepted === undefined && attempts > 0)
      .map(({ report, statuses }) => ({ rule: 3, what: `${report.id} was never taken: ${statuses.join()}` }))
  )
}

/** 4. Nobody gets the same message twice, but where a try ended without an answer and nobody can be asked. */
function noneTwice(run: Run): Breach[] {
  const breaches: Breach[] = []
  const byMessage = Map.groupBy(
    run.readers.shown.filter(({ own, place }) => own !== undefined && !place.startsWith('others')),
    ({ place, own }) => `${place} ${own}`,
  )
  for (const [message, copies] of byMessage) {
    if (copies.length === 1) continue
    const names = namesAt(run, copies[0]?.place)
    // A channel that was renamed is another channel, and may be told anew what it did not have.
    if (names.size > 1) continue
    const canLook = [...names.values()].some((wish) => wish.canLook)
    if (canLook) breaches.push({ rule: 4, what: `${message} stands there ${copies.length} times` })
    else if (
      copies.some((copy, index) => copies[index + 1] !== undefined && wasKnown(run, copy, copies[index + 1]))
    ) {
      breaches.push({ rule: 4, what: `${message} was sent again though it was answered` })
    } else if (copies.length > 4 && !copies[0]?.own?.startsWith('ntc_')) {
      breaches.push({ rule: 4, what: `${message} was sent ${copies.length} times` })
    } else if (
      !copies[0]?.own?.startsWith('ntc_') &&
      copies.slice(1).some(({ text }) => !mayBeRepeat.test(text))
    ) {
      breaches.push({ rule: 4, what: `${message} came again without saying that it may be a repeat` })
    }
  }
  return [...breaches, ...noFalseDoubt(run), ...oneChangeOnce(run)]
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

const mayBeRepeat = /may be a (repeat|copy)|may have reached|twice/i

/** A message is called a possible repeat only where an earlier try may have arrived. */
function noFalseDoubt(run: Run): Breach[] {
  return (
    run.readers.shown
      .filter(({ own, text, tries }) => own?.startsWith('evt_') && tries === 1 && mayBeRepeat.test(text))
      // A process that is killed between noting that it begins and beginning does not know.
      .filter(({ at }) => !run.kills.some((kill) => kill <= at && at - kill < 20 * minuteMs))
      .map(({ place, own }) => ({
        rule: 4,
        what: `${place} ${own} says that it may be a repeat, and was tried once`,
      }))
  )
}

/** One change that came by both ways, told on one channel by two messages. */
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

/** 5. What is wrong is reported when it begins and when it is over, each once and in this order. */
function noSilence(run: Run): Breach[] {
  const breaches: Breach[] = []
  for (const title of lastingTitles(run)) {
    const phases = noticesAbout(run, title)
    if (phases.includes('late') && phases.findLast((phase) => phase !== 'late') === 'ends') continue
    const alternates = phases.every((phase, index) => phase === (index % 2 === 0 ? 'begins' : 'ends'))
    // What is said of a store that fails goes past the queues, and may overtake what is in them.
    if (
      title.includes('The store') &&
      phases.filter((phase) => phase === 'ends').length * 2 === phases.length
    )
      continue
    if (!alternates) breaches.push({ rule: 5, what: `"${title}" was reported as ${phases.join(', ')}` })
    else if (phases.at(-1) === 'begins')
      breaches.push({ rule: 5, what: `"${title}" is over, and nobody said so` })
  }
  for (const what of run.crashes) breaches.push({ rule: 1, what: `nobody caught: ${what}` })
  for (const what of run.afterStop) breaches.push({ rule: 4, what: `after its stop: ${what}` })
  if (!run.hasStopped) breaches.push({ rule: 5, what: 'the desk did not end within its time' })
  return breaches
}

/** What is called wrong until it is right again. */
function lastingTitles({ stored }: Run): Set<string> {
  const notices = stored.flatMap(({ entry }) =>
    entry.kind === 'notice' && entry.about !== undefined ? [entry] : [],
  )
  return new Set(notices.map(({ title }) => title.replace(/^Over: /, '')))
}

/** What the operators got of it, wherever they got it first. `late`: that it had begun, when it was over. */
function noticesAbout({ readers }: Run, title: string): ('begins' | 'late' | 'ends')[] {
  const seen = new Set<string>()
  return readers.shown.flatMap(({ own, text }) => {
    if (own === undefined || !own.startsWith('ntc_') || own.includes('-again-') || seen.has(own)) return []
    if (!text.includes(title)) return []
    seen.add(own)
    if (text.includes(`Over: ${title}`)) return ['ends' as const]
    return [text.includes('This is over by now.') ? ('late' as const) : ('begins' as const)]
  })
}

/** 6. One outcome for each entry and channel, and it is true. */
function allAccounted(run: Run): Breach[] {
  const breaches: Breach[] = []
  if (!run.isSettled) breaches.push({ rule: 6, what: 'something waits still, after more than a day of calm' })
  breaches.push(...replaysCame(run))
  const pick = (wish: Wish) => run.readers.shown.filter(({ place }) => place === wish.place)
  for (const { entry, outcomes } of run.stored) {
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
      if (!(name in outcomes) && leapNear(run) === false)
        breaches.push({ rule: 6, what: `${entry.id} has no outcome on ${name}` })
    }
  }
  return breaches
}

/** What a person asked for again came again, unless the channel left meanwhile. */
function replaysCame(run: Run): Breach[] {
  return run.replays.flatMap(({ id, channel, queued }) => {
    const wish = run.arrangements.at(-1)?.arrangement.wishes.find(({ name }) => name === channel)
    if (wish === undefined || !queued) return []
    const came = run.readers.shown.some(
      ({ place, own }) => place === wish.place && own?.startsWith(`${id}-again-`),
    )
    return came
      ? []
      : [{ rule: 6 as const, what: `${id} was to be sent again to ${channel}, and did not come` }]
  })
}

/** To this channel, or to another of the same place: it may have been renamed. */
function isReplayed(run: Run, id: string, on: string): boolean {
  const place = wishOf(run, on)?.place
  return run.replays.some((replay) => replay.id === id && wishOf(run, replay.channel)?.place === place)
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
      if (isThere && outcome.rule !== 'channel-removed' && !isReplayed(run, entry.id, channel)) {
        return `not sent (${outcome.rule}), and it is there`
      }
      return undefined
    case 'failed':
      return undefined
    case 'waiting':
      return run.isSettled ? 'still waiting' : undefined
    default:
      return undefined
  }
}

/** 7. Nothing different is taken for something known. */
function noneMistaken(run: Run): Breach[] {
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

function meaningOf(text: string): string {
  try {
    return meaning(text)
  } catch {
    return text
  }
}

/** Each thing that the service said reached whoever wanted to hear of it, or a channel's outcome says by a true rule why not. */
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
        ? delivery.accepted.at
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
  if (outcome.state === 'failed')
    return hasNotice(run, entry.id) || run.scenario.acts.some(({ act }) => act === 'weather')
  if (outcome.state !== 'not_sent') return false
  if (outcome.rule === 'channel-removed') return run.arrangements.length > 1
  if (outcome.rule === 'stale') return (isOld(run, report) || leapNear(run)) && hasNotice(run, entry.id)
  if (outcome.rule !== 'same-change') return false
  const first = alertsOf(run).find((row) => row.entry.id === entry.sameAs)
  const state = first?.outcomes[wish.name]?.state
  // On the same day, two sizes are two measurements of one change.
  const isNear = Math.abs(Date.parse(first?.entry.detectedAt ?? '') - report.detectedAt) <= dayMs
  const isOne = isNear || Math.abs((first?.entry.delta ?? 0) - report.delta) < 10
  return isOne && (state === 'sent' || state === 'failed' || state === undefined)
}

function isOld(run: Run, { detectedAt }: Report): boolean {
  return run.end - detectedAt > retentionMs
}

/** Operators were sent something that names it, or that counts it among others of its kind within the hour. */
function hasNotice(run: Run, id: string): boolean {
  return run.stored.some(
    ({ entry }) =>
      entry.kind === 'notice' && (entry.text.includes(id) || /within the hour|old event/.test(entry.title)),
  )
}

/** What comes from outside is never shown as our own finding. */
function nothingOfOurs(run: Run): Breach[] {
  return run.service.deliveries
    .filter(({ report }) => !report.id.startsWith('evt_'))
    .flatMap(({ report }) =>
      run.readers.shown
        .filter(
          ({ text }) =>
            text.includes(report.id) && /Seen in the published figures|From Bluepencil itself/.test(text),
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

/** Whether the channel asks for such a thing, by its filters alone. */
function wants({ filters }: Wish, { model, type, category, delta }: Wanted): boolean {
  const { models, events, categories, minDelta = 0, direction = 'both' } = filters
  if (models !== undefined && !models.includes(model ?? '')) return false
  if (events !== undefined && !events.includes(type ?? '')) return false
  if (categories !== undefined && !categories.includes(category ?? '')) return false
  // To two digits, as it is shown.
  const points = Math.round((delta ?? 0) * 100) / 100
  if (Math.abs(points) < minDelta) return false
  return direction === 'both' || (direction === 'rise' ? points > 0 : points < 0)
}

type Wanted = Pick<AlertEvent, 'model' | 'type' | 'category' | 'delta'>

/** The channels that were configured whichever of the last arrangements was in force. */
function wishesAt(run: Run, at: number): Wish[] {
  const possible = possibleAt(run, at)
  const [first] = possible
  return (first?.wishes ?? []).filter((wish) =>
    possible.every(({ wishes }) => wishes.some((other) => JSON.stringify(other) === JSON.stringify(wish))),
  )
}

/** A reload takes a while, and one that failed or was cut off leaves the one before in force. */
function possibleAt(run: Run, at: number) {
  const past = run.arrangements.filter(({ from }) => from <= at + minuteMs)
  const sure = past.findLastIndex(({ from }) => from <= at - hourMs)
  return past.slice(Math.max(sure, 0)).map(({ arrangement }) => arrangement)
}

function reloadsNear(run: Run, entry: AlertEvent): boolean {
  const at = Date.parse(entry.receivedAt)
  return run.arrangements.some(({ from }) => Math.abs(from - at) < hourMs && from !== run.start)
}

function leapNear(run: Run): boolean {
  return run.leaps.length > 0
}

function wishOf(run: Run, channel: string): Wish | undefined {
  return run.arrangements
    .flatMap(({ arrangement }) => arrangement.wishes)
    .find(({ name }) => name === channel)
}

/** The channels that ever went to a place, by name. */
function namesAt(run: Run, place: string | undefined): Map<string, Wish> {
  const all = run.arrangements.flatMap(({ arrangement }) => arrangement.wishes)
  return new Map(all.filter((wish) => wish.place === place).map((wish) => [wish.name, wish]))
}
