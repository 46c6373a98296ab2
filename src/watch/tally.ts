import type { Clock } from '../clock.ts'
import type { TroubleReport } from './incident.ts'

interface TallyParts {
  clock: Clock
  stopping: AbortSignal
  tell(key: string, report: TroubleReport): void
}

interface Tally {
  /** Reports the first of a key at once, and how many more there were at the end of an hour. */
  count(key: string, report: TroubleReport): void
  /** Resolves when all was reported that was counted until the signal. */
  ended(): Promise<void>
}

const tallyMs = 60 * 60_000

export function startTally({ clock, stopping, tell }: TallyParts): Tally {
  const tallies = new Map<string, { count: number; report: TroubleReport }>()
  const countDowns = new Set<Promise<void>>()

  /** Ends early when the process does: what was counted is reported all the same. */
  async function countDown(key: string): Promise<void> {
    await clock.sleep(tallyMs, stopping)
    const tally = tallies.get(key)
    tallies.delete(key)
    if (tally === undefined || tally.count === 0) return
    tell(key, { ...tally.report, title: `${tally.count} more within the hour: ${tally.report.title}` })
  }

  return {
    count(key, report) {
      const tally = tallies.get(key)
      if (tally !== undefined) {
        tally.count += 1
        tally.report = report
        return
      }
      tallies.set(key, { count: 0, report })
      tell(key, report)
      const counting: Promise<void> = countDown(key).finally(() => countDowns.delete(counting))
      countDowns.add(counting)
    },
    ended: async () => void (await Promise.all(countDowns)),
  }
}
