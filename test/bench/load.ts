import { openConnection } from './connection.ts'
import { Job, type Load } from './job.ts'
import { request } from './requests.ts'

/** A closed loop: each connection sends its next request when it has its answer. */
async function generate(job: Job): Promise<Load> {
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => openConnection(job.port)),
  )
  const now = Date.now()
  const made = Array.from({ length: job.warmUp + job.requests }, (_, index) =>
    request(job.kind, `evt_${job.run}_${String(index).padStart(6, '0')}`, now),
  )

  /** Answers the milliseconds that each took. */
  async function send(requests: readonly Buffer[]): Promise<number[]> {
    const took: number[] = []
    const left = requests.values()
    await Promise.all(
      connections.map(async (connection) => {
        for (const one of left) {
          const sentAt = performance.now()
          const status = await connection.exchange(one)
          took.push(performance.now() - sentAt)
          if (status !== job.expect) throw new Error(`${status} was answered, not ${job.expect}`)
        }
      }),
    )
    return took
  }

  await send(made.slice(0, job.warmUp))
  const used = process.cpuUsage()
  const begun = performance.now()
  const took = await send(made.slice(job.warmUp))
  const milliseconds = performance.now() - begun
  const { user, system } = process.cpuUsage(used)
  for (const connection of connections) connection.close()
  took.sort((one, other) => one - other)
  return {
    rate: (took.length / milliseconds) * 1000,
    p50: took[Math.floor(took.length * 0.5)] ?? 0,
    p99: took[Math.floor(took.length * 0.99)] ?? 0,
    busy: (user + system) / 1000 / milliseconds,
  }
}

const load = await generate(Job.parse(JSON.parse(process.argv[2] ?? '{}')))
process.stdout.write(`${JSON.stringify(load)}\n`)
