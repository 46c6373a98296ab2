import type { MailReaders, RestingReason } from '../../channels/email/config.ts'
import {
  changeBook,
  isResting,
  isSame,
  keyOf,
  type ReaderStore,
  type RefusedReader,
  readBook,
  readKey,
  record,
  refusalOf,
  type Suppressions,
  type Unsubscribed,
  unsubscribedFrom,
  withoutAddress,
  withRefused,
  withUnsubscribed,
} from './suppressions.ts'
import { type MailSubscription, opened, sealed } from './token.ts'

interface ReadersParts {
  store: ReaderStore
  now: () => number
  /** For the first time, or for the first time since a person took the address back. */
  onUnsubscribed: (one: Unsubscribed) => void
  /** A server refuses an address that it accepted before, as far as is known. */
  onRefused: (one: RefusedReader) => void
  onError: (error: unknown) => void
}

/** Who gets no mail: what channels ask, and what readers and servers change. */
export interface KeptReaders extends MailReaders {
  /** Whose mail a token ends; undefined for what is no token of ours. */
  read(token: string): Promise<MailSubscription | undefined>
  isUnsubscribed(subscription: MailSubscription): Promise<boolean>
  /** On disk when it resolves; a second time changes nothing. Rejects with `StoreUnavailable`. */
  unsubscribe(subscription: MailSubscription): Promise<void>
}

export function createReaders({ store, now, onUnsubscribed, onRefused, onError }: ReadersParts): KeptReaders {
  /** What is lost here is found again with the next mail. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    await work().catch(onError)
  }

  return {
    async resting({ channel, server }, addresses) {
      const book = await readBook(store)
      return new Map(
        addresses.flatMap((address): [string, RestingReason][] => {
          const left = unsubscribedFrom(book, channel, address)
          if (left !== undefined) return [[address, { why: 'unsubscribed', since: left.at }]]
          const refusal = refusalOf(book, server, address)
          if (refusal === undefined || !isResting(refusal, now())) return []
          const { since, until, said } = refusal
          return [[address, { why: 'refused', since, until, said }]]
        }),
      )
    },
    refused: (refusal) =>
      attempt(async () => {
        const { after } = await changeBook(store, (before) => withRefused(before, refusal, now()))
        const kept = refusalOf(after, refusal.server, refusal.address)
        if (kept?.times === 1) onRefused(kept)
      }),
    accepted: (address) =>
      attempt(async () => {
        const isRefused = ({ refused }: Suppressions) => refused.some((one) => isSame(one.address, address))
        if (!isRefused(await readBook(store))) return
        await changeBook(store, (before) => (isRefused(before) ? withoutAddress(before, address) : before))
      }),
    async token(channel, address) {
      try {
        return sealed({ channel, address }, await keyOf(store))
      } catch (error) {
        onError(error)
        return undefined
      }
    },
    async read(token) {
      const key = await readKey(store)
      return key === undefined ? undefined : opened(token, key)
    },
    async isUnsubscribed({ channel, address }) {
      return unsubscribedFrom(await readBook(store), channel, address) !== undefined
    },
    async unsubscribe({ channel, address }) {
      const subscription = { channel, address, at: new Date(now()).toISOString() }
      const { before, after } = await changeBook(store, (there) => withUnsubscribed(there, subscription))
      // A process may have ended between the two: the next click makes the act.
      const { at } = unsubscribedFrom(after, channel, address) ?? subscription
      await record(store, 'unsubscribe', {
        channel,
        address,
        by: { name: address, via: 'email' },
        at,
        key: at,
      })
      if (after !== before) onUnsubscribed(subscription)
    },
  }
}
