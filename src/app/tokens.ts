import { after, type Clock } from '../platform/clock.ts'
import type { TokenStore } from '../service/client/auth/token-store.ts'
import { stateOf } from '../store/state-of.ts'
import type { Store } from '../store/store.ts'

/** A renewal takes one request. Whoever waits for longer, for a process that was killed in one, goes on without it. */
const waitMs = 10_000

/** OAuth tokens in the store: one of each for all clients of this process and of the others. */
export function sharedTokens(
  store: Pick<Store, 'hold' | 'readState' | 'changeState'>,
  clock: Clock,
): TokenStore {
  const state = stateOf(store, 'tokens')
  /** Of this process, one after the other: what it holds it is not given again. */
  let turn: Promise<unknown> = Promise.resolve()

  async function held<T>(work: () => Promise<T>): Promise<T> {
    const waiting = new AbortController()
    const end = after(clock, waitMs, () => waiting.abort())
    const hold = await store.hold('tokens', waiting.signal)
    end()
    try {
      return await work()
    } finally {
      hold?.release()
    }
  }

  return {
    read: state.read,
    change: state.change,
    alone(work) {
      const done = turn.then(() => held(work))
      turn = done.catch(() => undefined)
      return done
    },
  }
}
