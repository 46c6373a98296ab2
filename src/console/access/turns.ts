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

/** Per kin that waits: who is alone is overtaken by so many at most. */
const placesBack = 4

/** Work that is done one at a time, so that nobody who comes in numbers keeps others out. */
export function createTurns(mostWaiting: number) {
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

  /** Undefined where too many wait. */
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
