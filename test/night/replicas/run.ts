import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../support/postgres/server.ts'
import { createRandom, events, shuffled } from '../../system/crash/traffic.ts'
import { openReplicas, paceMs } from './scene.ts'

interface RunOptions {
  seed: number
  replicas: number
  /** Distinct deliveries; three in ten come again, to any replica. */
  deliveries: number
  /** Replicas that are killed with -9 and started again, at random moments. */
  kills: number
  /** How often Postgres is ended as by a crash and started again. */
  restarts: number
}

/**
 * Equal processes on one Postgres, which accept deliveries while they are killed at random and Postgres is restarted, and what is
 * there in the end.
 */
export async function runReplicas({ seed, replicas, deliveries, kills, restarts }: RunOptions) {
  const random = createRandom(seed)
  const began = performance.now()
  const server = await startPostgres()
  const scene = await openReplicas(server, replicas, random)
  try {
    const fired = events('p', deliveries)
    const repeats = shuffled(fired, random).slice(0, Math.ceil(deliveries * 0.3))
    let isDelivered = false
    const delivering = scene.sender.send(shuffled([...fired, ...repeats], random), 16).then(() => {
      isDelivered = true
    })
    const trouble = shuffled(
      [...Array<'kill'>(kills).fill('kill'), ...Array<'restart'>(restarts).fill('restart')],
      random,
    )
    for (const what of trouble) {
      await wait(500 + random() * 4_000)
      if (what === 'kill') await scene.replace(Math.floor(random() * replicas))
      else {
        scene.away()
        await server.stop('immediate')
        await wait(random() * 2_000)
        await server.start()
      }
    }
    await delivering
    await scene.settled(deliveries * 500 + 120_000)
    const finished = await scene.finish(fired)
    return {
      ...finished,
      isDelivered,
      failures: scene.sender.failures(),
      lives: scene.lives(),
      fastest: fastest(finished.slackAt),
      seconds: (performance.now() - began) / 1_000,
    }
  } finally {
    await scene.close()
    await server.remove()
  }
}

/** The most messages to one place in any second, as a part of what its pace lets pass. */
function fastest(times: readonly number[]): number {
  const most = times.reduce((high, from, index) => {
    const within = times.findIndex((at, later) => later > index && at - from > 1_000)
    return Math.max(high, (within === -1 ? times.length : within) - index)
  }, 0)
  return most / (1_000 / paceMs)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      deliveries: { type: 'string', default: '10000' },
      replicas: { type: 'string', default: '4' },
      kills: { type: 'string', default: '20' },
      restarts: { type: 'string', default: '2' },
    },
  })
  const numbers = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, Number(value)]))
  const { seed = 0, deliveries = 0, replicas = 0, kills = 0, restarts = 0 } = numbers
  const run = await runReplicas({ seed, deliveries, replicas, kills, restarts })
  const { rows, faults, died, subscriptions, failures, lives, seconds } = run
  console.table(rows)
  process.stdout.write(
    [
      `seed ${seed}; processes: ${lives}; deliveries tried again: ${failures}; pace: ${run.fastest.toFixed(2)} of what is let pass`,
      `one poller at a time: ${run.pollers} processes asked the service, one after the other, ${run.asked} times`,
      `ended by themselves: ${died.length === 0 ? 'none' : died.join('\n')}; subscriptions: ${JSON.stringify(subscriptions)}`,
      `${faults.length === 0 ? 'no fault' : `FAULTS\n${faults.join('\n')}`}; ${seconds.toFixed(0)} s\n`,
    ].join('\n'),
  )
  if (faults.length + died.length > 0) process.exitCode = 1
}
