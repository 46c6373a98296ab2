import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Finished, openScene, type Scene } from './scene.ts'
import { createRandom, events, shuffled } from './traffic.ts'

export interface RunOptions {
  seed: number
  /** Distinct deliveries; a fifth as many come again. */
  deliveries: number
  /** How many are under way at a time. */
  width: number
  kills: number
}

export interface Run extends Finished {
  kills: number
  /** Of those, how many came while a changed configuration was taken up. */
  reloads: number
  /** Answers other than 2xx, and broken connections, that the sender met with. */
  failures: number
  seconds: number
}

type Progress = 'answer' | 'slack' | 'discord' | 'mail'

/** Longest random wait between what sets off a kill and the kill, in milliseconds. */
const jitterMs = 15
/** After SIGHUP: reading, opening and changing over take some tens of milliseconds. */
const reloadJitterMs = 80

/**
 * Delivers, and ends the process with -9 at random moments spread over all that is to be done: over the deliveries and
 * over the messages to each provider. Every third kill comes while the configuration is being changed.
 */
export async function runRandomKills({ seed, deliveries, width, kills }: RunOptions): Promise<Run> {
  const random = createRandom(seed)
  const began = performance.now()
  const fired = events('r', deliveries)
  const repeats = shuffled(fired, random).slice(0, deliveries / 5)
  const totals: Record<Progress, number> = {
    answer: fired.length + repeats.length,
    slack: deliveries,
    discord: deliveries,
    // One event in four, to two recipients.
    mail: deliveries / 2,
  }
  const plans = shuffled(Object.keys(totals) as Progress[], random)
    .flatMap((what) => Array<Progress>(Math.ceil(kills / 4)).fill(what))
    .slice(0, kills)
    .map((what, index) => ({
      what,
      count: Math.ceil(random() * 0.9 * totals[what]),
      reload: index % 3 === 2,
    }))
  const progress: Record<Progress, number> = { answer: 0, slack: 0, discord: 0, mail: 0 }
  let scene: Scene | undefined
  let killed = 0
  let reloads = 0
  let killing: Promise<void> | undefined

  function onProgress(what: Progress): void {
    progress[what] += 1
    const due = plans.findIndex((plan) => progress[plan.what] >= plan.count)
    if (due === -1 || killing !== undefined) return
    const [plan] = plans.splice(due, 1)
    killing = killAndBegin(plan?.reload === true).finally(() => {
      killing = undefined
    })
  }

  async function killAndBegin(reload: boolean): Promise<void> {
    if (scene === undefined) return
    if (reload) {
      scene.configure(`# ${killed}`)
      scene.life().kill('SIGHUP')
      reloads += 1
    }
    await wait(random() * (reload ? reloadJitterMs : jitterMs))
    await scene.kill()
    killed += 1
    await scene.begin()
  }

  scene = await openScene({ random, onProgress })
  try {
    await scene.begin()
    await scene.sender.send(shuffled([...fired, ...repeats], random), width)
    await scene.settled(() => killing === undefined)
    const failures = scene.sender.failures()
    const finished = await scene.finish(fired)
    const seconds = (performance.now() - began) / 1000
    return { ...finished, kills: killed, reloads, failures, seconds }
  } finally {
    await scene.close()
  }
}

function table(run: Run): string {
  const rows = run.rows.map(({ channel, acked, there, twice, inFlight, lost }) =>
    [channel, acked, there, twice, inFlight, lost].map(String),
  )
  const all = [['channel', 'acked', 'there', 'twice', 'in flight again', 'lost'], ...rows]
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? []
  const lines = all.map((row) => row.map((cell, column) => cell.padStart(widths[column] ?? 0)).join('  '))
  return lines.join('\n')
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      deliveries: { type: 'string', default: '1000' },
      width: { type: 'string', default: '64' },
      kills: { type: 'string', default: '10' },
    },
  })
  const options = {
    seed: Number(values.seed),
    deliveries: Number(values.deliveries),
    width: Number(values.width),
    kills: Number(values.kills),
  }
  const { seed, deliveries, width } = options
  process.stdout.write(
    `seed ${seed}: ${deliveries} distinct deliveries, ${deliveries / 5} of them again, ${width} at a time\n`,
  )
  const run = await runRandomKills(options)
  const { kills, reloads, failures, seconds, troubles, notices, faults } = run
  process.stdout.write(`${table(run)}
kills with -9: ${kills}, ${reloads} of them while the configuration changed; deliveries tried again: ${failures}
the store complains of: ${troubles.length === 0 ? 'nothing' : troubles.join('; ')}; notices in Slack: ${notices}
${faults.length === 0 ? 'no fault' : `FAULTS\n${faults.join('\n')}`}; ${seconds.toFixed(0)} s\n`)
  if (faults.length > 0 || troubles.length > 0) process.exitCode = 1
}
