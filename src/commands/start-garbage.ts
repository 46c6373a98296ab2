import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** By then the modules that the channels need are loaded, and the first look at the subscription is over. */
const afterMs = 3_000
/** What was not called between several collections loses its bytecode too: another MiB. */
const times = 3

/**
 * Collects once what reading modules and configuration left. V8 sees no reason to by itself while the process rests,
 * and 13 of 105 MiB stay with it (npm run bench, "memory at rest"). It takes some 40 ms.
 */
export function collectStartGarbage(): void {
  const timer = setTimeout(() => {
    setFlagsFromString('--expose-gc')
    const collect: unknown = runInNewContext('gc')
    if (typeof collect !== 'function') return
    for (let time = 0; time < times; time++) {
      collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    }
  }, afterMs)
  timer.unref()
}
