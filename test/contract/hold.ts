import { expect } from 'vitest'
import { sandboxStarted } from '../../src/service/sandbox/announcements.ts'
import type { Delivery, Exchange } from './judge.ts'
import { overhear } from './overhear.ts'

// Whatever a sandbox in this process answers or delivers is held against the contract of its dialect. The judge is loaded
// with the first sandbox: most tests start none. Test files that share a process share this module, so that it listens once.

let loading: Promise<void> | undefined
let breachesIn: ((said: Exchange | Delivery) => string[]) | undefined
const waiting: (Exchange | Delivery)[] = []
/** Each breach, with the test file that started the sandbox. */
const breaches = new Map<string, string>()
/** Each sandbox has its own dialect object. */
const fileOf = new WeakMap<object, string>()
const shown = 10

sandboxStarted.subscribe((message) => {
  const { dialect } = Object(message)
  if (dialect instanceof Object) fileOf.set(dialect, currentFile())
  loading ??= import('./judge.ts').then((judge) => {
    breachesIn = judge.breachesIn
    for (const said of waiting.splice(0)) hear(said)
  })
})
overhear(hear)

function hear(said: Exchange | Delivery): void {
  if (breachesIn === undefined) waiting.push(said)
  else for (const breach of breachesIn(said)) breaches.set(breach, fileOf.get(Object(said.dialect)) ?? '')
}

/** Fails the test in which a sandbox broke its contract. If another file left that sandbox running, the error names the file. */
export async function judge(): Promise<void> {
  await loading
  if (breaches.size === 0) return
  const file = currentFile()
  const first = [...breaches]
    .slice(0, shown)
    .map(([breach, by]) => (by === file ? breach : `${breach} (a sandbox that ${by} left running)`))
  breaches.clear()
  throw new Error(`The sandbox broke its contract (docs/internals/contracts/):\n${first.join('\n')}`)
}

function currentFile(): string {
  return expect.getState().testPath?.slice(process.cwd().length + 1) ?? ''
}
