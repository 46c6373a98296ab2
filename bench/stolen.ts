import { readFileSync } from 'node:fs'

/** The host of a virtual machine may give its processors to others, or hold them back. */
export interface Stolen {
  /** Part of the processor time that was wanted meanwhile and withheld ("steal" in proc_stat(5)); 0 on a machine of one's own. */
  stolen: number
}

/** docs/internals/performance.md, "How it is measured", says why. */
const mostStolen = 0.01

/** What was measured, in order of time. */
export interface Tries<T> {
  /** The first during which next to nothing was withheld, or else the one with the least. */
  counted: T
  all: readonly T[]
}

/** Measures again, up to so many times in all, until the host withholds next to nothing meanwhile. */
export async function undisturbed<T extends Stolen>(
  measure: (attempt: number) => Promise<T>,
  attempts: number,
): Promise<Tries<T>> {
  const all: T[] = []
  for (;;) {
    const round = await measure(all.length)
    all.push(round)
    if (!isDisturbed(round)) return { counted: round, all }
    if (all.length < attempts) continue
    return { counted: all.reduce((least, other) => (other.stolen < least.stolen ? other : least)), all }
  }
}

/** How many of the loads count, and how many of these although too much was withheld. */
export function told(measured: readonly Tries<Stolen>[]): string {
  const disturbed = measured.filter(({ counted }) => isDisturbed(counted)).length
  const count = `${measured.length} of ${measured.flatMap(({ all }) => all).length} loads count`
  return disturbed === 0 ? count : `${count}, ${disturbed} of them disturbed`
}

/** Answers what was withheld since this was called. */
export function watchStolen(): () => number {
  const before = processorTime()
  return () => {
    const now = processorTime()
    const wanted = now.wanted - before.wanted
    return wanted === 0 ? 0 : (now.stolen - before.stolen) / wanted
  }
}

function isDisturbed({ stolen }: Stolen): boolean {
  return stolen > mostStolen
}

/** In ticks: user, nice, system, idle, iowait, irq, softirq, steal; the guests' are in the first two. */
function processorTime(): { stolen: number; wanted: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  const [, , , idle = 0, waiting = 0, , , stolen = 0] = ticks
  return { stolen, wanted: ticks.reduce((sum, one) => sum + one, 0) - idle - waiting }
}
