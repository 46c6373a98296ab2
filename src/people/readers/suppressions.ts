import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { Act, Person } from '../../event/act.ts'
import { dayMs } from '../../platform/durations.ts'
import type { Store } from '../../store/store.ts'
import { Key, type MailSubscription, newKey } from './token.ts'

/** Somebody wants no more mail of a channel. Times are ISO 8601, UTC. */
const Unsubscribed = z.object({ channel: z.string(), address: z.string(), at: z.string() })
export type Unsubscribed = z.infer<typeof Unsubscribed>

/** A server refuses an address for good, it says. */
const RefusedReader = z.object({
  address: z.string(),
  /** The server that said so: another one may know better. */
  server: z.string(),
  said: z.string(),
  since: z.string(),
  /** Not tried before. */
  until: z.string(),
  /** How often it was tried and refused. */
  times: z.number(),
})
export type RefusedReader = z.infer<typeof RefusedReader>

/** Who of the configured readers gets no mail. What cannot be read is nobody: it is state of our own making. */
export const Suppressions = z
  .object({ unsubscribed: z.array(Unsubscribed), refused: z.array(RefusedReader) })
  .catch({ unsubscribed: [], refused: [] })
export type Suppressions = z.infer<typeof Suppressions>

/**
 * Much of what servers refuse for good is not: a full mailbox, a list of theirs that is being moved. So it is tried again
 * after a day, two, four, and then every eight days, with one alert and one command each.
 */
const firstRestMs = dayMs
const longestRestMs = 8 * dayMs

/** Mailboxes are case-sensitive in theory only (RFC 5321, 2.4). A capital letter must not subscribe a reader again who left. */
export function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function unsubscribedFrom(
  book: Suppressions,
  channel: string,
  address: string,
): Unsubscribed | undefined {
  return book.unsubscribed.find((one) => one.channel === channel && isSame(one.address, address))
}

/** Whether the server refuses it: another server's word does not count. */
export function refusalOf(book: Suppressions, server: string, address: string): RefusedReader | undefined {
  return book.refused.find((one) => one.server === server && isSame(one.address, address))
}

/** No rest is longer: one that ends later was begun while our clock was ahead. `now` in milliseconds since the epoch. */
export function isResting({ until }: RefusedReader, now: number): boolean {
  const end = Date.parse(until)
  return now < end && end <= now + longestRestMs
}

/** The first time counts; answers the same object if nothing changes. */
export function withUnsubscribed(book: Suppressions, one: Unsubscribed): Suppressions {
  const isKnown = unsubscribedFrom(book, one.channel, one.address) !== undefined
  return isKnown ? book : { ...book, unsubscribed: [...book.unsubscribed, one] }
}

export function withRefused(
  book: Suppressions,
  { address, server, said }: Pick<RefusedReader, 'address' | 'server' | 'said'>,
  now: number,
): Suppressions {
  const before = refusalOf(book, server, address)
  const times = (before?.times ?? 0) + 1
  const restMs = Math.min(firstRestMs * 2 ** Math.min(times - 1, 10), longestRestMs)
  const at = new Date(now).toISOString()
  const until = new Date(now + restMs).toISOString()
  const others = book.refused.filter((one) => !isSame(one.address, address))
  return {
    ...book,
    refused: [...others, { address, server, said, since: before?.since ?? at, until, times }],
  }
}

/** Nothing is known against it any more: of its mail at all, and of that of a channel if one is named. */
export function withoutAddress(book: Suppressions, address: string, channel?: string): Suppressions {
  return {
    unsubscribed: book.unsubscribed.filter((one) => one.channel !== channel || !isSame(one.address, address)),
    refused: book.refused.filter((one) => !isSame(one.address, address)),
  }
}

/** What is small, and the acts. */
export type ReaderStore = Pick<Store, 'readState' | 'changeState' | 'accept'>

export async function readBook(store: ReaderStore): Promise<Suppressions> {
  return Suppressions.parse(await store.readState('readers'))
}

/** On disk when it resolves; nothing is written if `changed` answers the same object. Rejects with `StoreUnavailable`. */
export async function changeBook(
  store: ReaderStore,
  changed: (before: Suppressions) => Suppressions,
): Promise<{ before: Suppressions; after: Suppressions }> {
  let both = { before: Suppressions.parse(undefined), after: Suppressions.parse(undefined) }
  await store.changeState('readers', (there) => {
    const before = Suppressions.parse(there)
    both = { before, after: changed(before) }
    return both.after === before ? undefined : both.after
  })
  return both
}

/** What somebody did, for the record; what they did before is the same act. Rejects with `StoreUnavailable`. */
export async function record(
  store: ReaderStore,
  does: 'unsubscribe' | 'subscribe',
  { channel, address, by, at, key }: MailSubscription & { by: Person; at: string; key: string },
): Promise<void> {
  const hash = createHash('sha256')
    .update(JSON.stringify([does, channel, address, key]))
    .digest('hex')
  const id = `act_${hash.slice(0, 24)}`
  const act: Act = { kind: 'act', id, does, by, about: null, channel, address, receivedAt: at }
  await store.accept([{ entry: act, outcomes: {} }])
}

/**
 * Mail of the channel goes there again. Returns what stood against it. On disk when it resolves; rejects with
 * `StoreUnavailable`. `now` is in milliseconds since the epoch.
 */
export async function restore(
  store: ReaderStore,
  { channel, address }: MailSubscription,
  { by, key, now }: { by: Person; key: string; now: number },
): Promise<Suppressions> {
  const { before, after } = await changeBook(store, (there) => withoutAddress(there, address, channel))
  const lifted = {
    unsubscribed: before.unsubscribed.filter((one) => !after.unsubscribed.includes(one)),
    refused: before.refused.filter((one) => !after.refused.includes(one)),
  }
  if (lifted.unsubscribed.length + lifted.refused.length > 0) {
    await record(store, 'subscribe', { channel, address, by, at: new Date(now).toISOString(), key })
  }
  return lifted
}

/** The key of the links in mails; undefined if none was ever made. */
export async function readKey(store: ReaderStore): Promise<string | undefined> {
  return Key.safeParse(await store.readState('link-key')).data
}

/** The same, made if there is none: all processes have the one that was first. */
export async function keyOf(store: ReaderStore): Promise<string> {
  const kept = await readKey(store)
  if (kept !== undefined) return kept
  await store.changeState('link-key', (there) => (Key.safeParse(there).success ? undefined : newKey()))
  const made = await readKey(store)
  if (made === undefined) throw new Error('the key of the links in mails was not kept')
  return made
}
