import { type Clock, isoTime } from '../clock.ts'
import { dayMs, minuteMs } from '../durations.ts'
import type { Digest } from '../event/digest.ts'
import { beforeOf } from '../event/earlier.ts'
import type { Held, Outcome } from '../event/outcome.ts'
import type { HeldNotification, Store } from '../store/store.ts'
import { compose, digestId, type HeldTogether } from './compose.ts'

/** How late, at most, something is seen that was held for less than a minute. */
const lookEveryMs = minuteMs
/** Nothing is held for longer, in milliseconds: our clock was ahead when it came. A silence of 30 days may end in quiet hours. */
const longestHoldMs = 38 * dayMs
/** One wait has no more digests than this: whatever came then would be held for the next. */
const mostDigests = 50

export interface DigestsParts {
  store: Pick<Store, 'held' | 'find' | 'alter'>
  clock: Clock
  /** Names of the channels that there are. */
  channels(): readonly string[]
  /** What is known of a silence: when it ends or ended (milliseconds since the epoch), and what a report says of it. */
  silence(id: string): ({ end: number } & Required<Pick<Digest, 'silence'>>) | undefined
  take(digest: Digest): Promise<'new' | 'duplicate'>
  /** What was held goes out by itself: something is due on this channel. */
  wake(channel: string): void
  onError(error: unknown): void
}

/**
 * Sends what was held when its wait ends, until the signal aborts: one alert as itself, several in one digest. A process
 * that ends in between leaves a digest and what it does not name as told in it yet: the next finds both and goes on.
 */
export async function keepDigests(parts: DigestsParts, signal: AbortSignal): Promise<void> {
  const { clock } = parts
  while (!signal.aborted) {
    let next = clock.now() + lookEveryMs
    try {
      next = Math.min(next, await releaseDue(parts))
    } catch (error) {
      parts.onError(error)
    }
    await clock.sleep(Math.max(1, next - clock.now()), signal)
  }
}

/** Answers when the next wait ends. */
async function releaseDue(parts: DigestsParts): Promise<number> {
  const now = parts.clock.now()
  const configured = new Set(parts.channels())
  const held = (await parts.store.held()).filter(({ channel }) => configured.has(channel))
  const ending = held.map((one) => ({ ...one, until: endOf(one, parts) }))
  const isDue = (until: number) => until <= now || until > now + longestHoldMs
  const due = ending.filter(({ until }) => isDue(until))
  for (const together of Map.groupBy(due, ({ channel, by, until }) =>
    JSON.stringify([channel, by, until]),
  ).values()) {
    await release(together, parts).catch(parts.onError)
  }
  return Math.min(...ending.filter(({ until }) => !isDue(until)).map(({ until }) => until))
}

/** A silence may have been ended before its time. */
function endOf({ by, until }: HeldNotification, { silence }: DigestsParts): number {
  return Math.min(until, silence(by)?.end ?? Number.POSITIVE_INFINITY)
}

async function release(due: readonly HeldNotification[], parts: DigestsParts): Promise<void> {
  const [one] = due
  if (one === undefined) return
  const { channel, by, until } = one
  const rows = await Promise.all(due.map(({ eventId }) => parts.store.find(eventId)))
  const silence = parts.silence(by)?.silence
  let alerts = rows
    .filter((row) => row?.outcomes[channel]?.state === 'held')
    .toSorted((first, second) => (first?.seq ?? 0) - (second?.seq ?? 0))
    .flatMap((row) => (row?.entry.kind === 'alert' ? [row.entry] : []))
  for (let number = 1; alerts.length > 0 && number <= mostDigests; number += 1) {
    const id = digestId(channel, by, until, number)
    const now = parts.clock.now()
    const held = { id, channel, by, until, alerts, now, ...(silence && { silence }) }
    // Made by a process that ended before it had noted all that it tells of: more may be held since.
    const made = (await parts.store.find(id))?.entry
    const settled = made?.kind === 'digest' ? await noteTold(held, made, parts) : await send(held, parts)
    alerts = alerts.filter((alert) => !settled.has(alert.id))
  }
}

/** Answers the ids of the alerts that are accounted for. */
async function send(held: HeldTogether, parts: DigestsParts): Promise<Set<string>> {
  const { dropped, alone, digest } = compose(held)
  await settle(held, dropped, parts, () => ({
    state: 'not_sent',
    rule: 'nothing-new',
    why: 'it was found and withdrawn while it was held',
  }))
  if (alone !== undefined) {
    await settle(held, alone.correctedBy, parts, () => ({ state: 'told', in: alone.id }))
    await settle(held, [alone.id], parts, (was) => ({
      state: 'waiting',
      dueAt: isoTime(held.now),
      why: `not tried yet; it was held until now: ${was.why}`,
      attempts: 0,
    }))
    parts.wake(held.channel)
    return new Set([...dropped, alone.id, ...alone.correctedBy])
  }
  if (digest === undefined) return new Set(dropped)
  await parts.take(digest)
  return new Set([...dropped, ...(await noteTold(held, digest, parts))])
}

async function noteTold(held: HeldTogether, { id, of }: Digest, parts: DigestsParts): Promise<Set<string>> {
  const told = held.alerts.flatMap((alert) => (of.includes(alert.id) ? [alert.id] : []))
  await settle(held, told, parts, () => ({ state: 'told', in: id }))
  return new Set(told)
}

async function settle(
  { channel }: HeldTogether,
  ids: readonly string[],
  { store }: DigestsParts,
  outcome: (was: Held) => Outcome,
): Promise<void> {
  for (const id of ids) {
    await store.alter(id, channel, (was) =>
      was?.state === 'held' ? { ...outcome(was), ...beforeOf(was) } : undefined,
    )
  }
}
