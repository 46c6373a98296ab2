import { createHash } from 'node:crypto'
import type { Console } from '../../config/console.ts'
import type { ConsoleBook, Limit } from './book.ts'
import { networkOf } from './origin.ts'
import { hashOfNobody, isPassword } from './password.ts'
import { markOf, newSession, type Session } from './session.ts'

export type SignedIn =
  | { result: 'in'; session: Session }
  | { result: 'wrong' }
  /** Seconds until it can be tried again. */
  | { result: 'wait'; seconds: number }

/** Each takes 32 MiB while it is checked, and so they are checked one after the other; so many wait at most. */
const mostWaiting = 8
const busySeconds = 5
/** Of one network, and of one name from anywhere: somebody else must not be able to lock a person out easily. */
const mostOfNetwork = 10
const mostOfName = 50

/** Of whoever comes from there, by whichever way they sign in. */
export function limitOfNetwork(address: string): Limit {
  return { who: `from ${networkOf(address)}`, most: mostOfNetwork }
}

/** Checks names and passwords. What fails counts against its name and its network, in all processes. */
export function createSignIn({ book, now }: { book: ConsoleBook; now(): number }) {
  let turn: Promise<unknown> = Promise.resolve()
  let waiting = 0

  async function check(
    console: Console,
    { name, password, limits }: { name: string; password: string; limits: Limit[] },
  ): Promise<SignedIn> {
    const waitMs = await book.mustWait(limits)
    if (waitMs > 0) return { result: 'wait', seconds: Math.ceil(waitMs / 1_000) }
    const user = console.users?.find((one) => one.name === name)
    const isRight = await isPassword(password, user?.password ?? hashOfNobody)
    if (user === undefined || !isRight) {
      await book.failed(limits)
      return { result: 'wrong' }
    }
    return { result: 'in', session: newSession(user.name, markOf(user.password), now()) }
  }

  return async (
    console: Console,
    { name, password, address }: { name: string; password: string; address: string },
  ): Promise<SignedIn> => {
    if (waiting >= mostWaiting) return { result: 'wait', seconds: busySeconds }
    const hash = createHash('sha256').update(name).digest('base64url').slice(0, 16)
    const limits = [{ who: `name ${hash}`, most: mostOfName }, limitOfNetwork(address)]
    waiting += 1
    const done = turn
      .then(() => check(console, { name, password, limits }))
      .finally(() => {
        waiting -= 1
      })
    turn = done.catch(() => undefined)
    return done
  }
}
