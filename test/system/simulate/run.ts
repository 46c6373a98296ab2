import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import type { Breach } from './judge.ts'
import { patchNode } from './patches.ts'
import type { Counts } from './world.ts'

// Lives of a whole desk on a simulated machine, one for each seed, and what of the seven rules did not hold.
//
//     npm run simulate -- --seeds 1..1000        each seed once, on all processors
//     npm run simulate -- --seeds 7 --history    everything that happened in one, and what the desk logged

/** What one life came to, as a worker reports it. */
interface Judged {
  seed: number
  fingerprint: string
  breaches: Breach[]
  counts: Counts
  history?: readonly string[]
  log?: readonly string[]
}

/**
 * A worker lives so many lives, and another goes on. What a simulated process was killed in the middle of is never ended:
 * Node keeps each AbortSignal.any() that somebody listens to, and with it the life, some 0.7 MB.
 */
const livesOfWorker = 400

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1..100' },
    history: { type: 'boolean', default: false },
    /** Ends at the first seed that breaks a rule. */
    first: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
    /** So many of the seeds a second time, the last ones first: the fingerprints must be the same. */
    again: { type: 'string', default: '0' },
    worker: { type: 'boolean', default: false },
  },
})
const [first = 1, last = first] = values.seeds.split('..').map(Number)

if (values.worker) await work()
else process.exitCode = await lead()

async function work(): Promise<void> {
  patchNode()
  const { live } = await import('./world.ts')
  const { judge } = await import('./judge.ts')
  async function judged(seed: number): Promise<void> {
    const run = await live(seed)
    const answer: Judged = {
      seed,
      fingerprint: run.fingerprint,
      breaches: judge(run),
      counts: run.counts,
      ...(values.history && { history: run.history, log: run.log }),
    }
    process.send?.(answer)
  }
  process.on('message', (seed: number) => void judged(seed))
  process.once('disconnect', () => process.exit())
  process.send?.('ready')
}

async function lead(): Promise<number> {
  const began = performance.now()
  const total: Counts = { days: 0, steps: 0, deliveries: 0, kills: 0, faults: 0, reloads: 0 }
  const fingerprints = new Map<number, string>()
  const seeds = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const planned = [...seeds, ...seeds.toReversed().slice(0, Number(values.again))]
  const left = planned.values()
  let broken = 0
  let done = 0

  function heard(judged: Judged): void {
    done += 1
    for (const name of Object.keys(total) as (keyof Counts)[]) total[name] += judged.counts[name]
    const before = fingerprints.get(judged.seed)
    if (before !== undefined && before !== judged.fingerprint) {
      broken += 1
      console.log(`seed ${judged.seed} is not the same run twice: ${before}, ${judged.fingerprint}`)
    }
    fingerprints.set(judged.seed, judged.fingerprint)
    if (judged.breaches.length > 0) broken += 1
    for (const line of [...(judged.history ?? []), ...(judged.log ?? [])]) console.log(line)
    for (const { rule, what } of judged.breaches) console.log(`seed ${judged.seed}: rule ${rule}: ${what}`)
    if (done % 1_000 === 0) console.log(`${done} seeds, ${broken} broke a rule`)
  }

  await Promise.all(
    Array.from({ length: Math.min(Number(values.workers), last - first + 1) }, () =>
      oneWorker(left, heard, () => values.first && broken > 0),
    ),
  )
  const seconds = Math.round((performance.now() - began) / 1_000)
  console.log(
    `${done} seeds: ${Math.round(total.days)} simulated days, ${total.deliveries} deliveries, ${total.kills} kills and restarts, ${total.faults} faults, ${total.reloads} reloads, ${total.steps} steps in ${seconds} s`,
  )
  if (done < fingerprints.size || (done < planned.length && !values.first)) {
    console.log(`only ${done} of ${planned.length} seeds were lived: a worker ended`)
    return 1
  }
  console.log(broken === 0 ? 'no rule broken' : `${broken} seeds broke a rule`)
  return broken === 0 ? 0 : 1
}

async function oneWorker(
  left: Iterator<number>,
  heard: (judged: Judged) => void,
  isOver: () => boolean,
): Promise<void> {
  while (await livesOfOne(left, heard, isOver)) {}
}

/** One process, one seed after the other. Answers whether more seeds may be left. */
async function livesOfOne(
  left: Iterator<number>,
  heard: (judged: Judged) => void,
  isOver: () => boolean,
): Promise<boolean> {
  let lives = 0
  let isDone = false
  const more = values.history ? ['--history'] : []
  const child = fork(import.meta.filename, ['--worker', ...more], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  child.on('message', (message) => {
    if (message !== 'ready') heard(message as Judged)
    lives += 1
    if (lives > livesOfWorker) return void child.kill()
    const next = left.next()
    isDone = next.done === true || isOver()
    if (next.done || isDone) child.kill()
    else child.send(next.value)
  })
  const [code] = await once(child, 'exit')
  // One that ends by itself leaves a seed that nobody has lived, which is said at the end.
  return code === null && !isDone
}
