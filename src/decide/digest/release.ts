import type { SendingHeld } from '../../event/act.ts'
import type { PublishedStory } from '../../event/desk.ts'
import { type AlertEvent, type Digest, isFinding, type ShownAlert } from '../../event/event.ts'
import { beforeOf, escalationBy, type Held, longestFloodMs, type Outcome } from '../../event/outcome.ts'
import { type Clock, isoTime } from '../../platform/clock.ts'
import { dayMs, minuteMs } from '../../platform/durations.ts'
import type { HeldNotification, Store, StoredEntry } from '../../store/store.ts'
import { type EscalateParts, escalateDue } from './escalate.ts'
import { compose, digestId, type HeldTogether, isWithdrawal } from './make-digest.ts'

/** One wait has no more digests than this. */
const mostDigests = 50
/** So many outcomes are written together. */
const atOnce = 100

export interface ReleaseParts {
  store: Pick<Store, 'find' | 'later' | 'alter'>
  clock: Pick<Clock, 'now'>
  /** What is known of a silence: when somebody ended it before its time (milliseconds since the epoch), and what a report says. */
  silence(id: string): ({ endedAt: number | undefined } & Required<Pick<Digest, 'silence'>>) | undefined
  /** What holds an alert on a channel now. */
  stillHeld(event: AlertEvent, channel: string): Held | undefined
  accept(digest: Digest): Promise<'new' | 'duplicate'>
  /** What was held goes out by itself: something is due on this channel. */
  wake(channel: string): void
}

/** What is held for less than a minute is late by so much at most. */
const checkEveryMs = minuteMs
/** Nothing is held for longer, in milliseconds: our clock was ahead when it came. A silence of 30 days may end in quiet hours. */
const longestHoldMs = 38 * dayMs

export interface DigestsParts extends ReleaseParts, EscalateParts {
  clock: Clock
  store: EscalateParts['store'] & { held(): Promise<HeldNotification[]> }
  /** Names of the channels that there are. */
  channels(): readonly string[]
  /** Calls it when a silence begins or ends. */
  onSilences(listener: () => void): void
  onError(error: unknown): void
}

/**
 * Sends what was held when its wait ends, until the signal aborts: one alert as itself, several in one digest. If a process ends in
 * between, the next finds the digest and what is not recorded as merged in it, and goes on.
 */
export async function keepDigests(parts: DigestsParts, signal: AbortSignal): Promise<void> {
  const { clock } = parts
  let waking = new AbortController()
  const wake = () => waking.abort()
  parts.onSilences(wake)
  signal.addEventListener('abort', wake, { once: true })
  while (!signal.aborted) {
    waking = new AbortController()
    let next = clock.now() + checkEveryMs
    try {
      next = Math.min(next, await releaseDue(parts, signal))
    } catch (error) {
      parts.onError(error)
    }
    await clock.sleep(Math.max(1, next - clock.now()), waking.signal)
  }
}

/** Returns when the next wait ends. */
async function releaseDue(parts: DigestsParts, signal: AbortSignal): Promise<number> {
  const now = parts.clock.now()
  const configured = new Set(parts.channels())
  const due: HeldNotification[] = []
  let next = Number.POSITIVE_INFINITY
  for (const held of await parts.store.held()) {
    if (!configured.has(held.channel)) continue
    const until = Math.min(held.until, parts.silence(held.by)?.endedAt ?? Number.POSITIVE_INFINITY)
    const longestMs = held.by === 'burst' ? longestFloodMs : longestHoldMs
    if ((until <= now || until > now + longestMs) && held.by === escalationBy) {
      await escalateDue(held, parts).catch(parts.onError)
    } else if (until <= now || until > now + longestMs) due.push({ ...held, until })
    else next = Math.min(next, until)
  }
  const waits = Map.groupBy(due, ({ channel, by, until }) => JSON.stringify([channel, by, until]))
  for (const together of waits.values()) {
    if (signal.aborted) break
    await release(together, parts).catch(parts.onError)
  }
  return next
}

/** What falls due within so long goes out anyway, and is perhaps on its way; milliseconds. */
const soonMs = 5_000

/**
 * Sends what is held for a channel now: one alert as itself, several as one message. If the process ends in between, they go out
 * with what is due at the next start. Returns how many are sent.
 */
