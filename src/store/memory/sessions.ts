/** One process at a backing, from its opening to its end. */
export interface Session {
  /** From when on nothing is its own any more, where that is known; milliseconds since the epoch. */
  end: number | undefined
  isKilled: boolean
}

/** Which processes are there. A killed one says nothing, so what it had is its own until its term is over. */
export interface Sessions {
  open(): Session
  close(session: Session): void
  kill(session: Session): void
  isKilled(session: Session): boolean
  isOver(session: Session): boolean
  /** Milliseconds since the epoch. */
  endOf(session: Session): number
}

export function createSessions({ now, termMs }: { now: () => number; termMs: number }): Sessions {
  function end(session: Session, at: number): void {
    session.end ??= at
  }

  return {
    open: () => ({ end: undefined, isKilled: false }),
    close: (session) => end(session, Number.NEGATIVE_INFINITY),
    kill(session) {
      session.isKilled = true
      end(session, now() + termMs)
    },
    isKilled: ({ isKilled }) => isKilled,
    isOver: ({ end }) => end !== undefined,
    endOf: ({ end }) => end ?? Number.POSITIVE_INFINITY,
  }
}
