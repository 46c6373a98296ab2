import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { openPostgresStore } from '../../../src/store/postgres/open.ts'
import type { Change, Hold, Store } from '../../../src/store/store.ts'
import type { OfficePlace } from '../office.ts'

/** What nobody else changes in a test: by it, one sees that all that came before has been heard. */
const mark = 'people-budget'
const patienceMs = 60_000

/**
 * One database for several applications on a clock that a test moves. Postgres answers in its own time: `settled` waits until
 * nothing is under way, everybody has heard what the others changed, and all that is asked for is held by somebody.
 */
export async function openPostgresPlace(url: string, now: () => number): Promise<OfficePlace> {
  const observer = await openPostgresStore(url, { now })
  const open = new Set<{ heard: number }>()
  const wanted = new Map<string, number>()
  const held = new Map<string, number>()
  let underWay = 0
  let marks = 0
  let isChanged = false

  const counting =
    <Args extends unknown[], T>(work: (...args: Args) => Promise<T>, changes = false) =>
    async (...args: Args): Promise<T> => {
      underWay += 1
      try {
        return await work(...args)
      } finally {
        underWay -= 1
        isChanged ||= changes
      }
    }

  async function hold(store: Store, name: string, waiting: AbortSignal): Promise<Hold | undefined> {
    add(wanted, name, 1)
    const got = await store.hold(name, waiting)
    add(wanted, name, -1)
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
    const own = { heard: marks }
    open.add(own)
    store.changes((change: Change) => {
      if (change.of === 'state' && change.key === mark) own.heard += 1
    })
    return {
      ...store,
      accept: counting(store.accept, true),
      lease: counting(store.lease),
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
      hold: (name, waiting) => hold(store, name, waiting),
      // Each minute of the test's clock.
      probe: async () => {},
      close: counting(async () => {
        open.delete(own)
        await store.close()
      }),
    }
  }

  const isHeld = () => [...wanted].every(([name, count]) => count === 0 || (held.get(name) ?? 0) > 0)

  async function untilQuiet(): Promise<void> {
    for (const end = performance.now() + patienceMs; ; ) {
      if (underWay === 0 && isHeld()) {
        for (let turns = 0; turns < 3 && underWay === 0; turns++) await turn()
        if (underWay === 0 && isHeld()) return
      }
      if (performance.now() > end) throw new Error('what the applications do does not end')
      await wait(1)
    }
  }

  async function untilHeard(): Promise<void> {
    marks += 1
    await observer.changeState(mark, () => marks)
    for (const end = performance.now() + patienceMs; [...open].some(({ heard }) => heard < marks); ) {
      if (performance.now() > end) throw new Error('an application does not hear of a change')
      await wait(1)
    }
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
