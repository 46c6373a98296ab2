import type { AlertEvent } from '../../event/event.ts'
import type { Message } from '../../message/message.ts'
import type { Control } from '../../people/control/control.ts'
import type { StoredAlert } from '../query.ts'

/** One change, with all that was said of it: an entry of a feed. */
export interface FeedChange {
  /** The alert that said it first, by its id. Another report, a correction or a withdrawal of it has this, too. */
  first: string
  /** What stands in its place by now: the newest correction or withdrawal, else what was said first. */
  shown: AlertEvent
  message: Message
  /** ISO 8601, UTC. Another report of it is no update; a correction or withdrawal is. */
  published: string
  updated: string
}

interface ChangesParts {
  control: Pick<Control, 'event' | 'later'>
  /** What readers are shown of an alert, with what is known by now. */
  report(alert: AlertEvent): Promise<Message>
}

/** Alerts, newest first, as changes: each once. */
export async function changesOf(alerts: readonly StoredAlert[], parts: ChangesParts): Promise<FeedChange[]> {
  const groups = new Map<string, { root: AlertEvent | undefined; alerts: AlertEvent[] }>()
  for (const { entry } of alerts) {
    const { id, root } = await rootOf(entry, parts)
    const group = groups.get(id) ?? { root, alerts: [] }
    group.alerts.push(entry)
    groups.set(id, group)
  }
  return Promise.all([...groups].map(([first, group]) => changeOf(first, group, parts)))
}

/** What an alert is about in the end: the first report of the change, also if that is no longer stored. */
async function rootOf(
  alert: AlertEvent,
  { control }: ChangesParts,
): Promise<{ id: string; root: AlertEvent | undefined }> {
  const seen = new Set<string>()
  for (let at = alert; ; ) {
    const id = at.sameAs ?? at.revises ?? at.confirms
    if (id === undefined || seen.has(id)) return { id: at.id, root: at }
    seen.add(id)
    const stored = await control.event(id)
    if (stored?.entry.kind !== 'alert') return { id, root: undefined }
    at = stored.entry
  }
}

async function changeOf(
  first: string,
  { root, alerts }: { root: AlertEvent | undefined; alerts: AlertEvent[] },
  parts: ChangesParts,
): Promise<FeedChange> {
  const revision = await revisionOf(first, parts)
  const shown = revision ?? root ?? alerts.at(-1)
  if (shown === undefined) throw new Error('a change has an alert')
  const published = (root ?? alerts.at(-1) ?? shown).receivedAt
  return {
    first,
    shown,
    message: await parts.report(shown),
    published,
    updated: revision?.receivedAt ?? published,
  }
}

async function revisionOf(first: string, { control }: ChangesParts): Promise<AlertEvent | undefined> {
  const { revision, otherRevision } = await control.later(first)
  const [newest] = [revision, otherRevision]
    .filter((one) => one !== undefined)
    .toSorted((one, other) => Date.parse(other.receivedAt) - Date.parse(one.receivedAt))
  const stored = newest && (await control.event(newest.id))
  return stored?.entry.kind === 'alert' ? stored.entry : undefined
}
