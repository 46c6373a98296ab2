import { afterAll, afterEach } from 'vitest'
import { sandboxStarted } from '../../src/sandbox/announcements.ts'
import type { Delivery, Exchange } from './judge.ts'
import { overhear } from './overhear.ts'

// Vitest loads this beside each test file. Whatever a sandbox in its process answers or delivers is held against the
// contract of its dialect, and a breach fails the test in which it fell. The judge is loaded with the first sandbox:
// most files start none.

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

afterEach(judge)
afterAll(judge)

function hear(said: Exchange | Delivery): void {
  if (breachesIn === undefined) waiting.push(said)
  else for (const breach of breachesIn(said)) breaches.add(breach)
}

async function judge(): Promise<void> {
  await loading
  if (breaches.size === 0) return
  const first = [...breaches].slice(0, shown).join('\n')
  breaches.clear()
  throw new Error(`The sandbox broke its contract (docs/contracts/):\n${first}`)
}