export async function sendHeld(
  { id: act, channel, held: alerts, by: person, receivedAt: until }: SendingHeld,
  parts: ReleaseParts,
): Promise<number> {
  const now = parts.clock.now()
  const why = `${person.name} asked for it to be sent now`
  const due = (was: Outcome | undefined): Outcome | undefined => {
    if (was?.state !== 'held' || Date.parse(was.until) <= now + soonMs) return undefined
    return parts.silence(was.by)?.endedAt === undefined ? { ...was, until, by: act, why } : undefined
  }
  const changed = await Promise.all(alerts.map((id) => parts.store.alter(id, channel, due)))
  const held = alerts.filter((_, index) => changed[index] === true)
  await release(
    held.map((eventId) => ({ eventId, channel, by: act, until: Date.parse(until) })),
    parts,
    { isAsked: true },
  )
  return held.length
}

/** Sends what one wait has held for one channel. If somebody asked for that (`isAsked`), nothing goes on to hold it. */
export async function release(
  due: readonly HeldNotification[],
  parts: ReleaseParts,
  { isAsked = false }: { isAsked?: boolean } = {},
): Promise<void> {
  const [first] = due
  if (first === undefined) return
  const { channel, by, until } = first
  const { endedAt, silence } = parts.silence(by) ?? {}
  const stored = await Promise.all(due.map(({ eventId }) => parts.store.find(eventId)))
  const rows = stored
    .flatMap((row) => (row?.outcomes[channel]?.state === 'held' ? [row] : []))
    .toSorted((one, other) => one.seq - other.seq)
  const isEarly = endedAt !== undefined || by === 'burst'
  const held = isAsked ? rows : await heldOn(rows, { channel, isEarly }, parts)
  const { alerts: current, ...known } = await withoutOutdated(held, channel, parts)
  let alerts = current
  for (let number = 1; alerts.length > 0 && number <= mostDigests; number += 1) {
    const id = digestId(channel, by, until, number)
    const now = parts.clock.now()
    const together = { id, channel, by, until, alerts, ...known, now, ...(silence && { silence }) }
    // Its process may have ended before it noted all alerts of the digest. More may be held since.
    const made = await digestOf(id, parts)
    const settled = made ? await noteTold(together, made, parts) : await send(together, parts)
    alerts = alerts.filter((alert) => !settled.has(alert.id))
  }
}

/**
 * Settles what goes on to be held, and returns the rest. If a wait ended early, anything may hold its alerts now. If it had its time,
 * a silence may, which somebody asked for meanwhile. A correction of what readers have is not silenced.
 */
async function heldOn(
  rows: readonly StoredEntry[],
  { channel, isEarly }: { channel: string; isEarly: boolean },
  parts: ReleaseParts,
): Promise<StoredEntry[]> {
  const ids = new Set(rows.map(({ entry }) => entry.id))
  const free: StoredEntry[] = []
  for (const row of rows) {
    const { entry } = row
    const again = entry.kind === 'alert' ? parts.stillHeld(entry, channel) : undefined
    const isHad = entry.kind === 'alert' && entry.revises !== undefined && !ids.has(entry.revises)
    const isSilenced = again !== undefined && parts.silence(again.by) !== undefined && !isHad
    if (again === undefined || !(isEarly || isSilenced)) free.push(row)
    else await settle(channel, [entry.id], parts, () => again)
  }
  return free
}

