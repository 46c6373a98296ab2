import type { Clock } from '../../clock.ts'
import type { Change, Hold } from '../store.ts'

/** One process at a backing, from its opening to its end. */
export interface Session {
  /** From when on nothing is its own any more, where that is known; milliseconds since the epoch. */
  end: number | undefined
  isKilled: boolean
  listeners: Set<(change: Change) => void>
}

/** Which processes are there, and what they have. A killed one says nothing: what it had is its own until its term is over. */
export interface Sessions {
  open(): Session
  close(session: Session): void
  kill(session: Session): void
  isOver(session: Session): boolean
  /** Milliseconds since the epoch. */
  endOf(session: Session): number
  hold(session: Session, name: string, waiting: AbortSignal): Promise<Hold | undefined>
  /** What it holds is lost, as where a connection breaks; it goes on all the same. */
  lose(session: Session): void
  /** Lets the others know. */
  changed(by: Session, change: Change): void
}

interface Held {
  session: Session
  lost: AbortController
}

interface Waiting {
  session: Session
  take(): void
}

export function createSessions({
  clock,
  termMs,
}: {
  clock: Pick<Clock, 'now' | 'sleep'>
  termMs: number
}): Sessions {
  const sessions = new Set<Session>()
  const held = new Map<string, Held>()
  const waiting = new Map<string, Waiting[]>()
  /** Who had it last. */
  const last = new Map<string, Session>()

  function release(name: string, one: Held): void {
    if (held.get(name) !== one) return
    held.delete(name)
    waiting.get(name)?.shift()?.take()
  }

  function take(session: Session, name: string): Hold {
    const one = { session, lost: new AbortController() }
    held.set(name, one)
    const before = last.get(name)
    last.set(name, session)
    return {
      signal: one.lost.signal,
      takenOver: before !== undefined && before !== session,
      release: () => session.isKilled || release(name, one),
    }
  }

  function lose(session: Session): void {
    for (const [name, one] of held) {
      if (one.session !== session) continue
      if (!session.isKilled) one.lost.abort()
      release(name, one)
    }
  }

  function leave(session: Session): void {
    sessions.delete(session)
    for (const [name, all] of waiting) {
      waiting.set(
        name,
        all.filter((one) => one.session !== session),
      )
    }
  }

  return {
    open() {
      const session: Session = { end: undefined, isKilled: false, listeners: new Set() }
      sessions.add(session)
      return session
    },
    close(session) {
      session.end ??= Number.NEGATIVE_INFINITY
      leave(session)
      lose(session)
    },
    kill(session) {
      session.isKilled = true
      session.end ??= clock.now() + termMs
      leave(session)
      void clock.sleep(termMs).then(() => lose(session))
    },
    isOver: ({ end }) => end !== undefined,
    endOf: ({ end }) => end ?? Number.POSITIVE_INFINITY,
    hold(session, name, signal) {
      if (signal.aborted) return Promise.resolve(undefined)
      if (!held.has(name)) return Promise.resolve(take(session, name))
      return new Promise((resolve) => {
        const one = {
          session,
          take() {
            signal.removeEventListener('abort', giveUp)
            resolve(take(session, name))
          },
        }
        function giveUp(): void {
          waiting.set(
            name,
            (waiting.get(name) ?? []).filter((other) => other !== one),
          )
          resolve(undefined)
        }
        waiting.set(name, [...(waiting.get(name) ?? []), one])
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    lose,
    changed(by, change) {
      for (const session of sessions) {
        if (session === by) continue
        for (const listener of session.listeners) {
          queueMicrotask(() => {
            if (session.listeners.has(listener) && !session.isKilled) listener(change)
          })
        }
      }
    },
  }
}
