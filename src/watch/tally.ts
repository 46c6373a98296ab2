import * as z from 'zod'
import type { Clock } from '../clock.ts'
import { TroubleReport } from './incident.ts'
import { createSaver } from './saver.ts'

interface TallyParts {
  clock: Clock
  /** What was counted and not reported yet, over a kill too. */
  state: { read(): Promise<unknown>; write(value: unknown): Promise<void> }
  stopping: AbortSignal
  /**
   * The same report of the same `episode` is the same notice. `uncertain` where an earlier process may have sent it.
   * Resolves when it is on its way.
   */
  tell(key: string, report: TroubleReport, about: { episode: string; uncertain: boolean }): Promise<void>
  onError(error: unknown): void
}

interface Tally {
  /** Reports the first of a key at once, and how many more there were at the end of an hour. */
  count(key: string, report: TroubleReport): void
  /** Resolves when all was reported that was counted until the signal. */
  ended(): Promise<void>
}

const Count = z.object({
  key: z.string(),
  /** When the first was reported; milliseconds since the epoch. */
  since: z.number(),
  count: z.number(),
  /** The last of them. */
  report: TroubleReport,
})
type Count = z.infer<typeof Count>

const tallyMs = 60 * 60_000

export async function startTally({ clock, state, stopping, tell, onError }: TallyParts): Promise<Tally> {
  const counts = new Map<string, Count>()
  const countDowns = new Set<Promise<void>>()
  const saver = createSaver(() => state.write([...counts.values()]), onError)

  function begin(one: Count, isRecalled: boolean): void {
    counts.set(one.key, one)
    const counting: Promise<void> = countDown(one, isRecalled).finally(() => countDowns.delete(counting))
    countDowns.add(counting)
  }

  /** Ends early when the process does: what was counted is reported all the same. */
  async function countDown(one: Count, isRecalled: boolean): Promise<void> {
    const left = one.since + tallyMs - clock.now()
    await clock.sleep(Math.min(Math.max(left, 0), tallyMs), stopping)
    counts.delete(one.key)
    const title = `${one.count} more within the hour: ${one.report.title}`
    const about = { episode: episodeOf(one), uncertain: isRecalled }
    if (one.count > 0) await tell(one.key, { ...one.report, title }, about)
    await saver.save()
  }

  const remembered = z.array(Count).catch([])
  for (const one of remembered.parse(await state.read())) begin(one, true)

  return {
    count(key, report) {
      const known = counts.get(key)
      if (known === undefined) {
        const first = { key, since: clock.now(), count: 0, report }
        begin(first, false)
        void tell(key, report, { episode: episodeOf(first), uncertain: false })
      } else {
        known.count += 1
        known.report = report
      }
      void saver.save()
    },
    async ended() {
      await Promise.all(countDowns)
      await saver.idle()
    },
  }
}

function episodeOf({ since, count, report }: Count): string {
  return JSON.stringify([since, count, report.title, report.text])
}
