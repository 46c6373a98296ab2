/**
 * Sets the clock of a process ahead, for a life that spans days: `node --import moved-clock.ts` with CLOCK_MOVED_MS, or by a
 * call, for the providers that live in the test's own process. Time goes on at its own pace from there.
 */
const RealDate = Date
let movedMs = 0

class MovedDate extends RealDate {
  constructor(...args: [] | [string | number]) {
    if (args.length === 0) super(RealDate.now() + movedMs)
    else super(...args)
  }

  static override now(): number {
    return RealDate.now() + movedMs
  }
}

/** From now on it is that time, in milliseconds since the epoch. */
export function setClock(to: number): void {
  moveClock(to - RealDate.now())
}

/** From now on it is the time that it really is. */
export function resetClock(): void {
  moveClock(0)
}

function moveClock(byMs: number): void {
  movedMs = byMs
  Object.assign(globalThis, { Date: movedMs === 0 ? RealDate : MovedDate })
}

/** What a process that is started now has to be given. */
export function movedEnvironment(): Record<string, string> {
  return { CLOCK_MOVED_MS: String(movedMs) }
}

moveClock(Number(process.env.CLOCK_MOVED_MS ?? 0))
