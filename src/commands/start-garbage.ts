import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the modules that the channels need are loaded. */
const afterMs = 3_000

/**
 * Gives back once what reading modules and configuration left: 95 instead of 112 MiB stay with one kind of channel, 120
 * instead of 157 with three, a minute later too (npm run bench, "memory at rest"; Node 26.10). V8 sees no reason to by
 * itself in a process that rests, and an ordinary full collection frees none of it. It takes 0.07 to 0.15 s of
 * processor time, and everything waits for it.
 */
export function collectStartGarbage(): void {
  setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterMs).unref()
}
