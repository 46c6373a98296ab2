import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the modules that the channels need are loaded. */
const afterMs = 3_000
/** Part of that time. A process that does more than this has somebody waiting for it. */
const restingShare = 0.1

/**
 * Frees once the memory that reading modules and configuration used. With one kind of channel 95 instead of 112 MiB stay, with
 * three 120 instead of 157. A minute later it is the same (npm run bench, "memory at rest"; Node 26.10). V8 does not do this in an
 * idle process, and an ordinary full collection frees none of it. It takes 0.07 to 0.15 s of processor time and blocks
 * the process, so it waits until the process has been idle for three seconds.
 */
export function collectStartGarbage(): void {
  const before = performance.eventLoopUtilization()
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization > restingShare) return collectStartGarbage()
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    if (typeof gc === 'function') gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, afterMs).unref()
}
