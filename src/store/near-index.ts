import type { Act } from '../event/act.ts'
import { isOfDesk, type PublishedStory, publishedIn } from '../event/desk.ts'
import { isFinding, type ReportedAlert } from '../event/event.ts'
import { escalationBy, type Outcome } from '../event/outcome.ts'
import { dayMs } from '../platform/durations.ts'
import {
  type Flooded,
  mostNear,
  type NearAlert,
  type NearIndex,
  type NearMessage,
  type NearOutcome,
  type RelatedAlert,
  type StoryMember,
} from './near.ts'

/** Dropped together: the more first keys of a map were deleted, the slower the next one is to find. */
const droppedAtOnce = 500
/** The newest acts of people. */
const mostActs = 2_000
/** No story is longer. */
const messagesKeptMs = dayMs

interface NearAlertRow extends RelatedAlert {
  outcomes: Record<string, NearOutcome>
}

const nearOutcomes = new Map<string, NearOutcome>()

/** Equal ones are one object, to save memory. */
function nearOutcome(outcome: Outcome): NearOutcome {
  if (outcome.state === 'merged') return { state: 'merged', in: outcome.in }
  const rule = outcome.state === 'not_sent' ? outcome.rule : undefined
  const state = outcome.state === 'held' && outcome.by === escalationBy ? 'escalation' : outcome.state
  const name = `${state} ${rule}`
  const shared = nearOutcomes.get(name) ?? { state, ...(rule !== undefined && { rule }) }
  nearOutcomes.set(name, shared)
  return shared
}

