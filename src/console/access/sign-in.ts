import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Console } from '../../config/console.ts'
import { networkOf } from './origin.ts'
import { hashOfNobody, isPassword } from './password.ts'
import { markOf, newSession, type Session } from './session.ts'
import type { ConsoleSessions, SignInLimit } from './sessions.ts'

export type SignedIn =
  | { result: 'in'; session: Session }
  | { result: 'wrong' }
  /** Seconds until it can be tried again. */
  | { result: 'wait'; seconds: number }

/** Each check takes 32 MiB and a quarter of a second, so they are done one at a time. */
const mostWaiting = 50
const busySeconds = 5
/** Of one name from anywhere: somebody else must not be able to lock a person out easily. */
const mostOfName = 50
/** Of one network, and of the network around it: a provider gives one customer 65,536 networks (/64 in a /48). */
const mostOfNetwork = 10
const mostAround = 40

/** For every way to sign in. None if the address is not known. */
export function limitsOf(address: string | undefined): SignInLimit[] {
  if (address === undefined) return []
  const networkLimit = { who: `from ${networkOf(address)}`, most: mostOfNetwork }
  return isIPv6(address)
    ? [networkLimit, { who: `from ${aroundOf(address)}`, most: mostAround }]
    : [networkLimit]
}

/** For keys that nobody guesses: a limit for everybody would let strangers keep the right key out, so it counts only without an address. */
export function keyLimitsOf(of: 'set-up' | 'reset', address: string | undefined): SignInLimit[] {
  return address === undefined ? [{ who: of, most: mostOfName, isOfPerson: true }] : limitsOf(address)
}

function aroundOf(address: string): string {
  return isIPv6(address) ? `${networkOf(address, 48)}/48` : networkOf(address)
}

/** Checks names and passwords. What fails counts against its name and its network, in all processes. */
export function createSignIn({ sessions, now }: { sessions: ConsoleSessions; now(): number }) {
  const inTurn = createTurns(mostWaiting)
  const answers = new Set<Promise<unknown>>()

  async function mustWait(limits: readonly SignInLimit[]): Promise<SignedIn | undefined> {
    const waitMs = await sessions.mustWait(limits)
    return waitMs > 0 ? { result: 'wait', seconds: Math.ceil(waitMs / 1_000) } : undefined
  }

  return async (
    console: Console,
    { name, password, address }: { name: string; password: string; address: string | undefined },
  ): Promise<SignedIn> => {
    const user = console.users?.find((one) => one.name === name)
    const hash = createHash('sha256').update(name).digest('base64url').slice(0, 16)
    const ofName = { who: `name ${hash}`, most: mostOfName, isOfPerson: user !== undefined }
    const limits = [ofName, ...limitsOf(address)]

    async function check(): Promise<SignedIn> {
      // Others of the same name or network may have failed meanwhile.
      const wait = await mustWait(limits)
      if (wait !== undefined) return wait
      const isRight = await isPassword(password, user?.password ?? hashOfNobody)
      if (user !== undefined && isRight)
        return { result: 'in', session: newSession(user.name, markOf(user.password), now()) }
      await sessions.failed(limits)
      return { result: 'wrong' }
    }

    const wait = await mustWait(limits)
    if (wait !== undefined) return wait
    const kin = [ofName.who, ...(address === undefined ? [] : [aroundOf(address)])]
    const before = [...answers]
    const answer = (async (): Promise<SignedIn> => {
      const done = await inTurn({ isFirst: user !== undefined, kin }, check)
      // Names that exist are checked first. The time that the answer takes must not reveal them.
      if (done?.result === 'wrong') await Promise.allSettled(before)
      return done ?? { result: 'wait', seconds: busySeconds }
    })()
    answers.add(answer)
    return answer.finally(() => answers.delete(answer))
  }
}

interface WaitingTurn {
  /** In the queue: the lowest is next. */
  place: number
  isFirst: boolean
  kin: readonly string[]
  resolve(mayGo: boolean): void
}

interface TurnRequest {
  /** Goes before all that are not. */
  isFirst: boolean
  /** Who else counts as the same: each of them that waits already puts it some places back. */
  kin: readonly string[]
}

/** For each of their kin that waits: somebody alone is overtaken by so many at most. */
const placesBack = 4

/** Work that is done one at a time. Somebody who comes in numbers cannot keep others out. */
function createTurns(mostWaiting: number) {
  const waiting = new Set<WaitingTurn>()
  let arrivals = 0
  let isBusy = false

  function inOrder(one: WaitingTurn, other: WaitingTurn): number {
    return Number(other.isFirst) - Number(one.isFirst) || one.place - other.place
  }

  function leave(one: WaitingTurn | undefined, mayGo: boolean): void {
    if (one === undefined) return
    waiting.delete(one)
    one.resolve(mayGo)
  }

  function goOn(): void {
    const [next] = [...waiting].toSorted(inOrder)
    isBusy = next !== undefined
    leave(next, true)
  }

  /** Undefined if too many wait. */
  return async <T>({ isFirst, kin }: TurnRequest, work: () => Promise<T>): Promise<T | undefined> => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const alike = Math.max(
      0,
      ...kin.map((name) => [...waiting].filter((one) => one.kin.includes(name)).length),
    )
    arrivals += 1
    waiting.add({ place: arrivals + alike * placesBack, isFirst, kin, resolve })
    if (!isBusy) goOn()
    // For every name: a stranger must not learn by this which names there are.
    else if (waiting.size > mostWaiting) {
      const [last] = [...waiting].toSorted((one, other) => other.place - one.place)
      leave(last, false)
    }
    if (!(await promise)) return undefined
    try {
      return await work()
    } finally {
      goOn()
    }
  }
}
