import * as z from 'zod'
import type { Clock } from '../platform/clock.ts'
import { hourMs, minuteMs } from '../platform/durations.ts'
import type { StoredValue } from '../store/store.ts'
import { IncidentReport } from './incident.ts'

interface TallyParts {
  clock: Clock
  /** What was counted and not reported yet, also by a process that was killed. */
  state: StoredValue
  stopping: AbortSignal
  /** Takes the role that reports what ended processes left; undefined if this process ends before. */
  acquireLease(waiting: AbortSignal): Promise<unknown>
  /**
   * The same report of the same `episode` is the same notice. `uncertain`: an earlier process may have sent it. Rejects if it
   * is not on its way.
   */
  alert(key: string, report: IncidentReport, about: { episode: string; uncertain: boolean }): Promise<unknown>
  onError(error: unknown): void
}

const IncidentCount = z.object({
  key: z.string(),
  /** When the first was reported; milliseconds since the epoch. */
  since: z.number(),
  count: z.number(),
  /** The last of them. */
  report: IncidentReport,
  /** The first of all, until it is reported. */
  first: IncidentReport.optional(),
})
type IncidentCount = z.infer<typeof IncidentCount>

const StoredCounts = z.array(IncidentCount).catch([])

function idOf({ key, since }: IncidentCount): string {
  return `${since} ${key}`
}

const tallyMs = hourMs
/** Between two tries to report what could not be reported. */
const retryMs = minuteMs

/** Reports the first of a key at once, and how many more there were at the end of an hour. */
export function createTally(parts: TallyParts) {
  const { clock, state, stopping, onError } = parts
  /** Those whose hour is not over, by key. */
  const current = new Map<string, IncidentCount>()
  const unreported = new Set<IncidentCount>()
  const work = new Set<Promise<void>>()
  /** Those that this process has or had. It writes over no other's. */
  const ownIds = new Set<string>()
  const saver = createSaver(
    () =>
      state.change((stored) => [
        ...StoredCounts.parse(stored).filter((count) => !ownIds.has(idOf(count))),
        ...unreported,
      ]),
    onError,
  )

  function begin(count: IncidentCount, isRecalled: boolean): void {
    if (!current.has(count.key)) current.set(count.key, count)
    unreported.add(count)
    ownIds.add(idOf(count))
    const done: Promise<void> = follow(count, isRecalled).finally(() => work.delete(done))
    work.add(done)
  }

  async function follow(count: IncidentCount, uncertain: boolean): Promise<void> {
    await Promise.all([reportFirst(count, uncertain), hourOf(count)])
    const { report: latest } = count
    const title = `${count.count} more within the hour: ${latest.title}`
    const isReported = count.count === 0 || (await report(count, { ...latest, title }, uncertain))
    if (isReported && count.first === undefined) unreported.delete(count)
    await saver.save()
  }

  async function reportFirst(count: IncidentCount, uncertain: boolean): Promise<void> {
    if (count.first === undefined || !(await report({ ...count, count: 0 }, count.first, uncertain))) return
    delete count.first
    await saver.save()
  }

  /** Ends early when the process does: what was counted is reported all the same. */
  async function hourOf(count: IncidentCount): Promise<void> {
    const left = count.since + tallyMs - clock.now()
    await clock.sleep(Math.min(Math.max(left, 0), tallyMs), stopping)
    if (current.get(count.key) === count) current.delete(count.key)
  }

  /** Retries until it is reported; false if the process ends before. The next process then reports it. */
  async function report(
    { key, since, count }: IncidentCount,
    content: IncidentReport,
    uncertain: boolean,
  ): Promise<boolean> {
    const episode = JSON.stringify([since, count, content.title, content.text])
    for (;;) {
      try {
        await parts.alert(key, content, { episode, uncertain })
        return true
      } catch (error) {
        onError(error)
        if (stopping.aborted) return false
        await clock.sleep(retryMs, stopping)
      }
    }
  }

  /** While another process has the role, it reports what is stored beside our own. */
  async function recallStored(): Promise<void> {
    if ((await parts.acquireLease(stopping)) === undefined) return
    for (const count of StoredCounts.parse(await state.read()))
      if (!ownIds.has(idOf(count))) begin(count, true)
  }

  const recalling = recallStored().catch(onError)

  return {
    count(key: string, content: IncidentReport): void {
      const count = current.get(key)
      if (count === undefined) {
        begin({ key, since: clock.now(), count: 0, report: content, first: content }, false)
      } else {
        count.count += 1
        count.report = content
      }
      void saver.save()
    },
    /** Resolves when all is reported that was counted until the signal. */
    async ended(): Promise<void> {
      await recalling
      await Promise.all(work)
      await saver.idle()
    },
  }
}

/** Writes what has changed, one write at a time; changes that come during a write share the next. */
export function createSaver(write: () => Promise<void>, onError: (error: unknown) => void) {
  let saving: Promise<void> = Promise.resolve()
  let isDue = false
  return {
    /** Resolves when what has changed until now is written, or could not be. */
    save(): Promise<void> {
      if (isDue) return saving
      isDue = true
      saving = saving.then(async () => {
        isDue = false
        await write().catch(onError)
      })
      return saving
    },
    /** Resolves when nothing is being written. */
    idle: (): Promise<void> => saving,
  }
}
