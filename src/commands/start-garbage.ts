import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the modules that the channels need are loaded, and the first look at the subscription is over. */
const lookEveryMs = 3_000
/** Part of the time since the last look that was not spent waiting; above it, there is work that a pause would hold up. */
const busy = 0.02
/** What was not called between several collections loses its bytecode too: another MiB. */
const times = 3

/**
 * Collects once what reading modules and configuration left, as soon as the process rests. V8 sees no reason to by
 * itself then, and some 13 MiB stay with it (npm run bench, "memory at rest"). Everything waits meanwhile.
 */
export function collectStartGarbage(): void {
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    if (utilization > busy) return
    clearInterval(timer)
    collect()
  }, lookEveryMs)
  timer.unref()
}

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  if (typeof gc !== 'function') return
  for (let time = 0; time < times; time++) gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
