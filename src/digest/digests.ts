import type { Clock } from '../clock.ts'
import { minuteMs } from '../durations.ts'
import type { Digest } from '../event/digest.ts'
import { beforeOf } from '../event/earlier.ts'
import type { AlertEvent } from '../event/event.ts'
import type { Held, Outcome } from '../event/outcome.ts'
import type { HeldNotification, Store } from '../store/store.ts'
import { compose, type HeldTogether } from './compose.ts'

/** How late, at most, something is seen that was held for less than a minute. */
const lookEveryMs = minuteMs
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
  const due = ending.filter(({ until }) => until <= now)
  for (const together of Map.groupBy(due, ({ channel, by, until }) =>
    JSON.stringify([channel, by, until]),
  ).values()) {
    await release(together, parts).catch(parts.onError)
  }
  return Math.min(...ending.filter(({ until }) => until > now).map(({ until }) => until))
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
    .flatMap((row) => (row?.entry.kind === 'alert' && row.outcomes[channel]?.state === 'held' ? [row] : []))
    .toSorted((first, second) => first.seq - second.seq)
    .map(({ entry }) => entry as AlertEvent)
  for (let number = 1; alerts.length > 0 && number <= mostDigests; number += 1) {
    const now = parts.clock.now()
    const told = await sendOnce(
      { channel, by, until, alerts, now, ...(silence && { silence }) },
      number,
      parts,
    )
    alerts = alerts.filter(({ id }) => !told.has(id))
  }
}

/** Answers the ids of the alerts that are accounted for. */
async function sendOnce(held: HeldTogether, number: number, parts: DigestsParts): Promise<Set<string>> {
  const { store } = parts
  const { channel } = held
  const { dropped, alone, digest } = compose(held, number)
  const settle = async (ids: readonly string[], outcome: (was: Held) => Outcome) => {
    for (const id of ids) {
      await store.alter(id, channel, (was) =>
        was?.state === 'held' ? { ...outcome(was), ...beforeOf(was) } : undefined,
      )
    }
  }
  await settle(dropped, () => ({
    state: 'not_sent',
    rule: 'nothing-new',
    why: 'it was found and withdrawn while it was held',
  }))
  if (alone !== undefined) {
    await settle(alone.correctedBy, () => ({ state: 'told', in: alone.id }))
    await settle([alone.id], (was) => ({
      state: 'waiting',
      dueAt: new Date(held.now).toISOString(),
      why: `not tried yet; it was held until now: ${was.why}`,
      attempts: 0,
    }))
    parts.wake(channel)
    return new Set([...dropped, alone.id, ...alone.correctedBy])
  }
  if (digest === undefined) return new Set(dropped)
  const verdict = await parts.take(digest)
  // It was made before, by a process that ended then; more may have been held since.
  const made = verdict === 'new' ? digest : (await store.find(digest.id))?.entry
  const of = made?.kind === 'digest' ? made.of : []
  const now = new Set(held.alerts.map(({ id }) => id))
  const told = of.filter((id) => now.has(id))
  await settle(told, () => ({ state: 'told', in: digest.id }))
  return new Set([...dropped, ...told])
}
