import type { Lease, StoreChange } from '../../src/store/store.ts'

/** One process at a backing, from its opening to its end. */
export interface Session {
  id: number
  /** Nothing is its own any more. */
  isOver: boolean
  isKilled: boolean
  listeners: Set<(change: StoreChange) => void>
}

/** Which processes are there, and what they have. A killed one says nothing: what it had is its own until its term is over. */
export interface Sessions {
  open(): Session
  /** It waits for nothing more, and gets no changes. */
  leave(session: Session): void
  /** What it holds goes to the next. */
  end(session: Session): void
  acquireLease(session: Session, name: string, waiting: AbortSignal): Promise<Lease | undefined>
  /** What it holds is lost, as if a connection broke; it goes on all the same. */
  lose(session: Session): void
  /** Lets the others know. */
  changed(by: Session, change: StoreChange): void
}

interface Held {
  session: Session
  lost: AbortController
}

interface Waiting {
  session: Session
  grant(): void
}

export function createSessions(): Sessions {
  const sessions = new Set<Session>()
  const held = new Map<string, Held>()
  const waiting = new Map<string, Waiting[]>()
  /** Who had it last. */
  const last = new Map<string, Session>()
  let ids = 0

  function release(name: string, one: Held): void {
    if (held.get(name) !== one) return
    held.delete(name)
    waiting.get(name)?.shift()?.grant()
  }

  function grant(session: Session, name: string): Lease {
    const lease = { session, lost: new AbortController() }
    held.set(name, lease)
    const before = last.get(name)
    last.set(name, session)
    return {
      signal: lease.lost.signal,
      takenOver: before !== undefined && before !== session,
      release: () => session.isKilled || release(name, lease),
    }
  }

  function lose(session: Session): void {
    for (const [name, one] of held) {
      if (one.session !== session) continue
      if (!session.isKilled) one.lost.abort()
      release(name, one)
    }
  }

  function stopWaiting(is: (one: Waiting) => boolean): void {
    for (const [name, all] of waiting) {
      waiting.set(
        name,
        all.filter((one) => !is(one)),
      )
    }
  }

  function leave(session: Session): void {
    sessions.delete(session)
    stopWaiting((one) => one.session === session)
  }

  return {
    open() {
      ids += 1
      const session: Session = { id: ids, isOver: false, isKilled: false, listeners: new Set() }
      sessions.add(session)
      return session
    },
    leave,
    end(session) {
      leave(session)
      lose(session)
    },
    acquireLease(session, name, signal) {
      if (signal.aborted || session.isOver) return Promise.resolve(undefined)
      if (!held.has(name)) return Promise.resolve(grant(session, name))
      return new Promise((resolve) => {
        const waiter = {
          session,
          grant() {
            signal.removeEventListener('abort', giveUp)
            resolve(grant(session, name))
          },
        }
        function giveUp(): void {
          stopWaiting((other) => other === waiter)
          resolve(undefined)
        }
        waiting.set(name, [...(waiting.get(name) ?? []), waiter])
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
