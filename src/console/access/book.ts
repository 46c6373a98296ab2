import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { minuteMs } from '../../durations.ts'
import type { Remembered } from '../../store/state-of.ts'

/** Tries to sign in that failed, since when; milliseconds since the epoch. */
const Tries = z.object({ count: z.number(), since: z.number() })

const Book = z.object({
  /** Signs sessions. 256 bits. */
  key: z.string().regex(/^[\w-]{43}$/),
  /** Sessions that were ended before their time, and until when they would have lasted. */
  ended: z.record(z.string(), z.number()).default({}),
  tries: z.record(z.string(), Tries).default({}),
})
type Book = z.infer<typeof Book>

/** What the console remembers, for all processes: its key, which sessions have ended, and who failed to sign in. */
export interface ConsoleBook {
  key(): Promise<string>
  isEnded(session: string): Promise<boolean>
  end(session: string, until: number): Promise<void>
  /** How long nobody may try again who is called one of these, in milliseconds; 0 where they may. */
  mustWait(limits: readonly Limit[]): Promise<number>
  failed(limits: readonly Limit[]): Promise<void>
}

export interface Limit {
  who: string
  /** Failures that are borne with, within a quarter of an hour. */
  most: number
}

const windowMs = 15 * minuteMs
/** Whoever tries under a thousand names must not make the store grow. */
const mostKept = 1_000

export function openBook({ state, now }: { state: Remembered; now(): number }): ConsoleBook {
  async function read(): Promise<Book> {
    const known = Book.safeParse(await state.read())
    if (known.success) return known.data
    await change((book) => book)
    return Book.parse(await state.read())
  }

  /** What is over is forgotten with each change. */
  function change(how: (book: Book) => Book): Promise<void> {
    return state.change((before) => {
      const known = Book.safeParse(before)
      const book = known.success ? known.data : { key: newKey(), ended: {}, tries: {} }
      return how(pruned(book, now()))
    })
  }

  return {
    key: async () => (await read()).key,
    isEnded: async (session) => Object.hasOwn((await read()).ended, session),
    end: (session, until) =>
      change((book) => ({ ...book, ended: kept({ ...book.ended, [session]: until }) })),
    async mustWait(limits) {
      const { tries } = await read()
      const waits = limits.map(({ who, most }) => {
        const found = Object.hasOwn(tries, who) ? tries[who] : undefined
        if (found === undefined || found.count < most) return 0
        const age = now() - found.since
        // A clock that was set back must not keep anybody out.
        return age < 0 ? 0 : Math.max(found.since + windowMs - now(), 0)
      })
      return Math.max(...waits)
    },
    failed: (limits) =>
      change((book) => {
        const more = limits.map(({ who }) => {
          const { count, since } = (Object.hasOwn(book.tries, who) ? book.tries[who] : undefined) ?? {
            count: 0,
            since: now(),
          }
          return [who, { count: count + 1, since }]
        })
        return { ...book, tries: kept({ ...book.tries, ...Object.fromEntries(more) }) }
      }),
  }
}

function pruned({ key, ended, tries }: Book, now: number): Book {
  const isOn = ([, { since }]: [string, z.infer<typeof Tries>]) => Math.abs(now - since) < windowMs
  return {
    key,
    ended: Object.fromEntries(Object.entries(ended).filter(([, until]) => until > now)),
    tries: Object.fromEntries(Object.entries(tries).filter(isOn)),
  }
}

function kept<One>(all: Record<string, One>): Record<string, One> {
  return Object.fromEntries(Object.entries(all).slice(-mostKept))
}

function newKey(): string {
  return randomBytes(32).toString('base64url')
}