/** Drops what another message has overtaken meanwhile. */
async function withoutOutdated(
  rows: readonly StoredEntry[],
  channel: string,
  parts: ReleaseParts,
): Promise<{ alerts: AlertEvent[] } & Pick<HeldTogether, 'reports' | 'copies' | 'published'>> {
  const ids = new Set(rows.map(({ entry }) => entry.id))
  const alerts: AlertEvent[] = []
  const reports = new Map<string, ShownAlert>()
  const copies = new Map<string, string>()
  const stories = new Map<string, readonly PublishedStory[]>()
  for (const { entry } of rows) {
    if (entry.kind !== 'alert') continue
    const { revision, other, otherRevision, published } = await parts.store.later(entry.id)
    const newest = revision ?? otherRevision
    const overtakenBy = newest !== undefined && !ids.has(newest.id) ? newest.id : undefined
    const place = await outcomeOf(overtakenBy ?? other?.id, channel, parts)
    const isElsewhere = place?.state === 'sent' || place?.state === 'waiting'
    // A process noted that this alert's message includes the correction, and ended before it sent the message.
    const isToldHere = place?.state === 'merged' && place.in === entry.id
    if (overtakenBy !== undefined && !isToldHere) {
      const isTold = isElsewhere || place?.state === 'held' || place?.state === 'merged'
      await settle(channel, [entry.id], parts, () =>
        isTold ? { state: 'merged', in: overtakenBy } : nothingNew(`${overtakenBy} has replaced it`),
      )
    } else if (other !== undefined && isElsewhere) {
      await settle(channel, [entry.id], parts, () => ({ state: 'merged', in: other.id }))
    } else if (await isOfNothing(entry, ids, channel, parts)) {
      await settle(channel, [entry.id], parts, () => nothingNew('what it withdraws was never sent here'))
    } else {
      alerts.push(entry)
      if (published !== undefined) stories.set(entry.id, published)
      if (other !== undefined) copies.set(other.id, entry.id)
      if (other !== undefined && isFinding(entry) && !isFinding(other)) reports.set(entry.id, other)
    }
  }
  return { alerts, reports, copies, published: stories }
}

/** A withdrawal of what readers never had: a process ended between dropping the one and the other. */
async function isOfNothing(
  event: AlertEvent,
  ids: ReadonlySet<string>,
  channel: string,
  parts: ReleaseParts,
): Promise<boolean> {
  if (!isWithdrawal(event) || event.revises === undefined || ids.has(event.revises)) return false
  return (await outcomeOf(event.revises, channel, parts))?.state === 'not_sent'
}

async function outcomeOf(
  id: string | undefined,
  channel: string,
  { store }: ReleaseParts,
): Promise<Outcome | undefined> {
  return id === undefined ? undefined : (await store.find(id))?.outcomes[channel]
}

/** Returns the ids of the alerts that are accounted for. */
async function send(held: HeldTogether, parts: ReleaseParts): Promise<Set<string>> {
  const { channel } = held
  const { dropped, alone, digest } = compose(held)
  await settle(channel, dropped, parts, () => nothingNew('it was found and withdrawn while it was held'))
  if (alone !== undefined) {
    await settle(channel, alone.correctedBy, parts, () => ({ state: 'merged', in: alone.id }))
    await settle(channel, [alone.id], parts, (was) => ({
      state: 'waiting',
      dueAt: isoTime(held.now),
      why: `not tried yet; it was held until now: ${was.why}`,
      attempts: 0,
    }))
    parts.wake(channel)
    return new Set([...dropped, alone.id, ...alone.correctedBy])
  }
  if (digest === undefined) return new Set(dropped)
  await parts.accept(digest)
  // Another process may have stored one of fewer alerts under this id first.
  const made = await digestOf(digest.id, parts)
  return new Set([...dropped, ...(made === undefined ? [] : await noteTold(held, made, parts))])
}

async function digestOf(id: string, { store }: ReleaseParts): Promise<Digest | undefined> {
  const entry = (await store.find(id))?.entry
  return entry?.kind === 'digest' ? entry : undefined
}

async function noteTold(held: HeldTogether, { id, of }: Digest, parts: ReleaseParts): Promise<Set<string>> {
  const named = new Set(of)
  const told = held.alerts.flatMap((alert) => (named.has(alert.id) ? [alert.id] : []))
  await settle(held.channel, told, parts, () => ({ state: 'merged', in: id }))
  return new Set(told)
}

function nothingNew(why: string): Outcome {
  return { state: 'not_sent', rule: 'nothing-new', why }
}

async function settle(
  channel: string,
  ids: readonly string[],
  { store }: ReleaseParts,
  outcome: (was: Held) => Outcome,
): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    await Promise.all(
      ids
        .slice(from, from + atOnce)
        .map((id) =>
          store.alter(id, channel, (was) =>
            was?.state === 'held' ? { ...outcome(was), ...beforeOf(was) } : undefined,
          ),
        ),
    )
  }
}
