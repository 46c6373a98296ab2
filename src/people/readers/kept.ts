import { createHash } from 'node:crypto'
import type { Act, Person } from '../../event/act.ts'
import type { Store } from '../../store/store.ts'
import { Suppressions, withoutAddress } from './suppressions.ts'
import { Key, type MailSubscription, newKey } from './token.ts'

/** What is small, and the acts. */
export type ReaderStore = Pick<Store, 'readState' | 'changeState' | 'accept'>

export async function readBook(store: ReaderStore): Promise<Suppressions> {
  return Suppressions.parse(await store.readState('readers'))
}

/** On disk when it resolves; nothing is written where the same book comes back. Rejects with `StoreUnavailable`. */
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
 * Mail of the channel goes there again. Answers what stood against it. On disk when it resolves; rejects with
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

/** The key of the links in mails; undefined where none was ever made. */
export async function readKey(store: ReaderStore): Promise<string | undefined> {
  return Key.safeParse(await store.readState('link-key')).data
}

/** The same, made where there is none: all processes have the one that was first. */
export async function keyOf(store: ReaderStore): Promise<string> {
  const kept = await readKey(store)
  if (kept !== undefined) return kept
  await store.changeState('link-key', (there) => (Key.safeParse(there).success ? undefined : newKey()))
  const made = await readKey(store)
  if (made === undefined) throw new Error('the key of the links in mails was not kept')
  return made
}
