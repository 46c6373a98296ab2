import { type Clock, within } from '../../clock.ts'
import { hourMs } from '../../durations.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import { BegunAnew } from './asking.ts'
import { listedOf } from './rows.ts'
import type { Asked } from './tables.ts'

interface FollowParts {
  store: Pick<Store, 'list' | 'find'>
  list: Omit<Asked, 'page'>
  /** Others change the store, too, and tell of what is new, not of all that becomes of it. */
  isShared: boolean
  clock: Clock
  onError(error: unknown): void
}

/** Keeps the list as the store is, some moments later. */
export interface Following {
  /** Something came in. */
  came(): void
  /** What became of an entry has changed. */
  changed(id: string): void
  /** Retention has dropped what is old. */
  dropped(): void
  /** The list is empty, and has all to come. */
  begunAnew(): void
  /** Whether it has had all that was stored at its beginning. */
  isWhole(): boolean
  /** Resolves when the list is as the store was at the call. `hurryMs`: for so long it leaves no time to others, since somebody waits for it. */
  caughtUp(hurryMs?: number): Promise<void>
  stop(): Promise<void>
}

/** So many are read and handed over at once: a millisecond in which nothing else is done. */
const atOnce = 100
/**
 * Then there is a pause of so many times as long: where nothing else was done meanwhile, and where there was no moment in which
 * nothing was. Alerts have the time then, and the list comes later.
 */
const pauses = { free: 4, busy: 100 }
/** However slow the store was. */
const mostPausedMs = 5_000
/** As long as it takes to read a file of a thousand; more is the way to a database, or others’ work. */
const mostWaitedMs = 20
/** What happens within so many milliseconds is written together. */
const gatherMs = 100
const againMs = 10_000
const oldestAtOnce = 500
/** So often what waits or is held is read again where others may have sent it. */
const lookAgainMs = 10_000
/** Of what had failed, so many are read again at the start: somebody may have had them sent while no list was kept. */
const failedAgain = 500

export function follow({ store, list, isShared, clock, onError }: FollowParts): Following {
  const stopping = new AbortController()
  const changed = new Set<string>()
  const waiting: (() => void)[] = []
  let isFirst = true
  let isNew = true
  let isDropped = true
  let isWhole = false
  let openAt = Number.NEGATIVE_INFINITY
  let droppedAt = clock.now()
  let wake = Promise.withResolvers<void>()
  let hurryUntil = Number.NEGATIVE_INFINITY
  /** Ends a pause. */
  let hurry = new AbortController()
  /** How much of the last pause others used: 0 to 1. */
  let busy = 0

  /**
   * Reads so many, has them written, and pauses for so long that alerts hardly notice. The writing is another thread's.
   * The wait for what is read counts too: under load it lies in files soon, and reading those is half of the work. Once the
   * list is whole it counts up to some milliseconds, since most of it may be the way to a database.
   */
  async function paced(read: () => Promise<StoredEntry[]>): Promise<StoredEntry[]> {
    const asked = performance.now()
    const rows = await read()
    const began = performance.now()
    const waitedMs = isWhole ? Math.min(began - asked, mostWaitedMs) : began - asked
    const written = list.put(rows.map(listedOf))
    const tookMs = performance.now() - began
    await written
    if (performance.now() < hurryUntil) return rows
    const times = pauses.free + (pauses.busy - pauses.free) * busy
    const resting = performance.eventLoopUtilization()
    await clock.sleep(Math.min((waitedMs + tookMs) * times, mostPausedMs), hurry.signal)
    busy = performance.eventLoopUtilization(resting).utilization
    return rows
  }

  /** What is newer than what the list has; all of it, where the list is of another store. */
  async function catchUp(): Promise<void> {
    const [newest] = await store.list({ limit: 1 })
    if (!(await isOfThisStore())) await list.clear()
    const through = await list.through()
    if (newest === undefined || newest.seq <= through) return
    for (let before = newest.seq + 1; before > through + 1; ) {
      const limit = Math.min(atOnce, before - 1 - through)
      const rows = await paced(() => store.list({ limit, before }))
      if (stopping.signal.aborted) return
      if (rows.length < limit) break
      before = rows.at(-1)?.seq ?? 0
    }
    await list.isThrough(newest.seq)
  }

  async function isOfThisStore(): Promise<boolean> {
    const newest = await list.newest()
    return newest === undefined || (await store.find(newest.id))?.seq === newest.seq
  }

  async function readAgain(): Promise<void> {
    for (const ids = [...changed]; ids.length > 0 && !stopping.signal.aborted; ) {
      const some = ids.splice(0, atOnce)
      for (const id of some) changed.delete(id)
      await paced(async () => {
        const found = await Promise.all(some.map((id) => store.find(id)))
        return found.filter((one) => one !== undefined)
      }).catch((error: unknown) => {
        for (const id of some) changed.add(id)
        throw error
      })
    }
  }

  /** The oldest rows, until all of so many are there still. */
  async function forget(): Promise<void> {
    for (let gone = 1; gone > 0 && !stopping.signal.aborted; ) {
      const oldest = await list.oldest(oldestAtOnce)
      const last = oldest.at(-1)
      if (last === undefined) return
      const rows = await store.list({ limit: oldestAtOnce, before: last + 1 })
      const there = new Set(rows.map(({ seq }) => seq))
      const missing = oldest.filter((seq) => !there.has(seq))
      await list.remove(missing)
      gone = missing.length
    }
  }

  async function round(): Promise<void> {
    const now = clock.now()
    if (isFirst) for (const { id } of await list.failed(failedAgain)) changed.add(id)
    if (isFirst || (isShared && Math.abs(now - openAt) >= lookAgainMs)) {
      for (const id of await list.open()) changed.add(id)
      openAt = now
    }
    isFirst = false
    if (isNew) {
      isNew = false
      await catchUp()
      isWhole ||= !stopping.signal.aborted
    }
    await readAgain()
    if (isDropped || (isShared && Math.abs(now - droppedAt) >= hourMs)) {
      isDropped = false
      droppedAt = now
      await forget()
    }
  }

  function beginAnew(): void {
    isFirst = true
    isNew = true
    isWhole = false
    wake.resolve()
  }

  async function keep(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      const asked = waiting.splice(0)
      try {
        await round()
        for (const resolve of asked) resolve()
      } catch (error) {
        onError(error)
        // What was read and not written is read again.
        beginAnew()
        waiting.push(...asked)
        if (!(error instanceof BegunAnew)) await clock.sleep(againMs, stopping.signal)
        continue
      }
      if (!isNew && changed.size === 0 && !isDropped && waiting.length === 0) {
        await (isShared ? within(clock, lookAgainMs, wake.promise) : wake.promise)
      }
      await clock.sleep(gatherMs, stopping.signal)
    }
    for (const resolve of waiting) resolve()
  }

  const kept = keep()
  return {
    came() {
      isNew = true
      wake.resolve()
    },
    changed(id) {
      changed.add(id)
      wake.resolve()
    },
    dropped() {
      isDropped = true
      wake.resolve()
    },
    begunAnew: beginAnew,
    isWhole: () => isWhole,
    caughtUp(hurryMs = 0) {
      isNew = true
      if (hurryMs > 0) {
        hurryUntil = performance.now() + hurryMs
        hurry.abort()
        hurry = new AbortController()
      }
      return new Promise((resolve) => {
        waiting.push(resolve)
        wake.resolve()
      })
    },
    async stop() {
      stopping.abort()
      hurry.abort()
      wake.resolve()
      await kept
    },
  }
}
