import { sandboxStarted } from '../../src/sandbox/announcements.ts'
import type { Delivery, Exchange } from './judge.ts'
import { overhear } from './overhear.ts'

// Whatever a sandbox in this process answers or delivers is held against the contract of its dialect. The judge is loaded
// with the first sandbox: most tests start none. Test files that share a process share this module, so that it listens once.

let loading: Promise<void> | undefined
let breachesIn: ((said: Exchange | Delivery) => string[]) | undefined
const waiting: (Exchange | Delivery)[] = []
const breaches = new Set<string>()
const shown = 10

sandboxStarted.subscribe(() => {
  loading ??= import('./judge.ts').then((judge) => {
    breachesIn = judge.breachesIn
    for (const said of waiting.splice(0)) hear(said)
  })
})
overhear(hear)

function hear(said: Exchange | Delivery): void {
  if (breachesIn === undefined) waiting.push(said)
  else for (const breach of breachesIn(said)) breaches.add(breach)
}

/** Fails the test in which a sandbox broke its contract. */
export async function judge(): Promise<void> {
  await loading
  if (breaches.size === 0) return
  const first = [...breaches].slice(0, shown).join('\n')
  breaches.clear()
  throw new Error(`The sandbox broke its contract (docs/internals/contracts/):\n${first}`)
}
