import { openConnection } from './connection.ts'
import { Job, type Load } from './job.ts'
import { request } from './requests.ts'
import { watchStolen } from './stolen.ts'

/** A closed loop: each connection sends its next request when it has its answer. */
async function generate(job: Job): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => openConnection(job.port)),
  )
  const now = Date.now()
  const made = Array.from({ length: job.warmUp + job.requests }, (_, index) =>
    request(job.kind, `evt_${job.run}_${String(index).padStart(6, '0')}`, now),
  )

  /** Answers the milliseconds that each took, ascending. */
  async function send(requests: readonly Buffer[], expect: number): Promise<number[]> {
    const took: number[] = []
    const left = requests.values()
    await Promise.all(
      connections.map(async (connection) => {
        for (const request of left) {
          const sentAt = performance.now()
          const status = await connection.exchange(request)
          took.push(performance.now() - sentAt)
          if (status !== expect) throw new Error(`${status} was answered, not ${expect}`)
        }
      }),
    )
    return took.sort((one, other) => one - other)
  }

  const first = made.slice(0, job.warmUp)
  const cold = await send(first, job.expect)
  for (let repeat = 0; repeat < job.repeats; repeat++) await send(first, job.expectAgain)
  const used = process.cpuUsage()
  const stolen = watchStolen()
  const begun = performance.now()
  const took = await send(made.slice(job.warmUp), job.expect)
  const milliseconds = performance.now() - begun
  const { user, system } = process.cpuUsage(used)
  const withheld = stolen()
  for (const connection of connections) connection.close()
  return {
    rate: (took.length / milliseconds) * 1000,
    p50: quantile(took, 0.5),
    p99: quantile(took, 0.99),
    coldP99: quantile(cold, 0.99),
    busy: (user + system) / 1000 / milliseconds,
    stolen: withheld,
  }
}

function quantile(ascending: readonly number[], part: number): number {
  return ascending[Math.floor(ascending.length * part)] ?? 0
}

const load = await generate(Job.parse(JSON.parse(process.argv[2] ?? '{}')))
process.stdout.write(`${JSON.stringify(load)}\n`)
