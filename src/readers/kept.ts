import type { Store } from '../store/store.ts'
import { Book, withoutAddress } from './book.ts'
import { Key, newKey, type Subscription } from './token.ts'

export type SmallState = Pick<Store, 'readState' | 'changeState'>

export async function readBook(store: SmallState): Promise<Book> {
  return Book.parse(await store.readState('readers'))
}

/** On disk when it resolves; nothing is written where the same book comes back. Rejects with `StoreUnavailable`. */
export async function changeBook(
  store: SmallState,
  changed: (before: Book) => Book,
): Promise<{ before: Book; after: Book }> {
  let both = { before: Book.parse(undefined), after: Book.parse(undefined) }
  await store.changeState('readers', (there) => {
    const before = Book.parse(there)
    both = { before, after: changed(before) }
    return both.after === before ? undefined : both.after
  })
  return both
}

/** Mail goes there again. Answers what stood against it. Rejects with `StoreUnavailable`. */
export async function restore(store: SmallState, { channel, address }: Subscription): Promise<Book> {
  const { before, after } = await changeBook(store, (there) => withoutAddress(there, address, channel))
  return {
    unsubscribed: before.unsubscribed.filter((one) => !after.unsubscribed.includes(one)),
    refused: before.refused.filter((one) => !after.refused.includes(one)),
  }
}

/** The key of the links in mails; undefined where none was ever made. */
export async function readKey(store: SmallState): Promise<string | undefined> {
  return Key.safeParse(await store.readState('link-key')).data
}

/** The same, made where there is none: all processes have the one that was first. */
export async function keyOf(store: SmallState): Promise<string> {
  const kept = await readKey(store)
  if (kept !== undefined) return kept
  await store.changeState('link-key', (there) => (Key.safeParse(there).success ? undefined : newKey()))
  const made = await readKey(store)
  if (made === undefined) throw new Error('the key of the links in mails was not kept')
  return made
}