export function createNearIndex(): NearIndex {
  const alerts = { service: new Map<string, NearAlertRow>(), figures: new Map<string, NearAlertRow>() }
  /** By way and model. */
  const byModel = new Map<string, Set<NearAlertRow>>()
  /** By the id that they name. */
  const naming = new Map<string, NearAlertRow[]>()
  const acts = new Map<string, Act>()
  const channels = new Map<string, { messages: Map<string, NearMessage>; flooded: Map<string, Flooded> }>()

  function find(id: string): NearAlertRow | undefined {
    return alerts.service.get(id) ?? alerts.figures.get(id)
  }

  function addAlert(row: NearAlertRow): void {
    const { entry } = row
    const way = isFinding(entry) ? 'figures' : 'service'
    alerts[way].set(entry.id, row)
    if (entry.model !== null) {
      const key = modelKey(way, entry.model)
      byModel.set(key, (byModel.get(key) ?? new Set()).add(row))
    }
    for (const named of namedBy(entry)) naming.set(named, [...(naming.get(named) ?? []), row])
    if (alerts[way].size < mostNear + droppedAtOnce) return
    for (const oldest of [...alerts[way].keys()].slice(0, droppedAtOnce)) remove(oldest)
  }

  function remove(id: string): void {
    acts.delete(id)
    for (const { messages, flooded } of channels.values()) {
      messages.delete(id)
      flooded.delete(id)
    }
    const row = find(id)
    if (row === undefined) return
    const way = isFinding(row.entry) ? 'figures' : 'service'
    alerts[way].delete(id)
    if (row.entry.model !== null) byModel.get(modelKey(way, row.entry.model))?.delete(row)
    for (const named of namedBy(row.entry)) {
      const left = (naming.get(named) ?? []).filter((other) => other !== row)
      if (left.length === 0) naming.delete(named)
      else naming.set(named, left)
    }
  }

  /** A message that is settled keeps its place. */
  function addMessage(id: string, channel: string, outcome: Outcome, alert: NearAlert | undefined): void {
    const { messages, flooded } = channels.get(channel) ?? { messages: new Map(), flooded: new Map() }
    channels.set(channel, { messages, flooded })
    const message = messageOf(id, outcome, alert)
    if (message === undefined) messages.delete(id)
    else messages.set(id, message)
    const isRest = outcome.state === 'held' && outcome.by === 'burst'
    if (isRest) flooded.set(id, { until: Date.parse(outcome.until), ...(alert && { alert }) })
    else flooded.delete(id)
  }

  function forgetMessages(channel: string, before: number): void {
    const messages = channels.get(channel)?.messages ?? new Map<string, NearMessage>()
    for (const [id, { at }] of messages) {
      if (at > before) return
      messages.delete(id)
    }
  }

  function otherOf(id: string): NearAlert | undefined {
    const sameAs = find(id)?.entry.sameAs ?? null
    if (sameAs !== null) return find(sameAs)?.entry
    return naming.get(id)?.find(({ entry }) => entry.sameAs === id)?.entry
  }

  /** What says nothing new has no `before`. */
  function revisionOf(id: string): NearAlert | undefined {
    const next = naming.get(id)?.findLast(({ entry }) => entry.revises === id && entry.before !== undefined)
    return next && (revisionOf(next.entry.id) ?? next.entry)
  }

  function confirmationOf(id: string): NearAlert | undefined {
    return naming.get(id)?.findLast(({ entry }) => entry.confirms === id)?.entry
  }

  /** All that it revises, one after the other, each with the same change by the other way: a message shows both. */
  function changedBy({ sameAs, revises, confirms, before, story = {} }: NearAlert): string[] {
    const leaders = Object.values(story)
    const leadersOf = (id: string) => Object.values(find(id)?.entry.story ?? {})
    if (sameAs !== null) return [sameAs, ...leaders, ...leadersOf(sameAs)]
    if (confirms !== undefined) return [confirms, ...leadersOf(confirms)]
    if (revises === undefined || before === undefined) return leaders
    const other = otherOf(revises)
    const earlier = find(revises)
    return [revises, ...(other === undefined ? [] : [other.id]), ...(earlier ? changedBy(earlier.entry) : [])]
  }

  function followersOf(id: string): NearAlert[] {
    const followers = new Set<NearAlertRow>()
    const chain = [id]
    for (const link of chain) {
      for (const row of naming.get(link) ?? []) {
        const { sameAs, confirms, revises, before } = row.entry
        const isSame = link === id && (sameAs === id || confirms === id)
        if (followers.has(row) || (!isSame && (revises !== link || before === undefined))) continue
        followers.add(row)
        chain.push(row.entry.id)
      }
    }
    return [...followers].toSorted((first, second) => first.seq - second.seq).map(({ entry }) => entry)
  }

  function membersOf(id: string): StoryMember[] {
    const members = (naming.get(id) ?? []).filter(({ entry: { story = {} } }) =>
      Object.values(story).includes(id),
    )
    return members.map(({ entry, outcomes }) => {
      const other = otherOf(entry.id)
      const revision = revisionOf(entry.id)
      const confirmation = confirmationOf(entry.id)
      const actsOf = actsAbout(entry.id).filter(isOfDesk)
      return {
        alert: entry,
        outcomes,
        ...(actsOf.length > 0 && { acts: actsOf }),
        ...(other && { other }),
        ...(revision && { revision }),
        ...(confirmation && { confirmation }),
      }
    })
  }

  /** Acts about an alert; those that count for its state also if they are about the first alert of its change. */
  function actsAbout(id: string): Act[] {
    if (acts.size === 0) return []
    const first = find(id)?.entry.sameAs
    return [...acts.values()].filter((act) => {
      const subject = subjectOf(act)
      return subject === id || (subject !== null && subject === first && isOfDesk(act))
    })
  }

  /** All alerts whose messages show an act: those about its change, the first of their stories, and what corrects one of them. */
  function showing(act: Act): string[] {
    const subject = subjectOf(act)
    if (subject === null) return []
    if (!isOfDesk(act)) return [subject]
    const members = membersOf(subject).map(({ alert }) => alert.id)
    const changed = [subject, ...[subject, ...members].flatMap((id) => followersOf(id).map((one) => one.id))]
    return [...changed, ...changed.flatMap((id) => Object.values(find(id)?.entry.story ?? {}))]
  }

  /** What it corrects or withdraws, one after the other: each with its change by the other way, and the alert whose message shows it. */
  function storiesBefore({ revises, before, receivedAt }: NearAlert): PublishedStory[] {
    const ids = new Set<string>()
    for (
      let link = before === undefined ? undefined : revises;
      link !== undefined && !ids.has(link);
      link = find(link)?.entry.revises
    ) {
      const { sameAs, story = {} } = find(link)?.entry ?? {}
      for (const id of [link, sameAs, otherOf(link)?.id, ...Object.values(story)]) if (id) ids.add(id)
    }
    const published = [...ids].flatMap((id) => publishedIn(actsAbout(id)) ?? [])
    const byAct = new Map(published.map((one) => [one.act, one]))
    return [...byAct.values()].filter(({ at }) => at < receivedAt)
  }

  /** The end of a silence is about the alert that the silence was about. */
  function subjectOf({ does, about }: Act): string | null {
    return does === 'end-silence' ? (acts.get(about)?.about ?? null) : about
  }

  return {
    of: (model, by) => [...(byModel.get(modelKey(by, model)) ?? [])],
    find,
    about: (id) => naming.get(id) ?? [],
    on(channel) {
      const { messages, flooded } = channels.get(channel) ?? {}
      return { messages: [...(messages?.values() ?? [])], flooded: [...(flooded?.values() ?? [])] }
    },
    remove,
    add({ seq, entry: whole, outcomes }) {
      if (whole.kind === 'notice') return
      if (whole.kind === 'act') {
        acts.set(whole.id, whole)
        for (const old of [...acts.keys()].slice(0, -mostActs)) acts.delete(old)
        return
      }
      let alert: NearAlert | undefined
      if (whole.kind === 'alert') {
        const { body: _, content: _content, evidence: _evidence, methodology: _methodology, ...entry } = whole
        const near = Object.entries(outcomes).map(([channel, outcome]) => [channel, nearOutcome(outcome)])
        remove(entry.id)
        addAlert({ seq, entry, outcomes: Object.fromEntries(near) })
        alert = entry
      }
      for (const [channel, outcome] of Object.entries(outcomes)) {
        addMessage(whole.id, channel, outcome, alert)
        const at = channels.get(channel)?.messages.get(whole.id)?.at
        if (at !== undefined) forgetMessages(channel, at - messagesKeptMs)
      }
    },
    settle(id, channel, outcome) {
      const row = find(id)
      if (row !== undefined) row.outcomes = { ...row.outcomes, [channel]: nearOutcome(outcome) }
      // A notice to operators is no message of the channel.
      const isMessage = row !== undefined || channels.get(channel)?.messages.has(id) === true
      if (isMessage) addMessage(id, channel, outcome, row?.entry)
    },
    laterOf(id) {
      const other = otherOf(id)
      const otherRevision = other && revisionOf(other.id)
      const revision = revisionOf(id)
      const confirmation = confirmationOf(id)
      const actsOf = actsAbout(id)
      const alert = find(id)?.entry
      const published = acts.size === 0 || alert === undefined ? [] : storiesBefore(alert)
      const members = membersOf(id)
      const followers = followersOf(id)
      return {
        ...(other && { other }),
        ...(otherRevision && { otherRevision }),
        ...(revision && { revision }),
        ...(confirmation && { confirmation }),
        ...(actsOf.length > 0 && { acts: actsOf }),
        ...(published.length > 0 && { published }),
        ...(members.length > 0 && { members }),
        ...(followers.length > 0 && { followers }),
      }
    },
    changed(by) {
      const rows =
        by === undefined ? [alerts.service, alerts.figures].flatMap((some) => [...some.values()]) : [find(by)]
      const those = by === undefined ? [...acts.values()] : [acts.get(by)]
      return [
        ...new Set([
          ...rows.flatMap((row) => (row === undefined ? [] : changedBy(row.entry))),
          ...those.flatMap((act) => (act === undefined ? [] : showing(act))),
        ]),
      ]
    },
  }
}

function modelKey(way: ReportedAlert['by'], model: string): string {
  return `${way} ${model}`
}

function messageOf(id: string, outcome: Outcome, alert: NearAlert | undefined): NearMessage | undefined {
  if (outcome.state !== 'waiting' && outcome.state !== 'sent') return undefined
  const at = Date.parse(outcome.state === 'sent' ? outcome.at : (outcome.firstAttemptAt ?? outcome.dueAt))
  const isOpen = outcome.state === 'waiting' || outcome.unedited === undefined
  return { id, at, isOpen, ...(alert && { alert }) }
}

/** Each once. */
function namedBy({ sameAs, revises, confirms, story = {} }: NearAlert): string[] {
  return [...new Set([sameAs, revises, confirms, ...Object.values(story)].flatMap((id) => id ?? []))]
}
