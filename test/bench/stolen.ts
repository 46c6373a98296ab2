import { readFileSync } from 'node:fs'

/** On a virtual machine, the host may give the processors to others. */
export interface Stolen {
  /** Part of all processors' time that was withheld meanwhile ("steal" in proc_stat(5)); 0 on a machine of one's own. */
  stolen: number
}

/** More than this, and the time is another's as much as ours. */
const mostStolen = 0.01

/** Each measurement that was taken, those that did not count among them. */
export interface Tally {
  taken: number
  /** Taken again. */
  again: number
  /** Counted although too much was stolen, as it was not less in any other try. */
  disturbed: number
}

/** Answers what was withheld since this was called. */
export function watchStolen(): () => number {
  const before = processorTime()
  return () => {
    const now = processorTime()
    const all = now.all - before.all
    return all === 0 ? 0 : (now.stolen - before.stolen) / all
  }
}

/** Measures, at most so often, until the host withholds next to nothing meanwhile: the last try, or else the least disturbed. */
export async function undisturbed<T extends Stolen>(
  measure: (attempt: number) => Promise<T>,
  attempts: number,
  tally: Tally,
): Promise<{ counted: T; all: readonly T[] }> {
  const all: T[] = []
  for (;;) {
    const one = await measure(all.length)
    all.push(one)
    tally.taken += 1
    if (one.stolen <= mostStolen) return { counted: one, all }
    if (all.length >= attempts) {
      tally.disturbed += 1
      return { counted: all.reduce((least, other) => (other.stolen < least.stolen ? other : least)), all }
    }
    tally.again += 1
  }
}

/** A sentence for the head of the table. */
export function told({ taken, again, disturbed }: Tally): string {
  const percent = mostStolen * 100
  return `The host withheld more than ${percent} % of the processors in ${again + disturbed} of ${taken} loads; ${again} were taken again, ${disturbed} are counted.`
}

/** In ticks: user, nice, system, idle, iowait, irq, softirq, steal; the guests' are in the first two. */
function processorTime(): { stolen: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, one) => sum + one, 0) }
}
