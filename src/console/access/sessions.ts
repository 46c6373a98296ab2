import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { minuteMs } from '../../platform/durations.ts'
import { type StoredValue, StoreUnavailable } from '../../store/store.ts'

/** Tries to sign in that failed, since when; milliseconds since the epoch. */
const FailedSignIns = z.object({ count: z.number(), since: z.number() })
type FailedSignIns = z.infer<typeof FailedSignIns>

/** 256 bits. */
const key = z.string().regex(/^[\w-]{43}$/)

const StoredSessions = z.object({
  /** Signs sessions. */
  key,
  /** Makes the ids in feeds, if that is another key: feed readers know entries by their ids for good. */
  feedKey: key.optional(),
  /** Sessions that were ended before their time, and until when they would have lasted. */
  ended: z.record(z.string(), z.number()).default({}),
  /** Sign-ins at a provider that were used, and until when they could have been. */
  used: z.record(z.string(), z.number()).default({}),
  tries: z.record(z.string(), FailedSignIns).default({}),
  /** Those that concern people of the configuration. */
  triesOfPeople: z.record(z.string(), FailedSignIns).default({}),
})
type StoredSessions = z.infer<typeof StoredSessions>

export interface SignInLimit {
  who: string
  /** Failures that are allowed within a quarter of an hour. */
  most: number
  /** It concerns somebody of the configuration: it is kept, however many others fail. */
  isOfPerson?: boolean
}

const windowMs = 15 * minuteMs
/** Strangers who try under a thousand names must not make the store grow. */
const mostKept = 1_000

export type ConsoleSessions = ReturnType<typeof openSessions>

/** What the console remembers, for all processes: its keys, which sessions have ended, and who failed to sign in. */
export function openSessions({ state, now }: { state: StoredValue; now(): number }) {
  /** Stored if nothing is yet. */
  const fresh = newSessions()

  const find = async () => StoredSessions.safeParse(await state.read()).data

  async function read(): Promise<StoredSessions> {
    const before = await find()
    if (before !== undefined) return before
    try {
      await change((stored) => stored)
    } catch (error) {
      // With a full disk, the page that says so is shown all the same.
      if (!(error instanceof StoreUnavailable)) throw error
    }
    return (await find()) ?? fresh
  }

  /** What is over is forgotten with each change. */
  function change(how: (stored: StoredSessions) => StoredSessions): Promise<void> {
    return state.change((before) => how(pruned(StoredSessions.catch(fresh).parse(before), now())))
  }

  return {
    key: async (): Promise<string> => (await read()).key,
    async feedKey(): Promise<string> {
      const stored = await read()
      return stored.feedKey ?? stored.key
    },
    isEnded: async (session: string) => Object.hasOwn((await read()).ended, session),
    end: (session: string, until: number) =>
      change((stored) => ({ ...stored, ended: { ...stored.ended, [session]: until } })),
    isUsed: async (signIn: string) => Object.hasOwn((await read()).used, signIn),
    use: (signIn: string, until: number) =>
      change((stored) => ({ ...stored, used: { ...stored.used, [signIn]: until } })),
    /** How long nobody may try again under one of these limits, in milliseconds; 0 if they may. */
    async mustWait(limits: readonly SignInLimit[]): Promise<number> {
      const stored = await read()
      const waits = limits.map((limit) => {
        const { count, since } = triesOf(limit, stored)
        if (count < limit.most) return 0
        const age = now() - since
        // A clock that was set back must not keep anybody out.
        return age < 0 ? 0 : Math.max(since + windowMs - now(), 0)
      })
      return Math.max(0, ...waits)
    },
    failed: (limits: readonly SignInLimit[]) =>
      change((stored) => {
        const more = (isOfPerson: boolean) =>
          Object.fromEntries(
            limits
              .filter((limit) => (limit.isOfPerson === true) === isOfPerson)
              .map((limit) => {
                const { count, since } = triesOf(limit, stored)
                return [limit.who, { count: count + 1, since: count === 0 ? now() : since }]
              }),
          )
        return {
          ...stored,
          tries: newest({ ...stored.tries, ...more(false) }),
          triesOfPeople: { ...stored.triesOfPeople, ...more(true) },
        }
      }),
  }
}

/** Ends every session. */
export async function endAllSessions(state: StoredValue): Promise<void> {
  await state.change((before) => {
    const { data } = StoredSessions.safeParse(before)
    return data && { ...newSessions(), feedKey: data.feedKey ?? data.key }
  })
}

function triesOf({ who, isOfPerson }: SignInLimit, { tries, triesOfPeople }: StoredSessions): FailedSignIns {
  const of = isOfPerson ? triesOfPeople : tries
  return (Object.hasOwn(of, who) ? of[who] : undefined) ?? { count: 0, since: 0 }
}

function pruned(stored: StoredSessions, now: number): StoredSessions {
  const isOn = ({ since }: FailedSignIns) => Math.abs(now - since) < windowMs
  const isAhead = (until: number) => until > now
  return {
    ...stored,
    ended: keptOf(stored.ended, isAhead),
    used: keptOf(stored.used, isAhead),
    tries: keptOf(stored.tries, isOn),
    triesOfPeople: keptOf(stored.triesOfPeople, isOn),
  }
}

function keptOf<One>(all: Record<string, One>, isKept: (one: One) => boolean): Record<string, One> {
  return Object.fromEntries(Object.entries(all).filter(([, one]) => isKept(one)))
}

function newest<One>(all: Record<string, One>): Record<string, One> {
  return Object.fromEntries(Object.entries(all).slice(-mostKept))
}

function newSessions(): StoredSessions {
  const key = randomBytes(32).toString('base64url')
  return { key, ended: {}, used: {}, tries: {}, triesOfPeople: {} }
}
