import type { SendingHeld } from '../../event/act.ts'
import { checkChain } from '../../record/evidence/check.ts'
import { makeEvidence } from '../../record/evidence/make.ts'
import { heldByChannel } from '../../store/held.ts'
import type { Store } from '../../store/store.ts'
import type { Acts, Sendings, SentHeld } from '../converse/acts.ts'
import type { TokensOfPeople } from '../converse/tokens.ts'
import { keyOf, readBook, restore } from '../readers/kept.ts'
import { sealed } from '../readers/token.ts'
import type { Control, ReplayAnswer } from './control.ts'

export interface LocalParts {
  store: Store
  /** Names of those that are configured now. */
  channels(): readonly string[]
  /** True inside `serve`: what is owed goes out now. */
  running: boolean
  owe(eventId: string, channel: string): Promise<unknown>
  acts: Acts
  sendings: Pick<Sendings, 'sendAgain' | 'sendHeld'>
  /** Answers how many alerts go out. */
  sendHeld(act: SendingHeld): Promise<number>
  tokens: TokensOfPeople
  now(): number
  resting(): { channel: string; until: string; why: string }[]
  close(): Promise<void>
}

/** Answers from the store that this process holds. */
export function localControl(parts: LocalParts): Control {
  const { store } = parts
  return {
    events: (query) => store.list(query),
    event: (id) => store.find(id),
    later: (id) => store.later(id),
    async replay(id, channel, doer): Promise<ReplayAnswer> {
      const stored = await store.find(id)
      if (stored === undefined) return { result: 'unknown-event' }
      if (channel !== undefined && !parts.channels().includes(channel)) {
        return { result: 'unknown-channel', channels: [...parts.channels()] }
      }
      const failed = Object.keys(stored.outcomes).filter((name) => stored.outcomes[name]?.state === 'failed')
      const again =
        channel === undefined ? failed.filter((name) => parts.channels().includes(name)) : [channel]
      if (again.length === 0) return { result: 'nothing-failed', channels: Object.keys(stored.outcomes) }
      if (doer !== undefined) await parts.sendings.sendAgain(doer, id, again)
      for (const name of again) await parts.owe(id, name)
      return { result: 'queued', channels: again, running: parts.running }
    },
    async sendHeld(doer, channel, id): Promise<SentHeld> {
      const channels = [...parts.channels()]
      if (!channels.includes(channel)) return { result: 'unknown-channel', channels }
      const held = (await store.held()).filter((one) => one.channel === channel)
      const wanted = held.flatMap(({ eventId }) => (id === undefined || id === eventId ? [eventId] : []))
      const [first, ...others] = wanted
      if (first === undefined) return { result: 'nothing-held' }
      const count = await parts.sendHeld(await parts.sendings.sendHeld(doer, channel, [first, ...others]))
      // Somebody else was quicker, or they are due.
      if (count === 0) return { result: 'nothing-held' }
      return { result: 'sent', count, running: parts.running }
    },
    evidence: (id, signal) => makeEvidence(id, { store, now: parts.now, signal }),
    async chain() {
      const { newest, ...checked } = await checkChain(store)
      if (newest === undefined) return checked
      const { number, at, head } = newest
      return { newest: { number, at, head }, ...checked }
    },
    verify: async () => await store.verify?.(),
    async snapshotTo(to) {
      if (store.snapshotTo === undefined) throw new Error('this store is in no folder')
      await store.snapshotTo(to)
    },
    async status() {
      return {
        running: parts.running,
        subscription: await store.readState('subscription'),
        signatures: await store.readState('signatures'),
        troubles: await store.readState('troubles'),
        polling: await store.readState('polling'),
        held: Object.fromEntries(heldByChannel(await store.held())),
        resting: parts.resting(),
      }
    },
    readers: () => readBook(store),
    restore: (doer, subscription) => restore(store, subscription, { ...doer, now: parts.now() }),
    token: async (subscription) => sealed(subscription, await keyOf(store)),
    acts: parts.acts,
    tokens: parts.tokens,
    close: () => parts.close(),
  }
}
