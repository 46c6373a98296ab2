import { breachesIn } from './judge.ts'
import { overhear } from './overhear.ts'

// `node --import` this: a sandbox in a process of its own ends at its first breach. `test/system/e2e/process.ts` knows the code.

overhear((said) => {
  const breaches = breachesIn(said)
  if (breaches.length === 0) return
  process.stderr.write(
    `The sandbox broke its contract (docs/internals/contracts/):\n${breaches.join('\n')}\n`,
  )
  process.exit(70)
})
