import { setImmediate as turn } from 'node:timers/promises'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { Lease, Store, StoreChange } from '../../../src/store/store.ts'
import type { OfficePlace } from '../office.ts'

/** Nothing else in a test changes this. When its change arrives, all changes before it have arrived. */
const mark = 'people-budget'
const patienceMs = 60_000

/**
 * One database for several applications on a clock that a test moves. Postgres answers in its own time: `settled` waits
 * until nothing is under way, every change has reached the others, and every requested lock is held.
 */
export async function openPostgresPlace(url: string, now: () => number): Promise<OfficePlace> {
  const observer = await openPostgresStore(url, { now })
  const open = new Set<{ heard: number }>()
  const wanted = new Map<string, number>()
  const held = new Map<string, number>()
  let underWay = 0
  let marks = 0
  let isChanged = false
  /** Waits for the next step: a call ends, a lease is granted, a change arrives. */
  const waiting: (() => void)[] = []

  function step(): void {
    for (const resume of waiting.splice(0)) resume()
  }

  async function until(isSo: () => boolean, otherwise: string): Promise<void> {
    for (const end = performance.now() + patienceMs; !isSo(); ) {
      if (performance.now() > end) throw new Error(otherwise)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  const counting =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>, changes = false) =>
    async (...args: Args): Promise<T> => {
      underWay += 1
      try {
        return await work(...args)
      } finally {
        underWay -= 1
        isChanged ||= changes
        step()
      }
    }

  async function acquireLease(store: Store, name: string, unwanted: AbortSignal): Promise<Lease | undefined> {
    add(wanted, name, 1)
    const got = await store.acquireLease(name, unwanted)
    add(wanted, name, -1)
    step()
    if (got === undefined) return undefined
    add(held, name, 1)
    const release = () => {
      if (!got.signal.aborted) got.release()
      add(held, name, -1)
    }
    return { ...got, release }
  }

  async function openOne(): Promise<Store> {
    const store = await openPostgresStore(url, { now })
    const session = { heard: marks }
    open.add(session)
    store.changes((change: StoreChange) => {
      if (change.of !== 'state' || change.key !== mark) return
      session.heard += 1
      step()
    })
    return {
      ...store,
      accept: counting(store.accept, true),
      leaseDue: counting(store.leaseDue),
      nextDue: counting(store.nextDue),
      pending: counting(store.pending),
      held: counting(store.held),
      settle: counting(store.settle, true),
      alter: counting(store.alter, true),
      find: counting(store.find),
      later: counting(store.later),
      changed: counting(store.changed),
      list: counting(store.list),
      backlog: counting(store.backlog),
      retain: counting(store.retain),
      horizon: counting(store.horizon),
      readState: counting(store.readState),
      changeState: counting(store.changeState, true),
      acquireLease: (name, unwanted) => acquireLease(store, name, unwanted),
      // Each minute of the test's clock.
      probe: async () => {},
      close: counting(async () => {
        open.delete(session)
        await store.close()
      }),
    }
  }

  const isHeld = () => [...wanted].every(([name, count]) => count === 0 || (held.get(name) ?? 0) > 0)

  async function untilQuiet(): Promise<void> {
    const isQuiet = () => underWay === 0 && isHeld()
    for (let turns = 0; turns < 3; turns = isQuiet() ? turns + 1 : 0) {
      await until(isQuiet, 'what the applications do does not end')
      await turn()
    }
  }

  async function untilHeard(): Promise<void> {
    marks += 1
    await observer.changeState(mark, () => marks)
    await until(
      () => [...open].every(({ heard }) => heard >= marks),
      'an application was not notified of a change',
    )
  }

  return {
    open: openOne,
    observer,
    async settled() {
      await untilQuiet()
      while (isChanged) {
        isChanged = false
        await untilHeard()
        await untilQuiet()
      }
    },
    close: () => observer.close(),
  }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}
