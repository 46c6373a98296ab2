// npm run bench:console: lists, search and pages over 100,000 alerts beside a load on the webhook, and what the console costs it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../test/support/free-port.ts'
import { createVisitor, type Visitor } from '../test/system/console/visitor.ts'
import { copyStore } from './accept.ts'
import { type Child, generate, killAll, main, startOurs } from './child.ts'
import { channels, serveArgs } from './configs.ts'
import { fillForConsole } from './fill-console.ts'
import { secret } from './requests.ts'
import { connections } from './scale.ts'
import { withRange } from './table.ts'

const { values } = parseArgs({
  options: {
    alerts: { type: 'string', default: '100000' },
    /** Each has a load without the console and one with it, in turns. */
    rounds: { type: 'string', default: '6' },
    requests: { type: 'string', default: '15000' },
  },
})
const [alerts, rounds, requests] = [Number(values.alerts), Number(values.rounds), Number(values.requests)]
const warmUp = 3_000
/** Between two pages. Each is seen twice in a load, so that a slow machine is not asked for more of them. */
const lookMs = 200
const pages = [
  '/',
  '/alerts',
  '/alerts?model=claude&category=safety',
  '/alerts?words=claude+refuses+word1',
  '/alerts?words=evt_77',
  '/alerts?outcome=failed',
  '/alerts?outcome=not_sent&channel=other',
  '/alerts?from=2020-01-01&outcome=failed',
  `/alerts/evt_${Math.floor(alerts / 20)}`,
  `/alerts/evt_${Math.floor(alerts / 2)}`,
  '/failed',
]

interface Measured {
  /** Deliveries a second, and the milliseconds within which 99 of 100 were answered. */
  rate: number
  p99: number
  /** Processor time of the service for each delivery, pages included: of all threads, and of the one that accepts; milliseconds. */
  all: number
  main: number
}

interface Served extends Child {
  visitor: Visitor | undefined
}

/** With a console or without it, on the folder `loaded`. */
async function start(folder: string, hasConsole: boolean): Promise<Served> {
  const port = hasConsole ? await freePort() : undefined
  const row = port === undefined ? '' : `\nconsole: { listen: { port: ${port} } }`
  const source = `webhook: { secrets: [${secret}] }${row}`
  const child = await startOurs(folder, main, serveArgs(folder, 'loaded', [channels.deaf], source))
  const visitor = port === undefined ? undefined : createVisitor(`http://127.0.0.1:${port}/console/`)
  return { ...child, visitor }
}

/** Once, so that each load begins with lists that are whole. Answers how long that took, in milliseconds. */
async function makeLists(folder: string): Promise<number> {
  const served = await start(folder, true)
  const began = performance.now()
  while (!(await served.visitor?.see('/alerts?before=30'))?.html.includes('evt_3<')) await delay(500)
  const took = performance.now() - began
  await served.stop()
  return took
}

async function measure(folder: string, hasConsole: boolean, times: Map<string, number[]>): Promise<Measured> {
  await copyStore(join(folder, 'filled'), join(folder, 'loaded'))
  const served = await start(folder, hasConsole)
  // What is compiled and read once is not what a delivery costs.
  await look(served.visitor, new Map())
  const before = served.usedMs()
  const looking = look(served.visitor, times)
  const { rate, p99 } = await generate({
    kind: 'bluepencil',
    port: served.port,
    connections,
    run: `console_${hasConsole}`,
    warmUp,
    repeats: 1,
    requests,
    expect: 202,
    expectAgain: 200,
  })
  await looking
  const used = served.usedMs()
  const each = requests + 2 * warmUp
  await served.stop()
  return { rate, p99, all: (used.all - before.all) / each, main: (used.main - before.main) / each }
}

async function look(visitor: Visitor | undefined, times: Map<string, number[]>): Promise<void> {
  if (visitor === undefined) return
  for (const page of [...pages, ...pages]) {
    const began = performance.now()
    await visitor.see(page)
    times.set(page, [...(times.get(page) ?? []), performance.now() - began])
    await delay(lookMs)
  }
}

async function bench(folder: string): Promise<void> {
  await fillForConsole(join(folder, 'loaded'), alerts)
  const madeMs = await makeLists(folder)
  console.log(`lists of ${alerts} alerts made in ${(madeMs / 1_000).toFixed(1)} s`)
  await copyStore(join(folder, 'loaded'), join(folder, 'filled'))
  const times = new Map<string, number[]>()
  const shares: number[] = []
  const all: number[] = []
  const main: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Each comes first in turn: a machine may slow down under load.
    const isFirst = round % 2 === 0
    const first = await measure(folder, !isFirst, times)
    const other = await measure(folder, isFirst, times)
    const [without, beside] = isFirst ? [first, other] : [other, first]
    shares.push(beside.rate / without.rate)
    all.push(beside.all / without.all)
    main.push(without.main / beside.main)
    console.log(`round ${round + 1}: without ${inWords(without)}; beside ${inWords(beside)}`)
  }
  console.log(`rate beside the console and its pages: ${withRange(shares)} of that without`)
  console.log(`by the processor time of the thread that accepts: ${withRange(main)}`)
  console.log(`processor time for each delivery, all threads and pages: ${withRange(all)} times that without`)
  for (const [page, took] of times) {
    const sorted = took.toSorted((one, other) => one - other)
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(0)
    const [first = 0] = took
    console.log(
      `${page.padEnd(42)} median ${at(0.5)} ms, 95 of 100 within ${at(0.95)} ms, first ${first.toFixed(0)} ms, of ${took.length}`,
    )
  }
}

function inWords({ rate, p99, all, main }: Measured): string {
  return `${Math.round(rate)} a second, ${main.toFixed(3)} ms of the thread that accepts and ${all.toFixed(3)} ms in all for each, p99 ${p99.toFixed(0)} ms`
}

const folder = await mkdtemp(join(tmpdir(), 'bench-console-'))
try {
  await bench(folder)
} finally {
  killAll()
  await rm(folder, { recursive: true, force: true })
}
