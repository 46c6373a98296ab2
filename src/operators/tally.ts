import * as z from 'zod'
import type { Clock } from '../platform/clock.ts'
import { hourMs, minuteMs } from '../platform/durations.ts'
import type { StoredValue } from '../store/state-of.ts'
import { IncidentReport } from './incident.ts'
import { createSaver } from './saver.ts'

interface TallyParts {
  clock: Clock
  /** What was counted and not reported yet, over a kill too. */
  state: StoredValue
  stopping: AbortSignal
  /** Takes the role of who reports what ended processes left; undefined where the process ends before. */
  hold(waiting: AbortSignal): Promise<unknown>
  /**
   * The same report of the same `episode` is the same notice. `uncertain` where an earlier process may have sent it.
   * Resolves when it is on its way, and rejects where it is not.
   */
  tell(key: string, report: IncidentReport, about: { episode: string; uncertain: boolean }): Promise<unknown>
  onError(error: unknown): void
}

interface IncidentTally {
  /** Reports the first of a key at once, and how many more there were at the end of an hour. */
  count(key: string, report: IncidentReport): void
  /** Resolves when all was reported that was counted until the signal. */
  ended(): Promise<void>
}

const IncidentCount = z.object({
  key: z.string(),
  /** When the first was reported; milliseconds since the epoch. */
  since: z.number(),
  count: z.number(),
  /** The last of them. */
  report: IncidentReport,
  /** The first of all, until it is told. */
  first: IncidentReport.optional(),
})
type IncidentCount = z.infer<typeof IncidentCount>

const remembered = z.array(IncidentCount).catch([])

function nameOf({ key, since }: IncidentCount): string {
  return `${since} ${key}`
}

const tallyMs = hourMs
/** Between two tries to report what could not be reported. */
const tellAgainMs = minuteMs

export function startTally(parts: TallyParts): IncidentTally {
  const { clock, state, stopping, tell, onError } = parts
  /** Those whose hour is not over, by key. */
  const counting = new Map<string, IncidentCount>()
  /** Those of which something is to be told still. */
  const kept = new Set<IncidentCount>()
  const under = new Set<Promise<void>>()
  /** Those that this process has, or had: it writes over no other's. */
  const own = new Set<string>()
  const saver = createSaver(
    () =>
      state.change((there) => [...remembered.parse(there).filter((one) => !own.has(nameOf(one))), ...kept]),
    onError,
  )

  function begin(one: IncidentCount, isRecalled: boolean): void {
    if (!counting.has(one.key)) counting.set(one.key, one)
    kept.add(one)
    own.add(nameOf(one))
    const done: Promise<void> = follow(one, isRecalled).finally(() => under.delete(done))
    under.add(done)
  }

  async function follow(one: IncidentCount, uncertain: boolean): Promise<void> {
    await Promise.all([tellFirst(one, uncertain), hourOf(one)])
    const title = `${one.count} more within the hour: ${one.report.title}`
    const isTold = one.count === 0 || (await told(one, { ...one.report, title }, uncertain))
    if (isTold && one.first === undefined) kept.delete(one)
    await saver.save()
  }

  async function tellFirst(one: IncidentCount, uncertain: boolean): Promise<void> {
    if (one.first === undefined || !(await told({ ...one, count: 0 }, one.first, uncertain))) return
    delete one.first
    await saver.save()
  }

  /** Ends early when the process does: what was counted is reported all the same. */
  async function hourOf(one: IncidentCount): Promise<void> {
    const left = one.since + tallyMs - clock.now()
    await clock.sleep(Math.min(Math.max(left, 0), tallyMs), stopping)
    if (counting.get(one.key) === one) counting.delete(one.key)
  }

  /** Tries until it is told; false where the process ends before: then it is kept for the next. */
  async function told(
    { key, since, count }: IncidentCount,
    report: IncidentReport,
    uncertain: boolean,
  ): Promise<boolean> {
    const episode = JSON.stringify([since, count, report.title, report.text])
    for (;;) {
      try {
        await tell(key, report, { episode, uncertain })
        return true
      } catch (error) {
        onError(error)
        if (stopping.aborted) return false
        await clock.sleep(tellAgainMs, stopping)
      }
    }
  }

  /** While another process has the role, what is stored beside our own is its, and it reports that. */
  async function recall(): Promise<void> {
    if ((await parts.hold(stopping)) === undefined) return
    for (const one of remembered.parse(await state.read())) if (!own.has(nameOf(one))) begin(one, true)
  }

  const recalled = recall().catch(onError)

  return {
    count(key, report) {
      const known = counting.get(key)
      if (known === undefined) {
        begin({ key, since: clock.now(), count: 0, report, first: report }, false)
      } else {
        known.count += 1
        known.report = report
      }
      void saver.save()
    },
    async ended() {
      await recalled
      await Promise.all(under)
      await saver.idle()
    },
  }
}
